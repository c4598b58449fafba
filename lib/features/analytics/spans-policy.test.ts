import fc from "fast-check";
import { expect, it } from "vitest";
import { BUCKET_ORIGIN, bucketsOf } from "./buckets-policy";
import { GRAINS, HOUR_MS, spansOf } from "./spans-policy";
import { DAY_MS } from "./vocabulary";

const day = (text: string) => new Date(`2026-11-${text}Z`);

it("a range has whole days, whole hours beside them, and the rest", () => {
  const spans = spansOf({ from: day("01T10:30:00"), to: day("04T02:15:00") }, null, ["hour", "day"]);
  const { day: days, hour: hours, rows } = spans;
  expect(rows).toEqual([
    { from: day("01T10:30:00"), to: day("01T11:00:00") },
    { from: day("04T02:00:00"), to: day("04T02:15:00") },
  ]);
  expect(hours).toEqual([
    { from: day("01T11:00:00"), to: day("02T00:00:00") },
    { from: day("04T00:00:00"), to: day("04T02:00:00") },
  ]);
  expect(days).toEqual([{ from: day("02T00:00:00"), to: day("04T00:00:00") }]);
});

it("a range without buckets has whole weeks from Monday on", () => {
  const range = { from: day("01T10:30:00"), to: day("18T02:15:00") };
  const { week, day: days, hour, rows } = spansOf(range, null, ["day", "week"]);
  expect(week).toEqual([{ from: day("02T00:00:00"), to: day("16T00:00:00") }]);
  expect(days).toEqual([{ from: day("16T00:00:00"), to: day("18T00:00:00") }]);
  expect(hour).toEqual([]);
  expect(rows).toEqual([
    { from: range.from, to: day("02T00:00:00") },
    { from: day("18T00:00:00"), to: range.to },
  ]);
  expect(spansOf(range, 86_400, ["day", "week"]).week).toEqual([]);
});

it("the parts cover any range once, and none is in two buckets", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
      fc.integer({ min: 1, max: 400 * DAY_MS }),
      fc.boolean(),
      fc.subarray([...GRAINS]),
      (start, length, isWhole, grains) => {
        const range = { from: new Date(start), to: new Date(start + length) };
        const seconds = isWhole ? null : bucketsOf(range.from, range.to).seconds;
        const spans = spansOf(range, seconds, grains);
        const parts = [...spans.week, ...spans.day, ...spans.hour, ...spans.rows].toSorted(
          (a, b) => a.from.getTime() - b.from.getTime(),
        );
        expect(parts[0]?.from).toEqual(range.from);
        expect(parts.at(-1)?.to).toEqual(range.to);
        parts.slice(1).forEach((part, index) => expect(part.from).toEqual(parts[index]?.to));
        for (const [grain, unit] of [
          ["week", 7 * DAY_MS],
          ["day", DAY_MS],
          ["hour", HOUR_MS],
        ] as const) {
          const offset = (at: Date) => (at.getTime() - BUCKET_ORIGIN.getTime()) % unit;
          for (const { from, to } of spans[grain]) expect([offset(from), offset(to)]).toEqual([0, 0]);
          if (spans[grain].length > 0 && seconds !== null) expect((seconds * 1000) % unit).toBe(0);
          if (!grains.includes(grain)) expect(spans[grain]).toEqual([]);
        }
      },
    ),
  );
});
