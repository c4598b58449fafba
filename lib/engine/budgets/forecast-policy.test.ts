import { describe, expect, it } from "vitest";
import { forecastOf, measuredSince } from "./forecast-policy";

const NOW = new Date("2026-11-20T12:00:00Z");
const HOUR_MS = 60 * 60 * 1000;
const hours = (count: number) => new Date(NOW.getTime() + count * HOUR_MS);
const burn = (keyName: string, microUsd: bigint) => ({ keyHash: `hash-${keyName}`, keyName, microUsd });
const burning = {
  remainingMicroUsd: 5_000_000n,
  resetsAt: null,
  since: hours(-24),
  burns: [burn("nightly", 24_000_000n)],
};

it.each([
  ["the last 24 hours", hours(-100), hours(-24)],
  ["the window, when that is shorter", hours(-3), hours(-3)],
])("is measured over %s", (_case, windowStart, expected) => {
  expect(measuredSince(windowStart, NOW)).toEqual(expected);
});

describe("the forecast", () => {
  it.each<[string, Partial<Parameters<typeof forecastOf>[0]>, Date | null, number]>([
    ["ends when the rest is spent", {}, hours(5), 1],
    ["goes by the time measured", { since: hours(-12) }, hours(2.5), 2],
    ["is now when nothing is left", { remainingMicroUsd: 0n }, NOW, 1],
    ["is now when nothing is left and nothing is spent", { remainingMicroUsd: 0n, burns: [] }, NOW, 0],
    ["has no end when nothing is spent", { burns: [] }, null, 0],
    ["has no end when the budget resets before", { resetsAt: hours(5) }, null, 1],
    ["has an end before the reset", { resetsAt: hours(5.1) }, hours(5), 1],
    ["knows no rate when the window has just begun", { since: NOW }, null, 0],
    ["has no end beyond a year", { remainingMicroUsd: 10_000_000_000_000n }, null, 1],
  ])("%s", (_case, given, exhausted, perHour) => {
    const { exhausted_at, usd_per_hour } = forecastOf({ ...burning, ...given }, NOW);
    expect(exhausted_at).toBe(exhausted?.toISOString() ?? null);
    expect(usd_per_hour).toBe(perHour);
  });

  it("names the five keys that spend most, by their share of everything spent", () => {
    const burns = [
      burn("a", 1n),
      burn("none", 0n),
      burn("b", 71n),
      burn("c", 2n),
      burn("d", 20n),
      burn("e", 3n),
      burn("f", 3n),
    ];
    const { contributors } = forecastOf({ ...burning, burns }, NOW);
    expect(contributors).toEqual([
      { key_hash: "hash-b", key_name: "b", share: 0.71 },
      { key_hash: "hash-d", key_name: "d", share: 0.2 },
      { key_hash: "hash-e", key_name: "e", share: 0.03 },
      { key_hash: "hash-f", key_name: "f", share: 0.03 },
      { key_hash: "hash-c", key_name: "c", share: 0.02 },
    ]);
  });
});
