import { expect, it } from "vitest";
import { clockText, spansDays } from "./clock-text";

it("is the time of day in the reader's zone, with the date if it is needed", () => {
  expect(clockText("2026-11-28T23:03:07.500Z", "UTC", false)).toBe("23:03:07");
  expect(clockText("2026-11-28T23:03:07.500Z", "Europe/Berlin", true)).toBe("Nov 29, 00:03:07");
});

const NOW = Date.parse("2026-11-28T12:00:00Z");

it.each([
  ["2026-11-28T00:00:00Z", undefined, "UTC", false],
  ["2026-11-27T23:59:59Z", undefined, "UTC", true],
  ["2026-11-27T23:59:59Z", undefined, "Europe/Berlin", false],
  ["2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z", "UTC", false],
  ["2026-11-20T00:00:00Z", "2026-11-21T00:00:01Z", "UTC", true],
  [undefined, undefined, "UTC", true],
  ["a lot", undefined, "UTC", true],
])("the range from %s to %s in %s has several days: %s", (from, to, timeZone, expected) => {
  expect(spansDays(from, to, NOW, timeZone)).toBe(expected);
});
