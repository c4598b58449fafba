import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketsOf } from "./buckets";
import { HOUR_MS, spansOf } from "./spans";
import { DAY_MS } from "./vocabulary";

const day = (text: string) => new Date(`2026-11-${text}Z`);

it("a range has whole days and the rest", () => {
  const range = { from: day("01T10:30:00"), to: day("04T02:15:00") };
  expect(spansOf(range, null, DAY_MS)).toEqual({
    whole: [{ from: day("02T00:00:00"), to: day("04T00:00:00") }],
    rest: [
      { from: range.from, to: day("02T00:00:00") },
      { from: day("04T00:00:00"), to: range.to },
    ],
  });
  expect(spansOf(range, 3600, DAY_MS)).toEqual({ whole: [], rest: [range] });
  expect(spansOf({ from: range.from, to: day("01T23:00:00") }, null, DAY_MS).whole).toEqual([]);
});

it("the parts cover any range once, and none is in two buckets", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
      fc.integer({ min: 1, max: 400 * DAY_MS }),
      fc.boolean(),
      fc.constantFrom(HOUR_MS, DAY_MS),
      (start, length, isWhole, unit) => {
        const range = { from: new Date(start), to: new Date(start + length) };
        const seconds = isWhole ? null : bucketsOf(range.from, range.to).seconds;
        const { whole, rest } = spansOf(range, seconds, unit);
        const parts = [...whole, ...rest].toSorted((a, b) => a.from.getTime() - b.from.getTime());
        expect(parts[0]?.from).toEqual(range.from);
        expect(parts.at(-1)?.to).toEqual(range.to);
        parts.slice(1).forEach((part, index) => expect(part.from).toEqual(parts[index]?.to));
        for (const { from, to } of whole) expect([from.getTime() % unit, to.getTime() % unit]).toEqual([0, 0]);
        if (whole.length > 0 && seconds !== null) expect((seconds * 1000) % unit).toBe(0);
      },
    ),
  );
});
