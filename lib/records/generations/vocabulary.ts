export const GENERATION_STATUSES = ["succeeded", "failed", "blocked", "cancelled"] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];
/** Actions of a rule on a matching request. `error`: an external check returned no verdict. */
export const DECISION_ACTIONS = ["block", "redact", "flag", "exclude", "allow", "error"] as const;
