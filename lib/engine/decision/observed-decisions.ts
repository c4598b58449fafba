import type { ObservedAction } from "../policy/vocabulary";
import type { Decision } from "./contract";

/** What the log calls the actions of enforced rules when they are only observed. A check without a verdict blocks. */
const OBSERVED: Readonly<Record<string, ObservedAction>> = {
  block: "would_block",
  redact: "would_redact",
  flag: "would_flag",
  exclude: "would_exclude",
  error: "would_block",
};

/** Returns the decisions of guardrails that only observe: what they would have done. Rules that an exception lifts are left out. */
export const observedDecisions = (decisions: readonly Decision[]): Decision[] =>
  decisions.flatMap((decision) => {
    const action = OBSERVED[decision.action];
    return action ? [{ ...decision, action }] : [];
  });
