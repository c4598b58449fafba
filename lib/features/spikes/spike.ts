import { count } from "../../platform/count";
const MINUTE_MS = 60_000;
/** Length of the current window. */
export const WINDOW_MS = 5 * MINUTE_MS;
/** Length of the baseline before it. */
export const BASELINE_MS = 24 * 60 * MINUTE_MS;
const FEWEST_BLOCKED = 10;
const TIMES_USUAL = 3;

/** Number of requests blocked by a guardrail. */
export interface Blocked {
  /** In the current window. */
  recent: number;
  /** In the baseline. */
  before: number;
}

/** Returns the average per window in the baseline. */
export const baselineOf = ({ before }: Blocked): number => (before * WINDOW_MS) / BASELINE_MS;

/** True for at least ten blocked requests, and three times the baseline. */
export const isSpike = (blocked: Blocked): boolean =>
  blocked.recent >= FEWEST_BLOCKED && blocked.recent >= TIMES_USUAL * baselineOf(blocked);

/** True while many requests are blocked, whatever the baseline. */
export const isOngoing = ({ recent }: Blocked): boolean => recent >= FEWEST_BLOCKED;

/** Formats an alert: "Production blocked 42 requests in 5 minutes (baseline: 1.5)." */
export const spikeText = (guardrailName: string, blocked: Blocked): string =>
  `${guardrailName} blocked ${count(blocked.recent, "request")} in ${WINDOW_MS / MINUTE_MS} minutes (baseline: ${Number(baselineOf(blocked).toFixed(1))}).`;
