import { checkDecisions } from "../../engine/checks/check-result";
import { findingsToDecisions } from "../../engine/filters/findings";
import type { AccumulatedAnswer } from "../../engine/protocols/accumulate";
import type { Decision } from "../../engine/decision/contract";
import type { AnswerGuards } from "../answer-guards-service";

/** Returns the decisions about an answer; one that withholds it says how much of it wasn't sent. */
export const answerDecisionsOf = (
  { filter, checks }: AnswerGuards,
  received: AccumulatedAnswer,
  sent: AccumulatedAnswer,
): Decision[] =>
  [
    ...findingsToDecisions(filter?.findings ?? [], "response"),
    ...checkDecisions(checks?.results ?? [], "response"),
  ].map((decision) => ({
    ...decision,
    ...(["block", "error"].includes(decision.action) && { withheld: Math.max(0, received.size - sent.size) }),
  }));
