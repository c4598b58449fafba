/** Protocols that callers speak. */
export const PROTOCOLS = ["responses", "chat_completions", "messages"] as const;
/** APIs of recorded requests: one per protocol, and APIs whose texts are treated as user messages of a chat. */
export const API_TYPES = [...PROTOCOLS, "completions", "embeddings", "moderations"] as const;
export type ApiType = (typeof API_TYPES)[number];

/** APIs that upstreams speak. */
export const UPSTREAM_PROTOCOLS = [
  "responses",
  "chat_completions",
  "messages",
  "generate_content",
  "converse",
] as const;
export type UpstreamProtocol = (typeof UPSTREAM_PROTOCOLS)[number];

/**
 * Fields of a Responses object that Signalbox sets, from the request and its own record. Every other field of a Responses
 * upstream's answer passes.
 */
export const OWN_OF_RESPONSE: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created_at",
  "completed_at",
  "status",
  "error",
  "model",
  "output_text",
  "usage",
  "instructions",
  "metadata",
  "previous_response_id",
  "conversation",
  "prompt",
  "prompt_cache_key",
  "safety_identifier",
  "store",
  "background",
  "text",
  "tool_choice",
  "tools",
  "user",
  "service_metadata",
]);

/** Settings of a Responses object that are never null, with their defaults. */
export const EFFECTIVE_SETTINGS = {
  temperature: 1,
  top_p: 1,
  top_logprobs: 0,
  frequency_penalty: 0,
  presence_penalty: 0,
  service_tier: "default",
  truncation: "disabled",
} as const;

/** Fields of a Messages answer that Signalbox sets. */
export const OWN_OF_MESSAGE: ReadonlySet<string> = new Set(["id", "model", "service_metadata"]);

/** Fields of a chat completion and of its chunks that Signalbox sets. */
export const OWN_OF_COMPLETION: ReadonlySet<string> = new Set(["id", "object", "created", "model", "service_metadata"]);
