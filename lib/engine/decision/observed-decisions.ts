import { OBSERVED_ACTIONS } from "../policy/vocabulary";
import type { Decision } from "./contract";

const isKnown = (action: string): action is keyof typeof OBSERVED_ACTIONS => Object.hasOwn(OBSERVED_ACTIONS, action);

/** Returns the decisions of guardrails that only observe: what they would have done. Rules that an exception lifts are left out. */
export const observedDecisions = (decisions: readonly Decision[]): Decision[] =>
  decisions.flatMap((decision) =>
    isKnown(decision.action) ? [{ ...decision, action: OBSERVED_ACTIONS[decision.action] }] : [],
  );
