import type { KeyLimit } from "../../engine/budgets/budget-rule";
import type { Issue } from "../../platform/api-error";
import type { ResetInterval } from "../../engine/windows";

/** Spend in micro-USD: total and in the three current windows. */
export type Spend = Readonly<Record<"total" | ResetInterval, bigint>>;

/** A key's spend on the platform's provider keys and on the organization's. */
export interface KeySpend {
  platform: Spend;
  byok: Spend;
}

const NOTHING: Spend = { total: 0n, daily: 0n, weekly: 0n, monthly: 0n };
export const NO_SPEND: KeySpend = { platform: NOTHING, byok: NOTHING };

/** A key's usage, and the part that counts against its limit in the current window. */
export interface KeyActivity {
  spend: KeySpend;
  lastUsedAt: Date | null;
  requestsLastDay: number;
  countedMicroUsd: bigint;
  /** Total raise of that limit by exceptions. */
  raisedMicroUsd: bigint;
}

export const NO_ACTIVITY: KeyActivity = {
  spend: NO_SPEND,
  lastUsedAt: null,
  requestsLastDay: 0,
  countedMicroUsd: 0n,
  raisedMicroUsd: 0n,
};

/** Returns the remaining amount in the current window, in micro-USD; null without a limit. */
export function remainingMicroUsd(
  limitMicroUsd: bigint | null,
  { countedMicroUsd, raisedMicroUsd }: Pick<KeyActivity, "countedMicroUsd" | "raisedMicroUsd">,
): bigint | null {
  if (limitMicroUsd === null) return null;
  const left = limitMicroUsd + raisedMicroUsd - countedMicroUsd;
  return left > 0n ? left : 0n;
}

/** True when a change of a key's limit changes the counted spend, unlike a higher or lower amount. */
export const affectsCountedSpend = (before: KeyLimit, after: KeyLimit): boolean =>
  before.limitMicroUsd === null ||
  before.limitReset !== after.limitReset ||
  before.includeByokInLimit !== after.includeByokInLimit;

/** Rejects keys that would be expired on creation. */
export const expiryIssues = (expiresAt: string | null | undefined, now: Date): Issue[] =>
  expiresAt && new Date(expiresAt) <= now
    ? [{ path: ["expires_at"], message: "must be in the future", code: "custom" }]
    : [];
