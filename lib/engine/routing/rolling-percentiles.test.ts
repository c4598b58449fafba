import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { percentilesOf, appendFigure } from "./rolling-percentiles";

const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("percentilesOf", () => {
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

describe("appendFigure", () => {
  it("keeps the latest hundred", () =>
    expect(oneTo(250).reduce<number[]>(appendFigure, [])).toEqual(oneTo(250).slice(-100)));
});
