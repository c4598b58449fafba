const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays before each retry. After the last one, the delivery has failed. */
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
/** Time without a success after which a webhook is disabled. */
const GIVEN_UP_AFTER_MS = 3 * 24 * HOUR_MS;
const GONE = 410;

/** Returns the time of the next retry after `tries` failed attempts; null when none is left. */
export function nextAttempt(tries: number, now: Date): Date | null {
  const after = RETRY_AFTER_MS[tries - 1];
  return after === undefined ? null : new Date(now.getTime() + after);
}

/** True for any 2xx status, whatever the body. */
export const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Returns the reason to disable a webhook after a failed attempt, or null. Reasons are a 410, or failures for days. */
export function reasonToDisable(status: number | null, failingSince: Date, now: Date): string | null {
  if (status === GONE) return "The receiver returned 410 Gone";
  return now.getTime() - failingSince.getTime() >= GIVEN_UP_AFTER_MS ? "All deliveries failed for three days" : null;
}
