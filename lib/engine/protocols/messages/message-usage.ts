import { withCost, type ResponseHeader } from "../chat/stream-encoder";
import type { ChatUsage } from "../contracts/chat-result-contract";
import type { MessagesUsage } from "../contracts/messages-result-contract";
import type { Receipt } from "../observe";

const count = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Converts usage. Chat completions count cached tokens as part of the prompt, Messages beside it. */
export function toMessagesUsage(usage: ChatUsage | null): MessagesUsage {
  const { prompt_tokens = 0, completion_tokens = 0, prompt_tokens_details, completion_tokens_details } = usage ?? {};
  const read = count(prompt_tokens_details?.cached_tokens);
  const written = count(prompt_tokens_details?.["cache_write_tokens"]);
  return {
    input_tokens: Math.max(0, prompt_tokens - read - written),
    output_tokens: completion_tokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    cache_creation: null,
    output_tokens_details: { thinking_tokens: count(completion_tokens_details?.reasoning_tokens) },
    server_tool_use: null,
    service_tier: null,
    inference_geo: null,
  };
}

/** Returns the cost of an answer as fields of its usage. */
export function costFields(
  usage: ChatUsage | null,
  receipt: Receipt,
  heading: ResponseHeader,
): Pick<MessagesUsage, "cost" | "cost_details" | "is_byok"> {
  if (!usage) return {};
  const { cost, cost_details, is_byok } = withCost(usage, receipt, heading);
  return { cost, ...(cost_details && { cost_details }), is_byok };
}
