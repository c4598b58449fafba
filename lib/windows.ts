import type { RESET_INTERVALS } from "./guardrails/contract";

export type ResetInterval = (typeof RESET_INTERVALS)[number];

const MONDAY = 1;

/** Start of the spending window that holds `now`, UTC: midnight, Monday, the 1st; without an interval the window never began anew. */
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
