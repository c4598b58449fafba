import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketsOf } from "./buckets-policy";
import { HOUR_MS, spansOf } from "./spans-policy";
import { DAY_MS } from "./vocabulary";

const day = (text: string) => new Date(`2026-11-${text}Z`);

it("a range has whole days, whole hours beside them, and the rest", () => {
  const { days, hours, rows } = spansOf({ from: day("01T10:30:00"), to: day("04T02:15:00") }, null);
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

it("the parts cover any range once, and none is in two buckets", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
      fc.integer({ min: 1, max: 400 * DAY_MS }),
      fc.boolean(),
      (start, length, isWhole) => {
        const range = { from: new Date(start), to: new Date(start + length) };
        const seconds = isWhole ? null : bucketsOf(range.from, range.to).seconds;
        const { days, hours, rows } = spansOf(range, seconds);
        const parts = [...days, ...hours, ...rows].toSorted((a, b) => a.from.getTime() - b.from.getTime());
        expect(parts[0]?.from).toEqual(range.from);
        expect(parts.at(-1)?.to).toEqual(range.to);
        parts.slice(1).forEach((part, index) => expect(part.from).toEqual(parts[index]?.to));
        for (const [spans, unit] of [
          [days, DAY_MS],
          [hours, HOUR_MS],
        ] as const) {
          for (const { from, to } of spans) expect([from.getTime() % unit, to.getTime() % unit]).toEqual([0, 0]);
          if (spans.length > 0 && seconds !== null) expect((seconds * 1000) % unit).toBe(0);
        }
      },
    ),
  );
});
