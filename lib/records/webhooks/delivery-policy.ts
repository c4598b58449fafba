const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after a failed attempt the next one is due; after the last, the delivery has failed. */
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
/** Who failed for so long without a success is asked no more. */
const GIVEN_UP_AFTER_MS = 3 * 24 * HOUR_MS;
const GONE = 410;

/** When to try again after `tries` failed attempts; null when there were enough. */
export function nextAttempt(tries: number, now: Date): Date | null {
  const after = RETRY_AFTER_MS[tries - 1];
  return after === undefined ? null : new Date(now.getTime() + after);
}

/** Whether an answer takes the event: any 2xx, whatever its body. */
export const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Why a webhook is switched off after a failed attempt, or null: it says that it is gone, or has failed for days. */
export function reasonToDisable(status: number | null, failingSince: Date, now: Date): string | null {
  if (status === GONE) return "The receiver answered 410 Gone";
  return now.getTime() - failingSince.getTime() >= GIVEN_UP_AFTER_MS ? "Every delivery failed for three days" : null;
}
