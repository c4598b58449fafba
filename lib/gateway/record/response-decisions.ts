import { checkDecisions } from "../../engine/checks/check-result";
import { findingsToDecisions } from "../../engine/filters/findings";
import type { AccumulatedResponse } from "../../engine/protocols/accumulate";
import type { Decision } from "../../engine/decision/contract";
import type { ResponseGuards } from "../response-guards-service";

/** Returns the decisions about a response. A decision that withholds it includes the number of characters withheld. */
export const responseDecisionsOf = (
  { filter, checks }: ResponseGuards,
  received: AccumulatedResponse,
  sent: AccumulatedResponse,
): Decision[] =>
  [
    ...findingsToDecisions(filter?.findings ?? [], "response"),
    ...checkDecisions(checks?.results ?? [], "response"),
  ].map((decision) => ({
    ...decision,
    ...(["block", "error"].includes(decision.action) && { withheld: Math.max(0, received.size - sent.size) }),
  }));
