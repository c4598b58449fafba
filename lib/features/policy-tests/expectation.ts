import type { PolicyCheck } from "../policy-check/contract";
import type { PolicyTest } from "./contract";

type Verdict = Pick<PolicyCheck, "outcome" | "decisions">;

/** Decision actions that lead to each outcome; `allowed` is compatible with any. */
const ACTION_OF: Readonly<Partial<Record<PolicyCheck["outcome"], string>>> = {
  blocked: "block",
  redacted: "redact",
  flagged: "flag",
  no_endpoint: "exclude",
};

/** Returns the reason that a verdict differs from a test's expectation; null when it matches. */
export function failureReason(
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
