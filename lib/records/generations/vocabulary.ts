import { OBSERVED_ACTIONS } from "../../engine/policy/vocabulary";
export const GENERATION_STATUSES = ["succeeded", "failed", "blocked", "cancelled"] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];
/** Actions of a rule on a matching request. `error`: an external check returned no verdict. */
export const DECISION_ACTIONS = ["block", "redact", "flag", "exclude", "allow", "error", ...OBSERVED_ACTIONS] as const;

/** Fields that sort the log; unknown values come last in both directions. */
export const GENERATION_SORTS = ["created_at", "cost", "tokens", "duration"] as const;
export type GenerationSort = (typeof GENERATION_SORTS)[number];

/** Predefined ranges in days; each ends now. */
export const RANGE_DAYS = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const;
export type Range = keyof typeof RANGE_DAYS;
export const RANGES = ["24h", "7d", "30d", "90d"] as const satisfies readonly Range[];
