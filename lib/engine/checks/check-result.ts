import type { Decision } from "../../records/generations/contract";
import { ApiError } from "../../platform/api-error";
import type { FilterOutcome } from "../filters/findings";
import type { Denial } from "../decision/denial";
import type { CheckRule } from "../../engine/policy/check-rules-policy";
import type { Replaced } from "./check-texts";
import type { CheckVerdict } from "./read-answer";

/** The verdict of a check on one request. */
export interface CheckResult {
  rule: Pick<CheckRule, "field" | "name" | "sources">;
  /** Identifies the judge independently of guardrails and names: `checkIdentity`. */
  identity: string;
  verdict: CheckVerdict["verdict"];
  reason: string | null;
  /** Parts that the check replaced. */
  spans: readonly Replaced[];
}

const ACTIONS = { block: "block", redact: "redact", flag: "flag", skip: "skip", unavailable: "error" } as const;

/** Returns one decision per guardrail for each check that didn't simply allow the request. */
export const checkDecisions = (results: readonly CheckResult[]): Decision[] =>
  results.flatMap(({ rule, verdict, reason, spans }) =>
    verdict === "allow"
      ? []
      : rule.sources.map((source) => ({
          ...source,
          field: rule.field,
          rule: rule.name,
          action: ACTIONS[verdict],
          spans: [...spans],
          ...(reason !== null && { reason }),
        })),
  );

const named = (results: readonly CheckResult[]) =>
  results.map(({ rule, reason }) => (reason === null ? rule.name : `${rule.name} (${reason})`)).join(", ");
const NOUNS = { external_checks: "external check", judges: "model judge" } as const;
const nouns = (results: readonly CheckResult[]) =>
  [...new Set(results.map(({ rule }) => NOUNS[rule.field]))].join(" and ");
const withoutSpans = (results: readonly CheckResult[]) =>
  checkDecisions(results).map(({ spans: _, ...decision }) => decision);

/** Denies a request that a check blocks, or that a check gave no verdict on (docs/semantics.md#denials). */
export function checkDenial(results: readonly CheckResult[]): Denial | null {
  const of = (verdict: CheckResult["verdict"]) => results.filter((result) => result.verdict === verdict);
  const [blocking, missing] = [of("block"), of("unavailable")];
  if (blocking.length > 0)
    return {
      kind: "check",
      status: "blocked",
      error: new ApiError(403, `Request blocked by ${nouns(blocking)}: ${named(blocking)}`, {
        blocked_by: withoutSpans(blocking),
      }),
    };
  if (missing.length === 0) return null;
  return {
    kind: "check",
    status: "failed",
    error: new ApiError(
      503,
      `The request was not sent: no verdict from ${nouns(missing)}: ${named(missing)}`,
      { reason: "external_check_unavailable", unavailable: withoutSpans(missing) },
      { "retry-after": "1" },
    ),
  };
}

/** Combines the outcome of the content filters with the verdicts on a request that isn't denied. */
export function outcomeWith(filtered: FilterOutcome, results: readonly CheckResult[]): FilterOutcome {
  const has = (verdict: CheckResult["verdict"]) => results.some((result) => result.verdict === verdict);
  if (filtered === "blocked" || filtered === "redacted") return filtered;
  return has("redact") ? "redacted" : has("flag") ? "flagged" : filtered;
}
