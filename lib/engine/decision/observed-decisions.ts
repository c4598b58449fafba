import type { Decision } from "./contract";

/** Actions of rules that are enforced, with what the log calls them when they are only observed. */
export const OBSERVED_ACTIONS = {
  block: "would_block",
  redact: "would_redact",
  flag: "would_flag",
  exclude: "would_exclude",
  /** A check without a verdict blocks. */
  error: "would_block",
} as const;
export type ObservedAction = (typeof OBSERVED_ACTIONS)[keyof typeof OBSERVED_ACTIONS];

const isKnown = (action: string): action is keyof typeof OBSERVED_ACTIONS => Object.hasOwn(OBSERVED_ACTIONS, action);

/** Returns the decisions of guardrails that only observe: what they would have done. Rules that an exception lifts are left out. */
export const observedDecisions = (decisions: readonly Decision[]): Decision[] =>
  decisions.flatMap((decision) =>
    isKnown(decision.action) ? [{ ...decision, action: OBSERVED_ACTIONS[decision.action] }] : [],
  );
