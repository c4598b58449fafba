import type { Issue } from "../http/api-error";
import type { ResetInterval } from "../windows";

/** Micro-USD spent since ever and in the three running windows. */
export type Spend = Readonly<Record<"total" | ResetInterval, bigint>>;

/** A key's spend over the platform's provider keys and over the organization's own. */
export interface KeySpend {
  platform: Spend;
  byok: Spend;
}

const NOTHING: Spend = { total: 0n, daily: 0n, weekly: 0n, monthly: 0n };
export const NO_SPEND: KeySpend = { platform: NOTHING, byok: NOTHING };

export interface KeyLimit {
  limitMicroUsd: bigint | null;
  limitReset: ResetInterval | null;
  includeByokInLimit: boolean;
}

/** What a key may still spend in its running window, micro-USD; null = no limit. */
export function remainingMicroUsd({ limitMicroUsd, limitReset, includeByokInLimit }: KeyLimit, spend: KeySpend): bigint | null {
  if (limitMicroUsd === null) return null;
  const window = limitReset ?? "total";
  const spent = spend.platform[window] + (includeByokInLimit ? spend.byok[window] : 0n);
  return spent < limitMicroUsd ? limitMicroUsd - spent : 0n;
}

/** A key that is born expired is a mistake. */
export const expiryIssues = (expiresAt: string | null | undefined, now: Date): Issue[] =>
  expiresAt && new Date(expiresAt) <= now ? [{ path: ["expires_at"], message: "must be in the future", code: "custom" }] : [];
