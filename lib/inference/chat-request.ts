import type { ChatMessage } from "./chat-messages-contract";
import type { ChatCompletionsBody } from "./contract";
import { endUserOf, knownFields, serviceTierOf } from "./upstream-fields";

/** What a chat completions upstream receives: the caller's body without the fields that are for us. */
export type ChatRequest = Partial<
  Pick<ChatCompletionsBody, (typeof DOCUMENTED)[number] | "reasoning" | "reasoning_effort">
> & {
  model: string;
  messages: ChatMessage[];
  stream: boolean;
  stream_options?: { include_usage: true };
};

/** Sent when the caller gives them. Named one by one: nothing else passes upstream. */
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

/** Sent to upstreams that are known to take them: others refuse the whole request for them. */
const OPTIONAL = [
  "metadata",
  "cache_control",
  "prompt_cache_options",
  "stop_server_tools_when",
  "safety_identifier",
] as const;

/** A request before its model is chosen. */
export type ChatDraft = Omit<ChatRequest, "model">;

/** The request for chat completions upstreams in a body; a streamed answer always reports its usage. */
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

/** Under the name that the upstream is known to take, else under the caller's. */
function tokenLimit({ max_tokens, max_completion_tokens }: ChatCompletionsBody, supported: readonly string[] | null) {
  const takes = (name: string) => supported?.includes(name) === true;
  const limit = max_completion_tokens ?? max_tokens;
  const isNew =
    takes("max_completion_tokens") !== takes("max_tokens")
      ? takes("max_completion_tokens")
      : typeof max_completion_tokens === "number";
  return isNew ? { max_completion_tokens: limit } : { max_tokens: limit };
}

/** An effort alone is said by the public API's own field; more than that, or an upstream that asks for it, by the object. */
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
