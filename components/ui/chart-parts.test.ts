import { describe, expect, it } from "vitest";
import { axisWidth, chartClock, COUNT_UNIT, labelledPoints, seriesWithValues, toneAt } from "./chart-parts";

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();

it("leaves out series without a value", () => {
  const series = ["answered", "blocked", "failed"].map((key) => ({ key, label: key, tone: "neutral" }) as const);
  const data = [
    { at: at(0), answered: 1, blocked: 0, failed: null },
    { at: at(1), answered: 0, blocked: 0, failed: 0 },
  ];
  expect(seriesWithValues(data, series).map(({ key }) => key)).toEqual(["answered"]);
  expect(seriesWithValues([], series)).toEqual([]);
});

describe("the clock", () => {
  const hours = [{ at: at(0) }, { at: at(24) }];
  const days = [{ at: at(0) }, { at: at(72) }];
  it.each([
    ["UTC", hours, 3600, "00:00", "Jan 1, 2026, 00:00 – 01:00 UTC"],
    ["America/New_York", hours, 3600, "19:00", "Dec 31, 2025, 19:00 – 20:00 EST"],
    ["Asia/Tokyo", days, 86_400, "Jan 1", "Jan 1, 2026, 09:00 – Jan 2, 2026, 09:00 GMT+9"],
    ["America/New_York", days, undefined, "Dec 31", "Dec 31, 2025, 19:00 EST"],
  ])("is the same on the axis and in the tooltip: %s", (zone, data, seconds, axis, exact) => {
    const clock = chartClock(data, zone, seconds);
    expect([clock.axis(at(0)), clock.exact(at(0))]).toEqual([axis, exact]);
  });
});

it.each([
  ["UTC", [0, 24, 48]],
  ["America/New_York", [0, 6, 30, 54]],
])("labels each day once on the axis of shorter buckets: %s", (zone, hours) => {
  const data = [0, 6, 12, 18, 24, 30, 36, 42, 48, 54].map((hour) => ({ at: at(hour) }));
  expect(labelledPoints(data, chartClock(data, zone, 21_600))).toEqual(hours.map(at));
});

it("gives neutral to series beyond the palette", () => {
  expect([toneAt(0), toneAt(7), toneAt(8)]).toEqual(["1", "8", "neutral"]);
});

it("makes room for the longest label of the axis: of a stack, of a line, and of a rounded end", () => {
  const series = [
    { key: "a", label: "A", tone: "1" },
    { key: "b", label: "B", tone: "2" },
  ] as const;
  const width = (a: number, b: number, shape: "bar" | "line" = "bar") =>
    axisWidth(
      [{ at: "2026-03-10T10:00:00Z", a, b }],
      series.map((each) => ({ ...each, shape })),
      COUNT_UNIT,
    );
  expect(width(5, 0)).toBeLessThan(width(60, 50));
  expect(width(60, 50)).toBeGreaterThan(width(60, 50, "line"));
  expect(width(95, 0)).toBe(width(477, 0));
  expect(axisWidth([], [], COUNT_UNIT)).toBe(width(0, 0));
});
