/** Predefined ranges in days; each ends now. */
export const RANGE_DAYS = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const;
export type Range = keyof typeof RANGE_DAYS;
export const RANGES = ["24h", "7d", "30d", "90d"] as const satisfies readonly Range[];

/** Maximum range of an overview. */
export const MAX_DAYS = 400;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Dimensions of the spend breakdown. */
export const BREAKDOWNS = ["model", "key", "member", "provider"] as const;
