import type { RESET_INTERVALS } from "./vocabulary";

export type ResetInterval = (typeof RESET_INTERVALS)[number];

const MONDAY = 1;

/** Returns the start of the spending window containing `now` in UTC: midnight, Monday, or the 1st; without an interval, the window never resets. */
export function windowStart(interval: ResetInterval | null, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  switch (interval) {
    case "daily":
      return new Date(Date.UTC(year, month, day));
    case "weekly":
      return new Date(Date.UTC(year, month, day - ((now.getUTCDay() + 7 - MONDAY) % 7)));
    case "monthly":
      return new Date(Date.UTC(year, month, 1));
    case null:
      return new Date(0);
  }
}

/** Returns the end of the spending window containing `now`, which is the start of the next; null when it never resets. */
export function windowEnd(interval: ResetInterval | null, now: Date): Date | null {
  const start = windowStart(interval, now);
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  switch (interval) {
    case "daily":
      return new Date(Date.UTC(year, month, day + 1));
    case "weekly":
      return new Date(Date.UTC(year, month, day + 7));
    case "monthly":
      return new Date(Date.UTC(year, month + 1, 1));
    case null:
      return null;
  }
}
