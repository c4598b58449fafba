import type { ApiError } from "../../../platform/api-error";
import { SOURCE_FIELDS, type AnswerChunk } from "../answer-chunk";
import type { ChatCompletion, ChatUsage } from "../contracts/chat-result-contract";
import { choicesOf, type AccumulatedAnswer, type AccumulatedChoice } from "../accumulate";
import type { JsonObject } from "../../../platform/json-values";
import type { StreamEncoder, Receipt } from "../observe";
import { SSE_DONE, sseEvent } from "../server-sent-events";
import { chatError, streamedError, type AttemptFailed } from "../upstream-failure";

/** Fields repeated in every chunk of an answer. */
export interface AnswerHeader {
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
  isByok: boolean;
  /** Estimated tokens of the prompt, for protocols that name them before the answer. */
  promptTokens?: number;
  /** Returns the text that is shown before a choice's own. */
  textBefore?: (choice: number) => string;
}

/** The usage with what it costs. */
export const withCost = (usage: ChatUsage, { costUsd, costDetails }: Receipt, { isByok }: AnswerHeader): ChatUsage => ({
  ...usage,
  cost: costUsd,
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

/** Gives reasoning its usual name, too, whatever the upstream calls it. */
function withReasoning(choice: AnswerChunk["choices"][number]): AnswerChunk["choices"][number] {
  const { reasoning, reasoning_content } = choice.delta;
  if (typeof reasoning_content !== "string" || reasoning !== undefined) return choice;
  return { ...choice, delta: { ...choice.delta, reasoning: reasoning_content } };
}

/** Fields of a chunk that are replaced, left out or encoded separately. */
const OWN: ReadonlySet<string> = new Set(["id", "object", "created", "model", "choices", "usage", ...SOURCE_FIELDS]);

/** Encodes the other fields that an upstream sends with each chunk. */
function restOf(chunk: AnswerChunk): string {
  let text = "";
  for (const name in chunk)
    if (!OWN.has(name) && chunk[name] !== undefined) text += `,${JSON.stringify(name)}:${JSON.stringify(chunk[name])}`;
  return text;
}

/**
 * Encodes any answer as a chat completions stream: chunks carry our id and model, the first sets the role, and the last
 * reports usage, cost and service metadata.
 */
export function chatStreamEncoder(
  heading: AnswerHeader,
  options: { includesUsage: boolean; echo: object | null },
): StreamEncoder {
  const { id, created, model } = heading;
  const event = (fields: object) => sseEvent({ id, object: "chat.completion.chunk", created, model, ...fields });
  /** The beginning of each event, whose other fields are encoded as they come. */
  const head = sseEvent({ id, object: "chat.completion.chunk", created, model }).slice(0, -"}\n\n".length);
  /** Indexes of the choices that have begun. */
  const begun = new Set<number>();
  const shown = (given: AnswerChunk["choices"][number], lists: AnswerChunk["contentLists"]) => {
    const choice = withReasoning(given);
    const list = lists?.get(choice.index);
    const hasRole = begun.has(choice.index);
    if (hasRole && choice.finish_reason !== undefined && !("role" in choice.delta) && !list) return choice;
    const { role: _, ...delta } = choice.delta;
    const role = hasRole ? {} : { role: "assistant" };
    begun.add(choice.index);
    return { finish_reason: null, ...choice, delta: { ...role, ...delta, ...(list && { content: list }) } };
  };
  // Clients take an event with choices for a chunk, whatever else it has.
  const failed = (failure: AttemptFailed | ApiError, receipt: Receipt) =>
    event({ error: chatError(streamedError(failure)), ...serviceMetadataOf(receipt) });
  return {
    start: () => (options.echo ? [event({ choices: [], debug: { echo_upstream_body: options.echo } })] : []),
    chunk: (chunk) => {
      const { choices, usage, contentLists } = chunk;
      // Usage is sent with its cost, at the end.
      if (choices.length === 0 && usage) return [];
      const rest = restOf(chunk);
      if (choices.length === 0 && rest === "") return [];
      return [`${head}${rest},"choices":${JSON.stringify(choices.map((choice) => shown(choice, contentLists)))}}\n\n`];
    },
    end: ({ usage }, receipt) => {
      const shownUsage = options.includesUsage && usage ? { usage: withCost(usage, receipt, heading) } : {};
      const fields = { ...shownUsage, ...serviceMetadataOf(receipt) };
      return [...(Object.keys(fields).length > 0 ? [event({ choices: [], ...fields })] : []), SSE_DONE];
    },
    fail: (failure, _accumulated, receipt) => [failed(failure, receipt)],
    block: (error, _accumulated, receipt) => [
      failed(error, receipt),
      event({ choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] }),
    ],
  };
}

/** Builds a complete chat completion. */
export function chatCompletion(
  heading: AnswerHeader,
  accumulated: AccumulatedAnswer,
  receipt: Receipt,
): ChatCompletion {
  const { id, created, model } = heading;
  const { envelope, serviceTier, usage, contentLists } = accumulated;
  return {
    system_fingerprint: null,
    ...envelope,
    id,
    object: "chat.completion",
    created,
    model,
    choices: choicesOf(accumulated).map(([index, choice]) => wholeChoice(index, choice, contentLists.get(index))),
    ...(serviceTier && { service_tier: serviceTier }),
    ...(usage && { usage: withCost(usage, receipt, heading) }),
    ...serviceMetadataOf(receipt),
  };
}

function wholeChoice(
  index: number,
  choice: AccumulatedChoice,
  list: readonly unknown[] | undefined,
): ChatCompletion["choices"][number] {
  const { content, isContentNull, reasoning, reasoningContent, refusal, toolCalls, lists, message, about } = choice;
  const { logprobs, refusalLogprobs, ...more } = lists;
  const isEmpty = content === "" && (isContentNull || toolCalls.length > 0 || refusal !== "");
  return {
    ...about,
    index,
    message: {
      role: "assistant",
      content: list ? ([...list] as JsonObject[]) : isEmpty ? null : content,
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
