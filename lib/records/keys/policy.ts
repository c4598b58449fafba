import type { KeyLimit } from "../../engine/budgets/budget-rule";
import type { Issue } from "../../platform/api-error";
import type { ResetInterval } from "../../engine/windows";

/** Micro-USD spent since ever and in the three running windows. */
export type Spend = Readonly<Record<"total" | ResetInterval, bigint>>;

/** A key's spend over the platform's provider keys and over the organization's own. */
export interface KeySpend {
  platform: Spend;
  byok: Spend;
}

const NOTHING: Spend = { total: 0n, daily: 0n, weekly: 0n, monthly: 0n };
export const NO_SPEND: KeySpend = { platform: NOTHING, byok: NOTHING };

/** What a key used, and what of it its own limit counts in the running window. */
export interface KeyActivity {
  spend: KeySpend;
  lastUsedAt: Date | null;
  requestsLastDay: number;
  countedMicroUsd: bigint;
  /** What exceptions raise that limit by. */
  raisedMicroUsd: bigint;
}

export const NO_ACTIVITY: KeyActivity = {
  spend: NO_SPEND,
  lastUsedAt: null,
  requestsLastDay: 0,
  countedMicroUsd: 0n,
  raisedMicroUsd: 0n,
};

/** What a key may still spend in its running window, micro-USD; null = no limit. */
export function remainingMicroUsd(
  limitMicroUsd: bigint | null,
  { countedMicroUsd, raisedMicroUsd }: Pick<KeyActivity, "countedMicroUsd" | "raisedMicroUsd">,
): bigint | null {
  if (limitMicroUsd === null) return null;
  const left = limitMicroUsd + raisedMicroUsd - countedMicroUsd;
  return left > 0n ? left : 0n;
}

/** Whether a change of a key's limit changes what it counts; raising or lowering it doesn't. */
export const affectsCountedSpend = (before: KeyLimit, after: KeyLimit): boolean =>
  before.limitMicroUsd === null ||
  before.limitReset !== after.limitReset ||
  before.includeByokInLimit !== after.includeByokInLimit;

/** A key that is born expired is a mistake. */
export const expiryIssues = (expiresAt: string | null | undefined, now: Date): Issue[] =>
  expiresAt && new Date(expiresAt) <= now
    ? [{ path: ["expires_at"], message: "must be in the future", code: "custom" }]
    : [];
