export const GENERATION_STATUSES = ["succeeded", "failed", "blocked", "cancelled"] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];
/** What a rule does to a request that it concerns. */
export const DECISION_ACTIONS = ["block", "redact", "flag", "exclude", "allow"] as const;
export const PROTOCOLS = ["responses", "chat_completions"] as const;
