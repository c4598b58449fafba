import fc from "fast-check";
import { expect, it } from "vitest";
import { windowEnd, windowStart } from "./windows";

it.each([
  // interval, now, start, end
  ["daily", "2026-11-20T10:00:00.000Z", "2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
  ["daily", "2026-11-20T00:00:00.000Z", "2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
  ["daily", "2026-11-20T23:59:59.999Z", "2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
  ["daily", "2028-02-29T12:00:00.000Z", "2028-02-29T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ["weekly", "2026-11-16T00:00:00.000Z", "2026-11-16T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
  ["weekly", "2026-11-22T23:59:59.999Z", "2026-11-16T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
  ["weekly", "2026-12-01T08:00:00.000Z", "2026-11-30T00:00:00.000Z", "2026-12-07T00:00:00.000Z"],
  ["weekly", "2027-01-01T00:00:00.000Z", "2026-12-28T00:00:00.000Z", "2027-01-04T00:00:00.000Z"],
  ["weekly", "2028-03-01T00:00:00.000Z", "2028-02-28T00:00:00.000Z", "2028-03-06T00:00:00.000Z"],
  ["monthly", "2026-11-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
  ["monthly", "2026-01-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
  ["monthly", "2028-02-29T23:59:59.999Z", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ["monthly", "2026-12-31T23:59:59.999Z", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  [null, "2026-11-20T10:00:00.000Z", "1970-01-01T00:00:00.000Z", null],
] as const)("the %s window at %s began at %s and ends at %s", (interval, now, start, end) => {
  expect(windowStart(interval, new Date(now)).toISOString()).toBe(start);
  expect(windowEnd(interval, new Date(now))?.toISOString() ?? null).toBe(end);
});

it("windows follow each other without gap or overlap", () => {
  const time = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom("daily", "weekly", "monthly"), time, (interval, now) => {
      const [start, end] = [windowStart(interval, now), windowEnd(interval, now)];
      if (!end) throw new Error("a window that resets ends");
      expect(start <= now && now < end).toBe(true);
      expect(windowStart(interval, end)).toEqual(end);
      expect(windowStart(interval, new Date(end.getTime() - 1))).toEqual(start);
    }),
  );
});
