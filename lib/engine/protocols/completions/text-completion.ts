import type { TextCompletion } from "../../../gateway/completions-contract";
import { chatCompletion, serviceMetadataOf, withCost, type AnswerHeader } from "../chat/stream-encoder";
import { choicesOf, type AccumulatedAnswer } from "../accumulate";
import type { Receipt, StreamEncoder } from "../observe";
import { SSE_DONE, sseEvent } from "../server-sent-events";
import { plainMessage, statusForCaller } from "../upstream-failure";

const choiceOf = (text: string, finish_reason: string | null, index = 0) => ({
  index,
  text,
  finish_reason,
  logprobs: null,
});

/** Builds a complete text completion. */
export function textCompletion(
  heading: AnswerHeader,
  accumulated: AccumulatedAnswer,
  receipt: Receipt,
): TextCompletion {
  const { id, created, model, usage } = chatCompletion(heading, accumulated, receipt);
  return {
    id,
    object: "text_completion",
    created,
    model,
    choices: choicesOf(accumulated).map(([index, { content, finishReason }]) => choiceOf(content, finishReason, index)),
    ...(usage && { usage }),
    ...serviceMetadataOf(receipt),
  };
}

/** Encodes any answer as a stream of text completions. */
export function textStreamEncoder(heading: AnswerHeader, { includesUsage }: { includesUsage: boolean }): StreamEncoder {
  const { id, created, model } = heading;
  const event = (fields: object) => sseEvent({ id, object: "text_completion", created, model, ...fields });
  return {
    start: () => [],
    chunk: ({ choices }) =>
      choices
        .filter(({ delta, finish_reason }) => delta.content || finish_reason)
        .map(({ index, delta, finish_reason = null }) =>
          event({ choices: [choiceOf(delta.content ?? "", finish_reason, index)] }),
        ),
    end: ({ usage }, receipt) => {
      const shownUsage = includesUsage && usage ? { usage: withCost(usage, receipt, heading) } : {};
      const fields = { ...shownUsage, ...serviceMetadataOf(receipt) };
      return [...(Object.keys(fields).length > 0 ? [event({ choices: [], ...fields })] : []), SSE_DONE];
    },
    fail: (failure) => {
      const code = statusForCaller(failure);
      return [event({ error: { code, message: plainMessage(code) }, choices: [choiceOf("", "error")] })];
    },
    block: ({ status, message, metadata }, _accumulated, receipt) => [
      event({
        error: { code: status, message, metadata },
        choices: [choiceOf("", "content_filter")],
        ...serviceMetadataOf(receipt),
      }),
    ],
  };
}
