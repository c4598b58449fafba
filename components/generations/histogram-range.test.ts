import { describe, expect, it } from "vitest";
import { brushed, histogramRange } from "./histogram-range";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const series = [{ at: "2026-03-10T10:00:00.000Z" }, { at: "2026-03-10T11:00:00.000Z" }];

describe("the histogram's time", () => {
  it.each([
    [{}, "2026-03-09T12:00:00.000Z", "2026-03-10T12:00:00.000Z"],
    [{ from: "2026-03-01T00:00:00Z" }, "2026-03-01T00:00:00.000Z", "2026-03-10T12:00:00.000Z"],
    [{ to: "2026-03-02T00:00:00Z" }, "2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z"],
    [{ from: "2020-01-01T00:00:00Z" }, "2025-02-03T12:00:00.000Z", "2026-03-10T12:00:00.000Z"],
    [{ from: "yesterday" }, "2026-03-09T12:00:00.000Z", "2026-03-10T12:00:00.000Z"],
    [
      { from: "2026-03-05T00:00:00Z", to: "2026-03-02T00:00:00Z" },
      "2026-03-01T23:59:59.999Z",
      "2026-03-02T00:00:00.000Z",
    ],
  ])("of %j is %s to %s", (filters, from, to) => expect(histogramRange(filters, NOW).ends).toEqual({ from, to }));

  it.each([
    [{}, "in the last 24 hours"],
    [{ from: "2026-03-01T00:00:00Z" }, null],
    [{ to: "2026-03-02T00:00:00Z" }, "in the 24 hours before the chosen end"],
  ])("of %j is called %s unless it was chosen", (filters, phrase) =>
    expect(histogramRange(filters, NOW).phrase).toBe(phrase),
  );

  it("is narrowed to the chosen buckets, in either direction", () => {
    const whole = { from: "2026-03-10T10:00:00.000Z", to: "2026-03-10T12:00:00.000Z" };
    expect(brushed(series, { start: 0, end: 1 }, 3600)).toEqual(whole);
    expect(brushed(series, { start: 1, end: 0 }, 3600)).toEqual(whole);
    expect(brushed([], { start: 0, end: 0 }, 3600)).toBeNull();
  });
});
