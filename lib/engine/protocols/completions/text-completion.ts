import type { TextCompletion } from "../../../gateway/completions-contract";
import { chatCompletion, serviceMetadataOf, withCost, type AnswerHeader } from "../chat/stream-encoder";
import { choicesOf, type AccumulatedAnswer } from "../accumulate";
import type { ChatUsage } from "../contracts/chat-result-contract";
import type { Receipt, StreamEncoder } from "../observe";
import { SSE_DONE, sseEvent } from "../server-sent-events";
import { plainMessage, statusForCaller } from "../upstream-failure";
import { summedUsage } from "./summed-usage";

const choiceOf = (text: string, finish_reason: string | null, index: number) => ({
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

type EventHeader = Pick<TextCompletion, "id" | "created" | "model">;

/** The last event of a stream. */
export interface TextEnd extends EventHeader {
  usage?: ChatUsage | undefined;
  service_metadata?: object;
}

/** Adds up what the answers to several prompts end with. */
function joinedEnd(ends: readonly { usage?: ChatUsage | undefined; service_metadata?: unknown }[]) {
  const usage = summedUsage(ends.map((end) => end.usage));
  const generations = ends.flatMap(({ service_metadata }) => service_metadata ?? []);
  return { ...(usage && { usage }), ...(generations.length > 0 && { service_metadata: { generations } }) };
}

/** Joins the completions of several prompts: `n` choices of each, in the order of the prompts. */
export function joinedCompletions(first: TextCompletion, others: readonly TextCompletion[], n: number): TextCompletion {
  const { id, object, created, model } = first;
  const all = [first, ...others];
  const choices = all.flatMap((one, prompt) =>
    one.choices.map((choice) => ({ ...choice, index: prompt * n + choice.index })),
  );
  return { id, object, created, model, choices, ...joinedEnd(all) };
}

const eventOf = ({ id, created, model }: EventHeader, fields: object) =>
  sseEvent({ id, object: "text_completion", created, model, ...fields });

const lastEvents = (heading: EventHeader, fields: object): string[] => [
  ...(Object.keys(fields).length > 0 ? [eventOf(heading, { choices: [], ...fields })] : []),
  SSE_DONE,
];

/** The last events of a stream of the answers to several prompts. */
export const joinedLastEvents = (first: TextEnd, others: readonly TextEnd[]): string[] =>
  lastEvents(first, joinedEnd([first, ...others]));

interface TextStreamOptions {
  includesUsage: boolean;
  /** The index of the first choice. */
  firstIndex?: number;
  /** For one of several prompts: called instead of writing the last events. */
  onEnd?: (end: TextEnd) => void;
}

/** Encodes any answer as a stream of text completions. */
export function textStreamEncoder(
  heading: AnswerHeader,
  { includesUsage, firstIndex = 0, onEnd }: TextStreamOptions,
): StreamEncoder {
  const event = (fields: object) => eventOf(heading, fields);
  return {
    start: () => [],
    chunk: ({ choices }) =>
      choices
        .filter(({ delta, finish_reason }) => delta.content || finish_reason)
        .map(({ index, delta, finish_reason = null }) =>
          event({ choices: [choiceOf(delta.content ?? "", finish_reason, firstIndex + index)] }),
        ),
    end: ({ usage }, receipt) => {
      const fields = {
        ...(includesUsage && usage && { usage: withCost(usage, receipt, heading) }),
        ...serviceMetadataOf(receipt),
      };
      if (!onEnd) return lastEvents(heading, fields);
      const { id, created, model } = heading;
      onEnd({ id, created, model, ...fields });
      return [];
    },
    fail: (failure) => {
      const code = statusForCaller(failure);
      return [event({ error: { code, message: plainMessage(code) }, choices: [choiceOf("", "error", firstIndex)] })];
    },
    block: ({ status, message, metadata }, _accumulated, receipt) => [
      event({
        error: { code: status, message, metadata },
        choices: [choiceOf("", "content_filter", firstIndex)],
        ...serviceMetadataOf(receipt),
      }),
    ],
  };
}
