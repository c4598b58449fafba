import { Temporal } from "temporal-polyfill";
import type { LIMIT_INTERVALS } from "./vocabulary";
import { windowEnd, windowStart } from "./windows";

export type LimitInterval = (typeof LIMIT_INTERVALS)[number];

/** How often a limit resets, and when. */
export interface Cycle {
  /** Null for a limit that never resets. */
  interval: LimitInterval | null;
  /** A name of the IANA database. It has no effect on minutes and hours, which are those of UTC. */
  timeZone: string;
  /** The hour of the day at which windows of a day and longer start. */
  hour: number;
  /** The day on which weeks start: 1 is Monday. */
  weekday: number;
  /** The day on which months start; the last day of a shorter month. */
  monthDay: number;
}

export interface Window {
  start: Date;
  /** The start of the next window; null when it never resets. */
  end: Date | null;
}

const MINUTE_MS = 60_000;
const LENGTHS = { minutely: MINUTE_MS, hourly: 60 * MINUTE_MS } as const;

/** Cycles that are those of the UTC calendar. */
const isPlain = ({ timeZone, hour, weekday, monthDay }: Cycle): boolean =>
  timeZone === "UTC" && hour === 0 && weekday === 1 && monthDay === 1;

/** The last window of each cycle, because the requests of a window ask for the same one. */
const known = new WeakMap<Cycle, Window>();

/** Returns the window of a cycle that contains `now`. */
export function windowAt(cycle: Cycle, now: Date): Window {
  const last = known.get(cycle);
  if (last && last.start <= now && (last.end === null || now < last.end)) return last;
  const window = newWindow(cycle, now);
  known.set(cycle, window);
  return window;
}

function newWindow(cycle: Cycle, now: Date): Window {
  const { interval } = cycle;
  if (interval === "minutely" || interval === "hourly") {
    const length = LENGTHS[interval];
    const start = Math.floor(now.getTime() / length) * length;
    return { start: new Date(start), end: new Date(start + length) };
  }
  if (interval === null || isPlain(cycle)) return { start: windowStart(interval, now), end: windowEnd(interval, now) };
  const startOf = (period: number) => startMs(cycle, interval, period);
  let period = periodOf(
    interval,
    Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(cycle.timeZone),
  );
  while (startOf(period) > now.getTime()) period -= 1;
  while (startOf(period + 1) <= now.getTime()) period += 1;
  return { start: new Date(startOf(period)), end: new Date(startOf(period + 1)) };
}

type CalendarInterval = "daily" | "weekly" | "monthly";

/** A Monday, from which days and weeks are counted. */
const EPOCH = Temporal.PlainDate.from("1970-01-05");
const daysSinceEpoch = (date: Temporal.PlainDate): number => EPOCH.until(date).days;

/** Returns the number of the calendar's period with a time; a cycle's window may have begun in the one before. */
function periodOf(interval: CalendarInterval, time: Temporal.ZonedDateTime): number {
  if (interval === "monthly") return time.year * 12 + time.month - 1;
  const days = daysSinceEpoch(time.toPlainDate());
  return interval === "daily" ? days : Math.floor(days / 7);
}

/**
 * Returns the start of a period in milliseconds. A time that a change of the clocks leaves out is the one after the
 * change; of a time that occurs twice, it is the first.
 */
function startMs({ timeZone, hour, weekday, monthDay }: Cycle, interval: CalendarInterval, period: number): number {
  const date =
    interval === "monthly"
      ? Temporal.PlainDate.from({ year: Math.floor(period / 12), month: (period % 12) + 1, day: monthDay })
      : EPOCH.add({ days: interval === "daily" ? period : period * 7 + weekday - 1 });
  return date.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) }).epochMilliseconds;
}

/** Returns the window before one; null when there is none. */
export const windowBefore = (cycle: Cycle, { start, end }: Window): Window | null =>
  end === null ? null : newWindow(cycle, new Date(start.getTime() - 1));
