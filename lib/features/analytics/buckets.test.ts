import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketsOf } from "./buckets";

const HOUR = 3600;
const DAY = 24 * HOUR;
const TO = new Date("2026-11-20T10:30:00Z");

it.each([
  ["an hour", HOUR, 60, "2026-11-20T09:30:00.000Z", 60],
  ["24 hours", DAY, HOUR, "2026-11-19T10:00:00.000Z", 25],
  ["7 days", 7 * DAY, 6 * HOUR, "2026-11-13T06:00:00.000Z", 29],
  ["30 days", 30 * DAY, DAY, "2026-10-21T00:00:00.000Z", 31],
  ["90 days", 90 * DAY, DAY, "2026-08-22T00:00:00.000Z", 91],
  ["400 days", 400 * DAY, 7 * DAY, "2025-10-13T00:00:00.000Z", 58],
])("%s are counted by buckets of %#", (_name, length, seconds, first, count) => {
  const buckets = bucketsOf(new Date(TO.getTime() - length * 1000), TO);
  expect([buckets.seconds, buckets.starts[0]?.toISOString(), buckets.starts.length]).toEqual([seconds, first, count]);
});

it("any range is covered without gaps by at most a hundred", () => {
  const start = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(start, fc.integer({ min: 1, max: 400 * DAY * 1000 }), (from, length) => {
      const { seconds, starts } = bucketsOf(new Date(from), new Date(from + length));
      const times = starts.map((each) => each.getTime());
      expect(times.length).toBeLessThanOrEqual(100);
      expect(times[0]).toBeLessThanOrEqual(from);
      expect((times.at(-1) ?? 0) + seconds * 1000).toBeGreaterThanOrEqual(from + length);
      expect(times.every((time, index) => time === (times[0] ?? 0) + index * seconds * 1000)).toBe(true);
    }),
  );
});
