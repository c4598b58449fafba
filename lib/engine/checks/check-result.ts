import type { Decision } from "../decision/contract";
import { ApiError } from "../../platform/api-error";
import type { FilterOutcome } from "../filters/findings";
import type { Denial } from "../decision/denial";
import type { CheckRule } from "../policy/check-rules";
import type { Replaced } from "./check-texts";
import type { ExhaustedBudget } from "../budgets/budget-rule";
import { exhaustedDecisions, exhaustedDenial } from "../budgets/denial";
import type { Direction } from "../filters/vocabulary";
import type { CheckVerdict } from "./read-response";

/** The verdict of a check on one request or answer. */
export interface CheckResult {
  rule: Pick<CheckRule, "field" | "name" | "sources">;
  /** Identifies the judge independently of guardrails and names: `checkIdentity`. */
  identity: string;
  verdict: CheckVerdict["verdict"];
  reason: string | null;
  /** Parts that the check replaced. */
  spans: readonly Replaced[];
  /** The budgets that denied a judge's request. */
  exhausted?: readonly ExhaustedBudget[];
}

const ACTIONS = {
  block: "block",
  redact: "redact",
  flag: "flag",
  skip: "skip",
  unaffordable: "error",
  unavailable: "error",
} as const;

/** Returns a decision per guardrail for each check that did more than allow, then the decisions of the judges' budgets. */
export const checkDecisions = (results: readonly CheckResult[], direction: Direction = "request"): Decision[] => {
  const own = results.flatMap(({ rule, verdict, reason, spans }) =>
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
  return [...own, ...exhaustedDecisions(exhaustedIn(results), "block")].map((decision) => ({
    ...decision,
    ...(direction === "response" && { direction }),
  }));
};

/** Returns the budgets that denied judges, each once. */
const exhaustedIn = (results: readonly CheckResult[]): ExhaustedBudget[] => [
  ...new Map(results.flatMap(({ exhausted = [] }) => exhausted).map((budget) => [budget.id, budget])).values(),
];

const named = (results: readonly CheckResult[]) =>
  results.map(({ rule, reason }) => (reason === null ? rule.name : `${rule.name} (${reason})`)).join(", ");
const NOUNS = { external_checks: "external check", judges: "model judge" } as const;
const nouns = (results: readonly CheckResult[]) =>
  [...new Set(results.map(({ rule }) => NOUNS[rule.field]))].join(" and ");
const withoutSpans = (results: readonly CheckResult[], direction: Direction) =>
  checkDecisions(results, direction).map(({ spans: _, ...decision }) => decision);

/** Denies a request or answer that a check blocked or gave no verdict on (docs/semantics.md#denials). */
export function checkDenial(results: readonly CheckResult[], direction: Direction = "request"): Denial | null {
  const of = (verdict: CheckResult["verdict"]) => results.filter((result) => result.verdict === verdict);
  const [blocking, missing, exhausted] = [of("block"), of("unavailable"), exhaustedIn(results)];
  if (blocking.length > 0)
    return {
      kind: "check",
      status: "blocked",
      error: new ApiError(
        403,
        `${direction === "request" ? "Request" : "Response"} blocked by ${nouns(blocking)}: ${named(blocking)}`,
        {
          blocked_by: withoutSpans(blocking, direction),
        },
      ),
    };
  if (exhausted.length > 0) return { kind: "check", status: "blocked", error: exhaustedDenial(exhausted) };
  if (missing.length === 0) return null;
  return {
    kind: "check",
    status: "failed",
    error: new ApiError(
      503,
      `The ${direction === "request" ? "request was not sent" : "response was withheld"}: no verdict from ${nouns(missing)}: ${named(missing)}`,
      { reason: "external_check_unavailable", unavailable: withoutSpans(missing, direction) },
      { "retry-after": "1" },
    ),
  };
}

/** Combines the outcome of the content filters with the verdicts on a request or answer that isn't denied. */
export function outcomeWith(filtered: FilterOutcome, results: readonly CheckResult[]): FilterOutcome {
  const has = (verdict: CheckResult["verdict"]) => results.some((result) => result.verdict === verdict);
  if (filtered === "blocked" || filtered === "redacted") return filtered;
  return has("redact") ? "redacted" : has("flag") ? "flagged" : filtered;
}
