import { isBudgetDecision } from "../../engine/budgets/vocabulary";
import type { Decision } from "../../engine/decision/contract";
import { ruleName } from "../../engine/filters/vocabulary";
import type { PolicyCheck } from "../policy-check/contract";
import type { Change } from "./vocabulary";

/** The result of a request under a policy. */
export interface RequestResult {
  outcome: PolicyCheck["outcome"];
  /** The first candidate's provider and model, or null. */
  first: Route | null;
  /** All candidates. */
  routes: readonly Route[];
  decisions: readonly Decision[];
  message: string | null;
}

export interface Route {
  provider: string;
  model: string;
}

/** The recorded result of a request. */
interface RecordedFacts {
  status: "succeeded" | "failed" | "blocked" | "cancelled";
  errorStatus: number | null;
  wasCalled: boolean;
  decisions: readonly Decision[];
}

/** True when the decision withheld the response. */
export const blocksAnswer = ({ action, direction }: Decision) =>
  (action === "block" || action === "error") && direction === "response";

/** Derives a recorded request's outcome from its decisions, or from its error when no upstream was called. */
export function recordedOutcome({
  status,
  errorStatus,
  wasCalled,
  decisions,
}: RecordedFacts): RequestResult["outcome"] {
  const withholding = status === "succeeded" || status === "cancelled" ? [] : decisions.filter(blocksAnswer);
  if (withholding.length > 0) return withholding.some(isBudgetDecision) ? "budget_exhausted" : "blocked";
  const has = (action: string) =>
    decisions.some((decision) => decision.action === action && !isBudgetDecision(decision));
  if (!wasCalled && status !== "cancelled") {
    if (decisions.some((decision) => decision.action === "block" && isBudgetDecision(decision)))
      return "budget_exhausted";
    if (has("error")) return "blocked";
    if (!has("block") && errorStatus === 404) return "no_endpoint";
    if (status === "blocked") return "blocked";
  }
  return has("redact") ? "redacted" : has("flag") ? "flagged" : "allowed";
}

const PASSES: ReadonlySet<RequestResult["outcome"]> = new Set(["allowed", "redacted", "flagged"]);
const STOPPED = { blocked: "newly_blocked", no_endpoint: "no_endpoint", budget_exhausted: "budget_exhausted" } as const;

const isSame = (a: Route, b: Route) => a.provider === b.provider && a.model === b.model;
const hasRoute = (routes: readonly Route[], route: Route) => routes.some((one) => isSame(one, route));

/** Returns the rules that took an action, whichever guardrail set them. */
const rulesOf = (decisions: readonly Decision[], action: string) =>
  new Set(decisions.filter((decision) => decision.action === action).map(({ field, rule }) => `${field} ${rule}`));
const hasMore = (some: ReadonlySet<string>, than: ReadonlySet<string>) => [...some].some((rule) => !than.has(rule));

/**
 * Returns the change that the sender would notice, or null. `called` are the endpoints that were called. A different
 * first endpoint counts only if policy added or excluded one, not because of the random draw.
 */
export function changeOf(before: RequestResult, after: RequestResult, called: readonly Route[]): Change | null {
  if (after.outcome === "blocked" || after.outcome === "no_endpoint" || after.outcome === "budget_exhausted") {
    return before.outcome === after.outcome ? null : STOPPED[after.outcome];
  }
  if (!PASSES.has(before.outcome)) return "newly_allowed";
  const [redactedBefore, redactedAfter] = [rulesOf(before.decisions, "redact"), rulesOf(after.decisions, "redact")];
  if (hasMore(redactedAfter, redactedBefore)) return "newly_redacted";
  if (hasMore(redactedBefore, redactedAfter)) return "newly_allowed";
  if (hasMore(rulesOf(after.decisions, "flag"), rulesOf(before.decisions, "flag"))) return "newly_flagged";
  return isRerouted(before, after, called) ? "rerouted" : null;
}

function isRerouted(before: RequestResult, after: RequestResult, called: readonly Route[]): boolean {
  if (called.some((route) => !hasRoute(after.routes, route) && hasRoute(before.routes, route))) return true;
  if (!before.first || !after.first || isSame(before.first, after.first)) return false;
  return !hasRoute(after.routes, before.first) || !hasRoute(before.routes, after.first);
}

const words = (decision: Decision) => {
  const name = ruleName(decision) ?? decision.field;
  return decision.guardrail_name === null ? name : `“${decision.guardrail_name}” (${name})`;
};
const list = (items: readonly string[]) => [...new Set(items)].join(", ");

/** Describes the reason for a change in one sentence. */
export function describeChange(change: Change, before: RequestResult, after: RequestResult): string {
  const by = (decisions: readonly Decision[], ...actions: string[]) =>
    list(decisions.filter(({ action }) => actions.includes(action)).map(words));
  const added = (action: string) => {
    const known = rulesOf(before.decisions, action);
    return after.decisions.filter(
      (decision) => decision.action === action && !known.has(`${decision.field} ${decision.rule}`),
    );
  };
  switch (change) {
    case "newly_blocked":
      return `Blocked by ${by(after.decisions, "block")}`;
    case "no_endpoint":
    case "budget_exhausted":
      return after.message ?? "No endpoint available";
    case "newly_redacted":
      return `Redacted by ${list(added("redact").map(words))}`;
    case "newly_flagged":
      return `Flagged by ${list(added("flag").map(words))}`;
    case "newly_allowed":
      return PASSES.has(before.outcome)
        ? `No longer redacted by ${by(before.decisions, "redact")}`
        : `No longer blocked by ${by(before.decisions, "block", "exclude") || "policy"}`;
    case "rerouted":
      return `Routed to ${after.first?.provider} (${after.first?.model})${before.first ? ` instead of ${before.first.provider}` : ""}`;
  }
}
