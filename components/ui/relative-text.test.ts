import { expect, it } from "vitest";
import { relativeTime } from "./relative-text";

const NOW = Date.parse("2026-11-26T17:27:02Z");

it.each([
  ["2026-11-26T17:26:30Z", "just now"],
  ["2026-11-26T14:27:02Z", "3 hours ago"],
  ["2026-11-25T17:00:00Z", "yesterday"],
  ["2026-11-06T17:00:00Z", "20 days ago"],
  ["2026-12-08T18:00:00Z", "in 12 days"],
  ["2026-12-31T17:59:00Z", "Dec 31, 2026"],
  ["2025-02-03T00:00:00Z", "Feb 3, 2025"],
])("%s is %s", (at, text) => {
  expect(relativeTime(Date.parse(at), NOW, "UTC").text).toBe(text);
});

it.each([
  ["2026-11-26T17:26:30Z", "in less than a minute"],
  ["2026-11-26T17:27:30Z", "in less than a minute"],
  ["2026-11-26T17:29:30Z", "in 2 minutes"],
  ["2026-11-25T17:00:00Z", "in less than a minute"],
])("%s, when it is still to come, is %s", (at, text) => {
  expect(relativeTime(Date.parse(at), NOW, "UTC", { isUpcoming: true }).text).toBe(text);
});

it("gives the exact time with its zone, in 24 hours", () => {
  expect(relativeTime(NOW, NOW, "UTC").exact).toBe("Nov 26, 2026, 17:27:02 UTC");
});
