import "server-only";
import type { Context } from "../../platform/context";
import { AnswerBlocked } from "../../engine/filters/answer-blocked";
import { findingsToDecisions, outcomeOf, type FilterOutcome } from "../../engine/filters/findings";
import { accumulate, emptyAnswer } from "../../engine/protocols/accumulate";
import { ChatAnswerReader } from "../../engine/protocols/chat/answer-reader";
import type { Verdict } from "../../gateway/decide-service";
import { answerFilter } from "../../gateway/filters/answer-service";
import type { PolicyCheck } from "./contract";

/** Outcomes of filters, weakest first. */
const STRENGTH: readonly PolicyCheck["outcome"][] = ["allowed", "flagged", "redacted", "blocked"];

/** Adds what the filters of answers do to the answer of a request that would be sent. */
export async function withAnswer(
  context: Context,
  { request, layers }: Pick<Verdict, "request" | "layers">,
  check: PolicyCheck,
  content: string,
): Promise<PolicyCheck> {
  if (check.request === null) return { ...check, answer: null };
  const filter = answerFilter(context, request, layers);
  if (!filter) return { ...check, answer: content };
  const message = { role: "assistant", content };
  const given = new ChatAnswerReader().readWhole({ choices: [{ index: 0, message, finish_reason: "stop" }] });
  const released = emptyAnswer();
  const refusal = await (async () => {
    for await (const chunk of filter.apply(asStream(given))) accumulate(released, chunk);
    return null;
  })().catch((error: unknown) => {
    if (error instanceof AnswerBlocked) return error.error;
    throw error;
  });
  const outcome: FilterOutcome = refusal ? "blocked" : outcomeOf(filter.findings);
  return {
    ...check,
    outcome: STRENGTH.indexOf(outcome) > STRENGTH.indexOf(check.outcome) ? outcome : check.outcome,
    message: refusal?.message ?? check.message,
    decisions: [...check.decisions, ...findingsToDecisions(filter.findings, "response")],
    answer: refusal ? null : released.content,
  };
}

async function* asStream<T>(values: readonly T[]): AsyncGenerator<T, void> {
  yield* await Promise.resolve(values);
}
