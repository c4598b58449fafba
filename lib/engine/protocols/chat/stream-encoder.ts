import type { ApiError } from "../../../platform/api-error";
import { SOURCE_FIELDS, type ResponseChunk } from "../response-chunk";
import type { ChatCompletion, ChatUsage } from "../contracts/chat-result-contract";
import { choiceIndexOf } from "./choice-index";
import { choicesOf, type AccumulatedResponse, type AccumulatedChoice } from "../accumulate";
import { asObject, asObjects, type JsonObject } from "../../../platform/json-values";
import type { StreamEncoder, Receipt } from "../observe";
import { SSE_DONE, sseEvent } from "../server-sent-events";
import { chatError, streamedError, type AttemptFailed } from "../upstream-failure";

/** Fields repeated in every chunk of an answer. */
export interface ResponseHeader {
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
  isByok: boolean;
  /** Estimated tokens of the prompt, for protocols that name them before the answer. */
  promptTokens?: number;
  /** Returns the text that precedes a choice's own text. */
  textBefore?: (choice: number) => string;
  /** True if the upstream speaks the caller's protocol, so that its answer passes as sent. */
  isSameProtocol?: boolean;
}

/** Adds the cost to the usage, if it is known. */
export const withCost = (
  usage: ChatUsage,
  { costUsd, costDetails }: Receipt,
  { isByok }: ResponseHeader,
): ChatUsage => ({
  ...usage,
  cost: costUsd ?? undefined,
  ...(costDetails && {
    cost_details: {
      upstream_inference_prompt_cost: costDetails.prompt,
      upstream_inference_completions_cost: costDetails.completion,
      ...costDetails.parts,
    },
  }),
  is_byok: isByok,
});
export const serviceMetadataOf = ({ serviceMetadata }: Receipt) =>
  serviceMetadata ? { service_metadata: { ...serviceMetadata } } : {};

/** Adds reasoning under its usual name, whatever the upstream calls it. */
function withReasoning(choice: ResponseChunk["choices"][number]): ResponseChunk["choices"][number] {
  const { reasoning, reasoning_content } = choice.delta;
  if (typeof reasoning_content !== "string" || reasoning !== undefined) return choice;
  return { ...choice, delta: { ...choice.delta, reasoning: reasoning_content } };
}

/** Fields of a chunk that are replaced, left out or encoded separately. */
const OWN: ReadonlySet<string> = new Set(["id", "object", "created", "model", "choices", "usage", ...SOURCE_FIELDS]);

/** Encodes the defined fields that aren't skipped, as a continuation of an object. */
function encodedFields(fields: Readonly<Record<string, unknown>>, skipped: ReadonlySet<string> = NONE): string {
  let text = "";
  for (const name in fields)
    if (!skipped.has(name) && fields[name] !== undefined)
      text += `,${JSON.stringify(name)}:${JSON.stringify(fields[name])}`;
  return text;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Encodes any answer as a chat completions stream. Chunks carry Signalbox's id and model, the first sets the role, and
 * the last reports usage, cost and service metadata: the upstream's last chunk if it has usage, else one without
 * choices.
 */
export function chatStreamEncoder(
  heading: ResponseHeader,
  options: { includesUsage: boolean; echo: object | null },
): StreamEncoder {
  const { id, created, model, isSameProtocol } = heading;
  const { includesUsage, echo } = options;
  const event = (fields: object) => sseEvent({ id, object: "chat.completion.chunk", created, model, ...fields });
  /** The beginning of each event; its other fields are encoded as they arrive. */
  const head = sseEvent({ id, object: "chat.completion.chunk", created, model }).slice(0, -"}\n\n".length);
  /** Choices that have begun, by index: true when they have finished. */
  const begun = new Map<number, boolean>();
  /** The upstream's chunk with the final usage, held until the cost is known. */
  let last: ResponseChunk | null = null;
  const shown = (given: ResponseChunk["choices"][number], lists: ResponseChunk["contentLists"]) => {
    const choice = withReasoning(given);
    const list = lists?.get(choice.index);
    const hasRole = begun.has(choice.index) || "role" in choice.delta;
    begun.set(choice.index, begun.get(choice.index) === true || Boolean(choice.finish_reason));
    if (hasRole && choice.finish_reason !== undefined && !list) return choice;
    const role = hasRole ? {} : { role: "assistant" };
    return { finish_reason: null, ...choice, delta: { ...role, ...choice.delta, ...(list && { content: list }) } };
  };
  const encode = (chunk: ResponseChunk, fields: Pick<ResponseChunk, "usage">): string[] => {
    const { choices, contentLists } = chunk;
    const [rest, more] = [encodedFields(chunk, OWN), encodedFields(fields)];
    if (choices.length === 0 && rest === "" && more === "") return [];
    const encoded = JSON.stringify(choices.map((choice) => shown(choice, contentLists)));
    return [`${head}${rest},"choices":${encoded}${more}}\n\n`];
  };
  /** Releases the held chunk if it wasn't the last one. */
  const released = (): string[] => {
    const waiting = last;
    last = null;
    return waiting ? encode(waiting, { usage: waiting.usage }) : [];
  };
  const isEnd = ({ choices }: ResponseChunk): boolean => {
    const ended = new Set(choices.filter(({ finish_reason }) => finish_reason).map(({ index }) => index));
    return (
      choices.every(({ index }) => ended.has(index)) &&
      [...begun].every(([index, isFinished]) => isFinished || ended.has(index))
    );
  };
  // Clients read an event with choices as a chunk, whatever else it has.
  const failed = (failure: AttemptFailed | ApiError, receipt: Receipt) =>
    event({ error: chatError(streamedError(failure)), ...serviceMetadataOf(receipt) });
  return {
    start: () => (echo ? [event({ choices: [], debug: { echo_upstream_body: echo } })] : []),
    chunk: (chunk) => {
      const { choices, usage } = chunk;
      if (choices.length === 0 && usage && !includesUsage) return [];
      const before = released();
      // Other protocols have no chunk for usage: it follows the answer.
      const isHeld = usage && (choices.length === 0 || (isSameProtocol && isEnd(chunk)));
      if (includesUsage && isHeld) {
        last = chunk;
        return before;
      }
      return [...before, ...encode(chunk, includesUsage && isSameProtocol ? { usage } : {})];
    },
    end: ({ usage }, receipt) => {
      const shownUsage = includesUsage && usage ? { usage: withCost(usage, receipt, heading) } : {};
      const fields = { ...shownUsage, ...serviceMetadataOf(receipt) };
      return [...encode(last ?? { choices: [] }, fields), SSE_DONE];
    },
    fail: (failure, _accumulated, receipt) => [...released(), failed(failure, receipt)],
    block: (error, _accumulated, receipt) => [
      ...released(),
      failed(error, receipt),
      event({ choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] }),
    ],
  };
}

