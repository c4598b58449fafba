import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases, everyNth } from "../testing/random";
import { windowAt, windowBefore, type Cycle } from "./cycles";
import { windowEnd, windowStart } from "./windows";

const cycle = (given: Partial<Cycle>): Cycle => ({
  interval: "daily",
  timeZone: "UTC",
  hour: 0,
  weekday: 1,
  monthDay: 1,
  ...given,
});
const iso = ({ start, end }: { start: Date; end: Date | null }) => [start.toISOString(), end?.toISOString() ?? null];

it.each<[string, Partial<Cycle>, now: string, start: string, end: string | null]>([
  [
    "a minute",
    { interval: "minutely" },
    "2026-11-20T10:00:59.999Z",
    "2026-11-20T10:00:00.000Z",
    "2026-11-20T10:01:00.000Z",
  ],
  [
    "an hour",
    { interval: "hourly", timeZone: "Asia/Kathmandu" },
    "2026-11-20T10:59:00Z",
    "2026-11-20T10:00:00.000Z",
    "2026-11-20T11:00:00.000Z",
  ],
  ["forever", { interval: null, timeZone: "Europe/Berlin" }, "2026-11-20T10:00:00Z", "1970-01-01T00:00:00.000Z", null],
  [
    "a day in Berlin",
    { timeZone: "Europe/Berlin" },
    "2026-11-20T22:59:59Z",
    "2026-11-19T23:00:00.000Z",
    "2026-11-20T23:00:00.000Z",
  ],
  [
    "a day of 23 hours",
    { timeZone: "Europe/Berlin" },
    "2026-03-29T12:00:00Z",
    "2026-03-28T23:00:00.000Z",
    "2026-03-29T22:00:00.000Z",
  ],
  [
    "a day of 25 hours",
    { timeZone: "Europe/Berlin" },
    "2026-10-25T12:00:00Z",
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
  ],
  [
    "a day that starts at an hour that is left out",
    { timeZone: "America/New_York", hour: 2 },
    "2026-03-08T12:00:00Z",
    "2026-03-08T07:00:00.000Z",
    "2026-03-09T06:00:00.000Z",
  ],
  [
    "a day that starts at an hour that occurs twice",
    { timeZone: "America/New_York", hour: 1 },
    "2026-11-01T05:30:00Z",
    "2026-11-01T05:00:00.000Z",
    "2026-11-02T06:00:00.000Z",
  ],
  [
    "a day that starts in the afternoon",
    { hour: 17 },
    "2026-11-20T16:59:59.999Z",
    "2026-11-19T17:00:00.000Z",
    "2026-11-20T17:00:00.000Z",
  ],
  [
    "a week that starts on Sunday",
    { interval: "weekly", weekday: 7 },
    "2026-11-22T00:00:00Z",
    "2026-11-22T00:00:00.000Z",
    "2026-11-29T00:00:00.000Z",
  ],
  [
    "a week that starts on Sunday, on the day before",
    { interval: "weekly", weekday: 7 },
    "2026-11-21T23:59:59.999Z",
    "2026-11-15T00:00:00.000Z",
    "2026-11-22T00:00:00.000Z",
  ],
  [
    "a month that starts on the 15th",
    { interval: "monthly", monthDay: 15 },
    "2026-11-14T23:00:00Z",
    "2026-10-15T00:00:00.000Z",
    "2026-11-15T00:00:00.000Z",
  ],
  [
    "a month that starts on the 31st",
    { interval: "monthly", monthDay: 31 },
    "2026-03-01T00:00:00Z",
    "2026-02-28T00:00:00.000Z",
    "2026-03-31T00:00:00.000Z",
  ],
  [
    "the same in a leap year",
    { interval: "monthly", monthDay: 31 },
    "2028-02-29T00:00:00Z",
    "2028-02-29T00:00:00.000Z",
    "2028-03-31T00:00:00.000Z",
  ],
  [
    "a month in Sydney",
    { interval: "monthly", timeZone: "Australia/Sydney", hour: 6 },
    "2026-12-31T18:59:59Z",
    "2026-11-30T19:00:00.000Z",
    "2026-12-31T19:00:00.000Z",
  ],
])("finds the window of %s", (_, given, now, start, end) => {
  expect(iso(windowAt(cycle(given), new Date(now)))).toEqual([start, end]);
});

describe("windows", () => {
  const from = Date.UTC(2025, 0, 1);
  const until = Date.UTC(2029, 0, 1);

  it("in UTC are those of guardrails and keys", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("daily", "weekly", "monthly"),
        fc.date({ min: new Date(from), max: new Date(until), noInvalidDate: true }),
        (interval, now) => {
          expect(windowAt(cycle({ interval }), now)).toEqual({
            start: windowStart(interval, now),
            end: windowEnd(interval, now),
          });
        },
      ),
      { numRuns: cases(1_000) },
    );
  });

  // The names of the zones include those that V8 doesn't list, because they are other names of listed ones.
  const zones = everyNth(60, [...Intl.supportedValuesOf("timeZone"), "UTC", "Asia/Kolkata", "Australia/Lord_Howe"]);

  it.each(zones)("follow each other without gap or overlap in %s", (timeZone) => {
    const starts = fc.record({
      hour: fc.integer({ min: 0, max: 23 }),
      weekday: fc.integer({ min: 1, max: 7 }),
      monthDay: fc.integer({ min: 1, max: 31 }),
    });
    const [given] = fc.sample(starts, { numRuns: 1, seed: zones.indexOf(timeZone) });
    for (const interval of ["daily", "weekly", "monthly"] as const) {
      const at = (ms: number) => windowAt(cycle({ ...given, interval, timeZone }), new Date(ms));
      let window = at(from);
      while (window.end && window.end.getTime() < until) {
        const { start, end } = window;
        expect(start < end).toBe(true);
        expect(at(end.getTime() - 1)).toEqual(window);
        window = at(end.getTime());
        expect(window.start).toEqual(end);
      }
      expect(windowBefore(cycle({ ...given, interval, timeZone }), window)?.end).toEqual(window.start);
    }
  });
});
