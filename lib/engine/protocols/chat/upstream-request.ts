import type { ChatMessage } from "../contracts/chat-messages-contract";
import type { ChatCompletionsBody } from "../../../gateway/contract";
import { endUserOf, knownFields, serviceTierOf } from "../upstream-fields";

/** The request body sent to a chat completions upstream: the caller's body without Signalbox's own fields. */
export type ChatRequest = Partial<
  Pick<ChatCompletionsBody, (typeof DOCUMENTED)[number] | "reasoning" | "reasoning_effort">
> & {
  model: string;
  messages: ChatMessage[];
  stream: boolean;
  stream_options?: { include_usage: true };
};

/** Fields forwarded when the caller sets them. This is an allow list: nothing else is forwarded. */
const DOCUMENTED = [
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "top_k",
  "top_a",
  "min_p",
  "frequency_penalty",
  "presence_penalty",
  "repetition_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "seed",
  "stop",
  "prediction",
  "response_format",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "modalities",
  "image_config",
  "prompt_cache_key",
  "service_tier",
  "verbosity",
] as const satisfies readonly (keyof ChatCompletionsBody)[];

/** Fields forwarded only to upstreams known to support them: others reject the whole request. */
const OPTIONAL = [
  "metadata",
  "cache_control",
  "prompt_cache_options",
  "stop_server_tools_when",
  "safety_identifier",
] as const;

/** A request before its model is chosen. */
export type ChatDraft = Omit<ChatRequest, "model">;

/** Builds the request for chat completions upstreams; streamed answers always report usage. */
export function toChatDraft(body: ChatCompletionsBody, supported: readonly string[] | null = null): ChatDraft {
  const { max_tokens, max_completion_tokens, reasoning: _, reasoning_effort: __, stream, ...rest } = body;
  const given = {
    ...rest,
    ...tokenLimit(body, supported),
    service_tier: serviceTierOf(body),
    safety_identifier: endUserOf(body),
  };
  return {
    ...(knownFields(given, DOCUMENTED, OPTIONAL, supported) as Pick<ChatRequest, "messages">),
    ...reasoningFields(body, supported),
    stream,
    ...(stream && { stream_options: { include_usage: true as const } }),
  };
}

/** Uses the field name the upstream is known to support, else the caller's. */
function tokenLimit({ max_tokens, max_completion_tokens }: ChatCompletionsBody, supported: readonly string[] | null) {
  const takes = (name: string) => supported?.includes(name) === true;
  const limit = max_completion_tokens ?? max_tokens;
  const isNew =
    takes("max_completion_tokens") !== takes("max_tokens")
      ? takes("max_completion_tokens")
      : typeof max_completion_tokens === "number";
  return isNew ? { max_completion_tokens: limit } : { max_tokens: limit };
}

/**
 * Sends an effort alone as `reasoning_effort`; anything more, or an upstream that requires it, uses the `reasoning`
 * object.
 */
function reasoningFields(
  { reasoning, reasoning_effort }: ChatCompletionsBody,
  supported: readonly string[] | null,
): Pick<ChatRequest, "reasoning" | "reasoning_effort"> {
  const effort = reasoning?.effort ?? (reasoning?.enabled === false ? "none" : reasoning_effort);
  const isMore = typeof reasoning?.max_tokens === "number" || (reasoning?.enabled === true && !effort);
  const takesObject = supported?.includes("reasoning") === true && !supported.includes("reasoning_effort");
  if (isMore || (takesObject && (reasoning || effort)))
    return { reasoning: { ...reasoning, ...(effort && { effort }) } };
  return effort ? { reasoning_effort: effort } : {};
}
