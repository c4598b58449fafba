import { describe, expect, it } from "vitest";
import { expiryIssues, NO_SPEND, remainingMicroUsd, type KeySpend } from "./policy";

const spend: KeySpend = {
  platform: { total: 90n, daily: 10n, weekly: 20n, monthly: 30n },
  byok: { total: 9n, daily: 1n, weekly: 2n, monthly: 3n },
};

describe("what remains of a key's limit", () => {
  it.each([
    // limit, reset, with own keys, remaining
    [null, "daily", false, null],
    [100n, "daily", false, 90n],
    [100n, "weekly", false, 80n],
    [100n, "monthly", false, 70n],
    [100n, null, false, 10n],
    [100n, null, true, 1n],
    [100n, "monthly", true, 67n],
    [10n, "daily", false, 0n],
    [5n, "daily", false, 0n],
    [0n, null, false, 0n],
  ] as const)("limit %s, reset %s, own provider keys counted: %s → %s", (limitMicroUsd, limitReset, includeByokInLimit, remaining) => {
    expect(remainingMicroUsd({ limitMicroUsd, limitReset, includeByokInLimit }, spend)).toBe(remaining);
  });

  it("is the whole limit for a key that never spent", () => {
    expect(remainingMicroUsd({ limitMicroUsd: 7n, limitReset: null, includeByokInLimit: true }, NO_SPEND)).toBe(7n);
  });
});

it.each([
  [undefined, 0],
  [null, 0],
  ["2026-11-20T10:00:01Z", 0],
  ["2026-11-20T10:00:00Z", 1],
  ["2026-11-20T11:00:00+02:00", 1],
])("an expiry of %s at 10:00 UTC has %i problems", (expiresAt, problems) => {
  expect(expiryIssues(expiresAt, new Date("2026-11-20T10:00:00Z"))).toHaveLength(problems);
});
