const MINUTE_MS = 60_000;
const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;
const PAUSED_AFTER_MS = 24 * 60 * MINUTE_MS;

/** Returns the time of the next attempt after a number of consecutive failures. */
export const retryAt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS));

/** Returns the reason to pause a destination, or null: failures for a day. */
export const reasonToPause = (failingSince: Date, now: Date): string | null =>
  now.getTime() - failingSince.getTime() >= PAUSED_AFTER_MS ? "All exports failed for a day" : null;

/** Returns the file name for generations that begin at a position. It is deterministic, and grouped by day. */
export const fileName = (first: { created_at: string; id: string }, recordedIn: bigint): string =>
  `${first.created_at.slice(0, 10)}/${String(recordedIn).padStart(20, "0")}-${first.id}`;
