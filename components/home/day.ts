import type { Zone } from "@/components/time-range/time-range";

/** Start of today or of a day before, in the reader's zone or UTC. `now` is in milliseconds. */
export function startOfDay(now: number, daysAgo: number, zone: Zone): string {
  const day = new Date(now);
  const start =
    zone === "utc"
      ? Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - daysAgo)
      : new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
  return new Date(start).toISOString();
}
