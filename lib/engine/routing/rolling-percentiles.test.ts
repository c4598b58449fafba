import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RollingFigures } from "./rolling-percentiles";

const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function rolling(figures: readonly number[]): RollingFigures {
  const all = new RollingFigures();
  for (const figure of figures) all.add(figure);
  return all;
}
const percentilesOf = (figures: readonly number[], better: "lower" | "higher") => rolling(figures).percentiles(better);

describe("the percentiles of figures", () => {
  it("is null without figures", () => expect(percentilesOf([], "lower")).toBeNull());
  it("returns the nearest rank", () =>
    expect(percentilesOf(oneTo(100), "lower")).toEqual({ p50: 50, p75: 75, p90: 90, p99: 99 }));
  it("ranks from the top where higher is better", () =>
    expect(percentilesOf(oneTo(100), "higher")).toEqual({ p50: 51, p75: 26, p90: 11, p99: 2 }));

  it("is met by at least the given share, and by no more figures than necessary", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 100 }),
        fc.constantFrom("lower" as const, "higher" as const),
        (figures, better) => {
          const found = percentilesOf(figures, better);
          const reaches = (figure: number, bound: number) => (better === "lower" ? figure <= bound : figure >= bound);
          for (const [name, share] of [
            ["p50", 0.5],
            ["p75", 0.75],
            ["p90", 0.9],
            ["p99", 0.99],
          ] as const) {
            const bound = found?.[name] ?? NaN;
            expect(figures).toContain(bound);
            expect(figures.filter((figure) => reaches(figure, bound)).length).toBeGreaterThanOrEqual(
              share * figures.length,
            );
            expect(figures.filter((figure) => !reaches(bound, figure)).length).toBeLessThan(
              share * figures.length + 1e-9,
            );
          }
        },
      ),
    );
  });
});

it("are those of the latest hundred", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 }), (figures) => {
      const latest = figures.slice(-100);
      expect(percentilesOf(figures, "lower")).toEqual(percentilesOf(latest, "lower"));
      expect(rolling(figures).at(1)).toBe(latest.length > 0 ? Math.max(...latest) : NaN);
    }),
  );
});
