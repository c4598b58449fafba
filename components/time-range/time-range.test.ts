import { describe, expect, it } from "vitest";
import {
  describeEnds,
  describeRange,
  endsOf,
  fromInput,
  problemsOf,
  toInput,
  widerThan,
  type TimeRange,
} from "./time-range";

const NONE: TimeRange = { range: null, from: null, to: null, zone: "utc" };
const NOW = Date.UTC(2026, 10, 23, 12, 30, 45);

describe("ends", () => {
  it.each<[Partial<TimeRange>, string | null, string | null]>([
    [{}, null, null],
    [{ range: "1h" }, "2026-11-23T11:30:00.000Z", null],
    [{ range: "1h", from: "2026-01-01T00:00:00.000Z" }, "2026-01-01T00:00:00.000Z", null],
    [{ range: "7d", to: "2026-01-01T00:00:00.000Z" }, null, "2026-01-01T00:00:00.000Z"],
  ])("of %j", (range, from, to) => {
    expect(endsOf({ ...NONE, ...range }, NOW)).toEqual({ from, to });
  });
});

it.each([
  [{ range: "7d" }, "30d"],
  [{ range: "90d" }, null],
  [{ range: "7d", from: "2026-01-01T00:00:00Z" }, null],
  [{}, null],
] as const)("the next longer range than %j is %s", (range, wider) => {
  expect(widerThan({ ...NONE, ...range })).toBe(wider);
});

it("converts inputs to and from ISO 8601", () => {
  expect(fromInput("2026-11-03T10:00", "utc")).toBe("2026-11-03T10:00:00.000Z");
  expect(toInput("2026-11-03T10:00:30.000Z", "utc")).toBe("2026-11-03T10:00");
  expect(toInput(fromInput("2026-03-29T10:00", "local"), "local")).toBe("2026-03-29T10:00");
  expect([toInput("yesterday", "utc"), toInput(null, "local"), fromInput("", "utc")]).toEqual(["", "", null]);
});

it.each([
  ["", "", false, 1, 1],
  ["", "2026-01-01T00:00", true, 0, 0],
  ["2026-01-02T00:00", "2026-01-01T00:00", true, 0, 1],
  ["2026-01-01T00:00", "2026-01-01T00:00", false, 0, 1],
  ["2026-01-01T00:00", "2026-01-02T00:00", false, 0, 0],
  ["2025-01-01T00:00", "2026-12-01T00:00", false, 1, 0],
])("checks a range from %j to %j", (from, to, isOptional, ofFrom, ofTo) => {
  const problems = problemsOf({ from, to }, { isOptional, maxDays: 400 });
  expect([problems.from.length, problems.to.length]).toEqual([ofFrom, ofTo]);
});

it.each<[Partial<TimeRange>, string]>([
  [{}, "Any time"],
  [{ range: "24h" }, "Last 24 hours"],
  [{ from: "2026-11-03T10:00:00Z", to: "2026-11-04T12:30:00Z" }, "Nov 3, 10:00 – Nov 4, 12:30 UTC"],
  [{ from: "2026-11-03T10:00:00Z", zone: "local" }, "Since Nov 3, 10:00"],
  [{ to: "2026-11-03T10:00:00Z" }, "Until Nov 3, 10:00 UTC"],
  [{ from: "yesterday", to: "today" }, "yesterday – today UTC"],
])("describes %j", (range, text) => {
  expect(describeRange({ ...NONE, ...range }, "UTC")).toBe(text);
});

it.each([
  [{ to: "2026-11-04T12:30:05Z" }, "UTC", "until Nov 4, 2026, 12:30:05 UTC"],
  [
    { from: "2026-11-03T23:00:00Z", to: "2026-11-04T12:30:05Z" },
    "Europe/Berlin",
    "from Nov 4, 2026, 00:00:00 GMT+1 until Nov 4, 2026, 13:30:05 GMT+1",
  ],
])("the ends of %j in %s are %j", (ends, timeZone, text) => {
  expect(describeEnds(ends, timeZone)).toBe(text);
});
