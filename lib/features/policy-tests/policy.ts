import type { PolicyCheck } from "../policy-check/contract";
import type { PolicyTest } from "./contract";

type Verdict = Pick<PolicyCheck, "outcome" | "decisions">;

/** What a decision does that leads to an outcome; any may stand beside `allowed`. */
const ACTION_OF: Readonly<Partial<Record<PolicyCheck["outcome"], string>>> = {
  blocked: "block",
  redacted: "redact",
  flagged: "flag",
  no_endpoint: "exclude",
};

/** Why a verdict isn't what a test expects; null when it is. */
export function whyFailed(
  { outcome, field, rule }: PolicyTest["expected"],
  { outcome: actual, decisions }: Verdict,
): string | null {
  if (outcome !== actual) return `expected ${outcome}, was ${actual}`;
  const [expectedField, expectedRule] = [field ?? null, rule ?? null];
  if (expectedField === null && expectedRule === null) return null;
  const deciding = decisions.filter(({ action }) => ACTION_OF[actual] === undefined || action === ACTION_OF[actual]);
  const isDecided = deciding.some(
    (decision) =>
      (expectedField === null || decision.field === expectedField) &&
      (expectedRule === null || decision.rule === expectedRule),
  );
  if (isDecided) return null;
  const by = [
    ...new Set(deciding.map((decision) => `${decision.field}${decision.rule === null ? "" : ` ${decision.rule}`}`)),
  ];
  return `${actual}, but not by ${[expectedField, expectedRule].filter(Boolean).join(" ")}${by.length > 0 ? `: by ${by.join(", ")}` : ""}`;
}