/** Builds a complete chat completion. The completion of an upstream that speaks Chat Completions passes as sent. */
export function chatCompletion(
  heading: ResponseHeader,
  accumulated: AccumulatedResponse,
  receipt: Receipt,
): ChatCompletion {
  const { id, created, model } = heading;
  const { envelope, serviceTier, usage, contentLists, sentCompletion } = accumulated;
  const { usage: _, ...sent } = sentCompletion ?? { ...envelope, ...(serviceTier && { service_tier: serviceTier }) };
  const choices = choicesOf(accumulated);
  return {
    system_fingerprint: null,
    ...sent,
    id,
    object: "chat.completion",
    created,
    model,
    choices: sentCompletion
      ? passedChoices(asObjects(sentCompletion["choices"]), new Map(choices))
      : choices.map(([index, choice]) => wholeChoice(index, choice, contentLists.get(index))),
    ...(usage && { usage: withCost(usage, receipt, heading) }),
    ...serviceMetadataOf(receipt),
  };
}

type WholeChoice = ChatCompletion["choices"][number];

/** The choices as sent, with the fields that clients rely on. */
const passedChoices = (sent: readonly JsonObject[], known: ReadonlyMap<number, AccumulatedChoice>): WholeChoice[] =>
  sent.flatMap((given) => {
    const index = choiceIndexOf(given);
    const choice = known.get(index);
    if (!choice) return [];
    const { message, ...about } = wholeChoice(index, choice, undefined);
    const { content, refusal, reasoning } = message;
    const said = asObject(given["message"]);
    const passed = { content, refusal, ...(reasoning !== undefined && { reasoning }), ...said, role: "assistant" };
    return [
      { ...about, ...given, index, finish_reason: choice.finishReason, message: passed as WholeChoice["message"] },
    ];
  });

function wholeChoice(index: number, choice: AccumulatedChoice, list: readonly unknown[] | undefined): WholeChoice {
  const { content, emptyContent, reasoning, reasoningContent, refusal, toolCalls, lists, message, about } = choice;
  const { logprobs, refusalLogprobs, ...more } = lists;
  const withoutContent = emptyContent === undefined && (toolCalls.length > 0 || refusal !== "") ? null : emptyContent;
  return {
    ...about,
    index,
    message: {
      role: "assistant",
      content: list ? asObjects(list) : content === "" && withoutContent === null ? null : content,
      refusal: refusal === "" ? null : refusal,
      ...(reasoning !== "" && { reasoning }),
      ...(reasoningContent !== "" && { reasoning_content: reasoningContent }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      ...more,
      ...message,
    },
    finish_reason: choice.finishReason,
    native_finish_reason: choice.nativeFinishReason,
    logprobs: (logprobs ?? refusalLogprobs) ? { content: logprobs ?? null, refusal: refusalLogprobs ?? null } : null,
  };
}
