export const GENERATION_STATUSES = ["succeeded", "failed", "blocked", "cancelled"] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];
/** Actions of a rule on a matching request; `error`: an external check gave no verdict. */
export const DECISION_ACTIONS = ["block", "redact", "flag", "exclude", "allow", "error"] as const;
export const PROTOCOLS = ["responses", "chat_completions", "messages"] as const;
/** APIs of recorded requests: one for each protocol, and those whose texts are treated as user messages of a chat. */
export const API_TYPES = [...PROTOCOLS, "completions", "embeddings", "moderations"] as const;
export type ApiType = (typeof API_TYPES)[number];
