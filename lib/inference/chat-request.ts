import type { ChatMessage } from "./chat-messages-contract";
import type { ChatCompletionsBody } from "./contract";

/** What an upstream receives: a chat completions body without the fields that are for us. */
export type ChatRequest = Pick<ChatCompletionsBody, (typeof FORWARDED)[number]> & {
  model: string;
  messages: ChatMessage[];
  stream: boolean;
  stream_options?: { include_usage: true };
};

/** Named one by one: nothing else passes upstream. */
const FORWARDED = [
  "messages",
  "max_tokens",
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
  "reasoning",
  "modalities",
  "image_config",
  "prompt_cache_key",
] as const satisfies readonly (keyof ChatCompletionsBody)[];

/** A request before its model is chosen. */
export type ChatDraft = Omit<ChatRequest, "model">;

/** The request for upstreams in a chat completions body; a streamed answer always reports its usage. */
export function toChatDraft(body: ChatCompletionsBody): ChatDraft {
  const { max_completion_tokens, reasoning_effort, stream } = body;
  const given: ChatCompletionsBody = {
    ...body,
    max_tokens: max_completion_tokens ?? body.max_tokens,
    reasoning: body.reasoning ?? (reasoning_effort ? { effort: reasoning_effort } : undefined),
  };
  const forwarded = FORWARDED.filter((field) => given[field] !== undefined && given[field] !== null);
  return {
    ...(Object.fromEntries(forwarded.map((field) => [field, given[field]])) as Pick<ChatCompletionsBody, (typeof FORWARDED)[number]>),
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
  };
}

/** The words of a message's content: its text parts, one a line. */
export function textOf(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : [])).join("\n");
}

