import type { TextCompletion } from "../contracts/text-completion-contract";
import type { ApiError } from "../../../platform/api-error";
import { chatCompletion, serviceMetadataOf, withCost, type ResponseHeader } from "../chat/stream-encoder";
import { choicesOf, type AccumulatedResponse, type AccumulatedChoice } from "../accumulate";
import type { ResponseChunk } from "../response-chunk";
import { asObject, asObjects } from "../../../platform/json-values";
import type { ChatUsage } from "../contracts/chat-result-contract";
import type { Receipt, StreamEncoder } from "../observe";
import { SSE_DONE, sseEvent } from "../server-sent-events";
import { chatError, streamedError, type AttemptFailed } from "../upstream-failure";
import { charactersOf, meanLogprob, toLegacyLogprobs, type LegacyLogprobs } from "./legacy-logprobs";
import { summedUsage } from "./summed-usage";

/** Fields of a text completion beside the answer's text. */
export interface Shape {
  /** Number of alternatives of each token; null without log probabilities. */
  logprobs: number | null;
}

const choiceOf = (
  text: string,
  finish_reason: string | null,
  index: number,
  logprobs: LegacyLogprobs | null = null,
) => ({ index, text, finish_reason, logprobs });

/** Builds a complete text completion of the best candidates, `most` of them. */
export function textCompletion(
  heading: ResponseHeader,
  accumulated: AccumulatedResponse,
  receipt: Receipt,
  { logprobs, most }: Shape & { most: number },
): TextCompletion {
  const { id, created, model, usage } = chatCompletion(heading, accumulated, receipt);
  const candidates = choicesOf(accumulated);
  const meanOf = ([, { lists }]: readonly [number, AccumulatedChoice]) => meanLogprob(lists.logprobs);
  const best =
    candidates.length > most
      ? candidates.toSorted((a, b) => compared(meanOf(b), meanOf(a))).slice(0, most)
      : candidates;
  return {
    id,
    object: "text_completion",
    created,
    model,
    choices: best.map(([candidate, { content, finishReason, lists }], index) => {
      const tokens = logprobs === null || !lists.logprobs ? null : toLegacyLogprobs(lists.logprobs, logprobs);
      return choiceOf(textBefore(heading, candidate) + content, finishReason, index, tokens);
    }),
    ...(usage && { usage }),
    ...serviceMetadataOf(receipt),
  };
}

const textBefore = (heading: ResponseHeader, choice: number): string => heading.textBefore?.(choice) ?? "";

/** Compares numbers that may be infinite. */
const compared = (a: number, b: number): number => (a === b ? 0 : a - b);

type EventHeader = Pick<TextCompletion, "id" | "created" | "model">;

/** The last event of a stream. */
export interface TextEnd extends EventHeader {
  usage?: ChatUsage | undefined;
  service_metadata?: object;
}

/** Adds up the ends of the answers to several prompts. */
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

/** Returns the last events of a stream with the answers to several prompts. */
export const joinedLastEvents = (first: TextEnd, others: readonly TextEnd[]): string[] =>
  lastEvents(first, joinedEnd([first, ...others]));

interface TextStreamOptions {
  includesUsage: boolean;
  /** The index of the first choice. */
  firstIndex?: number;
  /** Called for one of several prompts instead of writing the last events. */
  onEnd?: (end: TextEnd) => void;
}

/** Encodes any answer as a stream of text completions. */
export function textStreamEncoder(
  heading: ResponseHeader,
  { logprobs }: Shape,
  { includesUsage, firstIndex = 0, onEnd }: TextStreamOptions,
): StreamEncoder {
  const event = (fields: object) => eventOf(heading, fields);
  /** Number of characters so far, by choice. */
  const offsets = new Map<number, number>();
  const shown = ({ index, delta, finish_reason = null, logprobs: said }: ResponseChunk["choices"][number]) => {
    const offset = offsets.get(index);
    const tokens = logprobs === null ? [] : asObjects(asObject(said)?.["content"]);
    offsets.set(index, (offset ?? 0) + charactersOf(tokens));
    const text = (offset === undefined ? textBefore(heading, index) : "") + (delta.content ?? "");
    const legacy = tokens.length > 0 ? toLegacyLogprobs(tokens, logprobs ?? 0, offset) : null;
    return event({ choices: [choiceOf(text, finish_reason, firstIndex + index, legacy)] });
  };
  const failed = (failure: AttemptFailed | ApiError, receipt: Receipt) =>
    event({ error: chatError(streamedError(failure)), ...serviceMetadataOf(receipt) });
  return {
    start: () => [],
    chunk: ({ choices }) =>
      choices
        .filter(
          ({ delta, finish_reason, logprobs: said }) => delta.content || finish_reason || (logprobs !== null && said),
        )
        .map(shown),
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
    fail: (failure, _accumulated, receipt) => [failed(failure, receipt)],
    block: (error, _accumulated, receipt) => [
      failed(error, receipt),
      event({ choices: [choiceOf("", "content_filter", firstIndex)] }),
    ],
  };
}
