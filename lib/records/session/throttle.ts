/** Failures without a delay: a person mistypes a password, an office shares an address. */
const FREE_OF_CLIENT = 5;
const FREE_OF_NETWORK = 30;
/** After this many failures of an account, unknown clients get one free attempt less. */
const ACCOUNT_FAILURES_PER_FREE = 20;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15 * 60_000;
/** Failures are forgotten this long after the last one. */
export const FAILURES_KEPT_MS = 24 * 60 * 60_000;

/** Counted failures of one subject. */
export interface Failures {
  count: number;
  lastAt: Date;
}

/** Subjects for which a sign-in attempt is counted. */
export type Subject = "account" | "network" | "client";

const countOf = (failures: Failures | undefined, now: Date): number =>
  failures && now.getTime() - failures.lastAt.getTime() < FAILURES_KEPT_MS ? failures.count : 0;

/**
 * Returns the time between the last failure and the next attempt, which doubles with each failure beyond the free ones.
 */
const delayOf = (count: number, free: number): number =>
  count < free ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (count - free), LONGEST_DELAY_MS);

/**
 * Returns the milliseconds until an attempt is allowed; 0 when it is. Failures of the account reduce each client's free
 * attempts, but never delay a client without failures, so guesses alone can't lock anyone out.
 */
export function waitOf(failures: Readonly<Partial<Record<Subject, Failures>>>, now: Date): number {
  const { account, network, client } = failures;
  const taken = Math.floor(countOf(account, now) / ACCOUNT_FAILURES_PER_FREE);
  const left = (counted: Failures | undefined, free: number) => {
    const delay = delayOf(countOf(counted, now), free);
    return counted && delay > 0 ? counted.lastAt.getTime() + delay - now.getTime() : 0;
  };
  return Math.max(0, left(client, Math.max(1, FREE_OF_CLIENT - taken)), left(network, FREE_OF_NETWORK));
}

/** Returns the failures after another one. */
export const failedAgain = (failures: Failures | undefined, now: Date): Failures => ({
  count: countOf(failures, now) + 1,
  lastAt: now,
});
