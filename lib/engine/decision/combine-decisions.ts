import { checkDecisions, checkDenial, type CheckResult } from "../checks/check-result";
import { findingsToDecisions, type FilterFinding } from "../filters/findings";
import type { Decision } from "./contract";
import { blockedContent, noEndpoint, unpriced, type Denial } from "./denial";
import type { Issue } from "../../platform/api-error";
import { exclusionDecisions, liftedDecisions } from "./exclusion-decisions";
import type { Plan } from "../routing/plan";

interface Results {
  /** The requested models. */
  models: readonly string[];
  findings: readonly FilterFinding[];
  planned: Plan;
  /** Denial by a filter that didn't finish, or by a check without a verdict. */
  failure?: Denial | null;
  checked?: readonly CheckResult[];
  /** Fields that the endpoints' protocols don't support. */
  unconvertible?: readonly Issue[];
}

/** Combines the results of filters, checks and routing, before budgets are checked, into a denial (if any) and the decisions to record. */
export function combineDecisions({
  models,
  findings,
  planned,
  failure = null,
  checked = [],
  unconvertible = [],
}: Results): { decisions: Decision[]; denial: Denial | null } {
  const stopped = failure ?? blockedContent(findings) ?? checkDenial(checked);
  return {
    decisions: [
      ...findingsToDecisions(findings),
      ...checkDecisions(checked),
      ...(stopped ? [] : [...liftedDecisions(planned.lifted), ...exclusionDecisions(planned.excluded)]),
    ],
    denial:
      stopped ??
      (planned.candidates.length === 0
        ? (unpriced(planned.excluded) ?? noEndpoint(models, planned.excluded, unconvertible))
        : null),
  };
}
