import { describe, expect, it } from "vitest";
import type { KeyLimit } from "../../engine/budgets/budget-rule";
import { affectsCountedSpend, expiryIssues, remainingMicroUsd } from "./rules";

it.each([
  // limit, counted, raised, remaining
  [null, 5n, 1n, null],
  [100n, 0n, 0n, 100n],
  [100n, 99n, 0n, 1n],
  [100n, 100n, 0n, 0n],
  [100n, 101n, 0n, 0n],
  [100n, 101n, 5n, 4n],
  [100n, 101n, 1n, 0n],
  [0n, 0n, 0n, 0n],
])("with limit %s, %s counted and raised by %s: %s remaining", (limit, countedMicroUsd, raisedMicroUsd, remaining) => {
  expect(remainingMicroUsd(limit, { countedMicroUsd, raisedMicroUsd })).toBe(remaining);
});

describe("recomputing a key's counted spend", () => {
  const limit = (
    limitMicroUsd: bigint | null,
    limitReset: KeyLimit["limitReset"] = null,
    includeByokInLimit = false,
  ): KeyLimit => ({ limitMicroUsd, limitReset, includeByokInLimit });
  it.each([
    [limit(1n), limit(2n), false],
    [limit(1n, "daily"), limit(9n, "daily"), false],
    [limit(null), limit(2n), true],
    [limit(1n), limit(1n, "daily"), true],
    [limit(1n), limit(1n, null, true), true],
  ])("from %o to %o: %s", (before, after, isAnew) => {
    expect(affectsCountedSpend(before, after)).toBe(isAnew);
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
