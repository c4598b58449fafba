import type { AnswerChunk } from "../answer-chunk";
import type { ChatCompletion, ChatUsage } from "../contracts/chat-result-contract";
import type { AccumulatedAnswer } from "../accumulate";
import type { StreamEncoder, Receipt } from "../observe";
import { SSE_DONE, sseEvent } from "../server-sent-events";
import { statusForCaller } from "../upstream-failure";

/** Fields repeated in every chunk of an answer. */
export interface AnswerHeader {
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
  isByok: boolean;
}

const withCost = (usage: ChatUsage, { costUsd, costDetails }: Receipt, { isByok }: AnswerHeader): ChatUsage => ({
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
const serviceMetadataOf = ({ serviceMetadata }: Receipt) =>
  serviceMetadata ? { service_metadata: { ...serviceMetadata } } : {};

/** Fields of a chunk that are replaced, left out or encoded separately. */
const OWN: ReadonlySet<string> = new Set(["id", "object", "created", "model", "choices", "usage", "responseEvent"]);

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
  let hasRole = false;
  const choiceWithRole = (choice: AnswerChunk["choices"][number]) => {
    if (hasRole && choice.finish_reason !== undefined && !("role" in choice.delta)) return choice;
    const { role: _, ...delta } = choice.delta;
    const role = hasRole ? {} : { role: "assistant" };
    hasRole = true;
    return { finish_reason: null, ...choice, delta: { ...role, ...delta } };
  };
  return {
    start: () => (options.echo ? [event({ choices: [], debug: { echo_upstream_body: options.echo } })] : []),
    chunk: (chunk) =>
      chunk.choices.length > 0
        ? [`${head}${restOf(chunk)},"choices":${JSON.stringify(chunk.choices.map(choiceWithRole))}}\n\n`]
        : [],
    end: ({ usage }, receipt) => {
      const shownUsage = options.includesUsage && usage ? { usage: withCost(usage, receipt, heading) } : {};
      const fields = { ...shownUsage, ...serviceMetadataOf(receipt) };
      return [...(Object.keys(fields).length > 0 ? [event({ choices: [], ...fields })] : []), SSE_DONE];
    },
    fail: (failure) => [
      event({
        error: { code: statusForCaller(failure), message: "Provider returned error" },
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
      }),
    ],
    block: ({ status, message, metadata }, _accumulated, receipt) => [
      event({
        error: { code: status, message, metadata },
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "content_filter" }],
        ...serviceMetadataOf(receipt),
      }),
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
  const { content, reasoning, refusal, toolCalls, lists, finishReason, nativeFinishReason, serviceTier, usage } =
    accumulated;
  const { logprobs, ...more } = lists;
  const message = {
    role: "assistant" as const,
    content: content === "" && (toolCalls.length > 0 || refusal !== "") ? null : content,
    refusal: refusal === "" ? null : refusal,
    ...(reasoning !== "" && { reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    ...more,
  };
  return {
    id,
    object: "chat.completion",
    created,
    model,
    system_fingerprint: null,
    choices: [
      {
        index: 0,
        message,
        finish_reason: finishReason,
        native_finish_reason: nativeFinishReason,
        logprobs: logprobs ? { content: logprobs, refusal: null } : null,
      },
    ],
    ...(serviceTier && { service_tier: serviceTier }),
    ...(usage && { usage: withCost(usage, receipt, heading) }),
    ...serviceMetadataOf(receipt),
  };
}
