import { expect, it } from "vitest";
import { startOfDay } from "./day";

const now = Date.parse("2026-03-01T15:30:00.000Z");

it("is midnight in UTC", () => {
  expect(startOfDay(now, 0, "utc")).toBe("2026-03-01T00:00:00.000Z");
  expect(startOfDay(now, 1, "utc")).toBe("2026-02-28T00:00:00.000Z");
});

it("is midnight in the reader's zone", () => {
  const start = new Date(startOfDay(now, 1, "local"));
  expect([start.getHours(), start.getMinutes()]).toEqual([0, 0]);
  expect(start.getDate()).toBe(new Date(new Date(now).setDate(new Date(now).getDate() - 1)).getDate());
});
