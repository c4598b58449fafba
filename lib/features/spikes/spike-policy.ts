const MINUTE_MS = 60_000;
/** What counts as now. */
export const WINDOW_MS = 5 * MINUTE_MS;
/** What counts as usual: so long before it. */
export const BASELINE_MS = 24 * 60 * MINUTE_MS;
const FEWEST_BLOCKED = 10;
const TIMES_USUAL = 3;

/** What a guardrail blocked. */
export interface Blocked {
  /** In the last window. */
  recent: number;
  /** In the baseline before it. */
  before: number;
}

/** How much a window of the baseline holds on average. */
export const baselineOf = ({ before }: Blocked): number => (before * WINDOW_MS) / BASELINE_MS;

/** Whether a guardrail blocks far more than usual: at least ten requests, and three times as many as usual. */
export const isSpike = (blocked: Blocked): boolean =>
  blocked.recent >= FEWEST_BLOCKED && blocked.recent >= TIMES_USUAL * baselineOf(blocked);

/** Whether a spike goes on: as long as there are many, whatever became usual meanwhile. */
export const isOngoing = ({ recent }: Blocked): boolean => recent >= FEWEST_BLOCKED;

/** "Production blocked 42 requests in 5 minutes; usual are 1.5." */
export const spikeText = (guardrailName: string, blocked: Blocked): string =>
  `${guardrailName} blocked ${blocked.recent} requests in ${WINDOW_MS / MINUTE_MS} minutes; usual are ${Number(baselineOf(blocked).toFixed(1))}.`;
