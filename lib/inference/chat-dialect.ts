import type { ChatChunk, ChatCompletion, ChatUsage } from "./chat-result-contract";
import type { ChatRequest } from "./chat-request";
import type { Gathered } from "./gather";
import type { Dialect, Receipt } from "./observe";
import { SSE_DONE, sseEvent } from "./server-sent-events";
import { statusForCaller } from "./upstream";

/** What every part of an answer repeats. */
export interface Heading {
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
  isByok: boolean;
}

const withCost = (usage: ChatUsage, { costUsd }: Receipt, { isByok }: Heading): ChatUsage => ({ ...usage, cost: costUsd, is_byok: isByok });

/** Chat completions to chat completions: chunks pass under our id and model; usage comes last, with the cost. */
export function chatDialect(heading: Heading, options: { includesUsage: boolean; echo: ChatRequest | null }): Dialect {
  const { id, created, model } = heading;
  const event = (fields: object) => sseEvent({ id, object: "chat.completion.chunk", created, model, ...fields });
  return {
    start: () => (options.echo ? [event({ choices: [], debug: { echo_upstream_body: options.echo } })] : []),
    chunk: ({ usage: _, ...chunk }: ChatChunk) => (chunk.choices.length > 0 ? [event({ ...chunk, id, created, model })] : []),
    end: ({ usage }, receipt) => [
      ...(options.includesUsage && usage ? [event({ choices: [], usage: withCost(usage, receipt, heading) })] : []),
      SSE_DONE,
    ],
    fail: ({ status }) => [
      event({
        error: { code: statusForCaller(status), message: "Provider returned error" },
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
      }),
    ],
  };
}

/** The whole answer of chat completions. */
export function chatCompletion(heading: Heading, gathered: Gathered, receipt: Receipt): ChatCompletion {
  const { id, created, model } = heading;
  const { content, reasoning, refusal, toolCalls, finishReason, nativeFinishReason, usage } = gathered;
  const message = {
    role: "assistant" as const,
    content: content === "" && toolCalls.length > 0 ? null : content,
    refusal: refusal === "" ? null : refusal,
    ...(reasoning !== "" && { reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
  return {
    id,
    object: "chat.completion",
    created,
    model,
    system_fingerprint: null,
    choices: [{ index: 0, message, finish_reason: finishReason, native_finish_reason: nativeFinishReason, logprobs: null }],
    ...(usage && { usage: withCost(usage, receipt, heading) }),
  };
}
