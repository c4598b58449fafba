import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forecastOf, rateWindowStart } from "./forecast";

const NOW = new Date("2026-11-20T12:00:00Z");
const HOUR_MS = 60 * 60 * 1000;
const hours = (count: number) => new Date(NOW.getTime() + count * HOUR_MS);
const burn = (keyName: string, microUsd: bigint) => ({ keyHash: `hash-${keyName}`, keyName, microUsd });
const burning = {
  spentMicroUsd: 2_000_000n,
  remainingMicroUsd: 5_000_000n,
  resetsAt: null,
  since: hours(-24),
  burns: [burn("nightly", 24_000_000n)],
};

it.each([
  ["the last 24 hours", hours(-100), hours(-24)],
  ["the window, if shorter", hours(-3), hours(-3)],
])("is measured over %s", (_case, windowStart, expected) => {
  expect(rateWindowStart(windowStart, NOW)).toEqual(expected);
});

describe("the forecast", () => {
  it.each<[string, Partial<Parameters<typeof forecastOf>[0]>, Date | null, number]>([
    ["ends when the remaining amount is spent", {}, hours(5), 1],
    ["extrapolates the measured rate", { since: hours(-12) }, hours(2.5), 2],
    ["is now when nothing remains", { remainingMicroUsd: 0n }, NOW, 1],
    ["is now when nothing remains and there is no spend", { remainingMicroUsd: 0n, burns: [] }, NOW, 0],
    ["has no end without spend", { burns: [] }, null, 0],
    ["has no end when the budget resets earlier", { resetsAt: hours(5) }, null, 1],
    ["has an end before the reset", { resetsAt: hours(5.1) }, hours(5), 1],
    ["has no end when nothing but the last minutes are known", { since: hours(-0.9) }, null, 26.666667],
    ["is now when nothing remains, whatever is known", { since: hours(-0.9), remainingMicroUsd: 0n }, NOW, 26.666667],
    ["has no rate right after the window started", { since: NOW }, null, 0],
    ["has no end beyond a year", { remainingMicroUsd: 10_000_000_000_000n }, null, 1],
  ])("%s", (_case, given, exhausted, perHour) => {
    const { exhausted_at, usd_per_hour } = forecastOf({ ...burning, ...given }, NOW);
    expect(exhausted_at).toBe(exhausted?.toISOString() ?? null);
    expect(usd_per_hour).toBe(perHour);
  });

  it.each<[string, Partial<Parameters<typeof forecastOf>[0]>, number | null]>([
    ["continues the measured rate until the reset", { resetsAt: hours(3) }, 5],
    ["includes spend beyond the limit", { resetsAt: hours(100) }, 102],
    ["is the spend so far without recent spend", { resetsAt: hours(3), burns: [] }, 2],
    ["is unknown for a budget that doesn't reset", {}, null],
    ["is unknown in the first hour of the window", { resetsAt: hours(23.1), since: hours(-0.9) }, null],
  ])("of spend at the end of the window %s", (_case, given, projected) => {
    expect(forecastOf({ ...burning, ...given }, NOW).projected_usd).toBe(projected);
  });

  it("is exhausted before the reset exactly if the projected spend exceeds the limit", () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 12n),
        fc.bigInt(1n, 10n ** 12n),
        fc.bigInt(0n, 10n ** 12n),
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 1, max: 31 * 24 }),
        (spentMicroUsd, remainingMicroUsd, microUsd, measured, ahead) => {
          const { exhausted_at, projected_usd } = forecastOf(
            {
              spentMicroUsd,
              remainingMicroUsd,
              resetsAt: hours(ahead),
              since: hours(-measured),
              burns: [burn("nightly", microUsd)],
            },
            NOW,
          );
          const excess = (projected_usd ?? 0) - Number(spentMicroUsd + remainingMicroUsd) / 1e6;
          const rounding = 0.01;
          if (Math.abs(excess) > rounding) expect(exhausted_at !== null).toBe(excess > 0);
        },
      ),
    );
  });

  it("returns the five keys with the highest share of the total spend", () => {
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
