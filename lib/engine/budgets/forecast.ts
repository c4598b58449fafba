import { fromMicroUsd } from "../money";
import type { Forecast } from "./contract";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Shortest measurement from which a rate is extrapolated. */
const MIN_MEASURED_MS = HOUR_MS;
/** Maximum forecast horizon. */
const HORIZON_MS = 365 * DAY_MS;
const MOST_CONTRIBUTORS = 5;

/** Spend of one key under a budget since the measurement started. */
export interface RecentSpend {
  keyHash: string;
  keyName: string;
  microUsd: bigint;
}

interface Burning {
  /** Spend in the current window. */
  spentMicroUsd: bigint;
  remainingMicroUsd: bigint;
  resetsAt: Date | null;
  /** Start of the measurement. */
  since: Date;
  burns: readonly RecentSpend[];
}

/** Returns the start of the rate measurement: 24 hours ago, or the window's start if later. */
export const rateWindowStart = (windowStart: Date, now: Date): Date =>
  new Date(Math.max(windowStart.getTime(), now.getTime() - DAY_MS));

/** Forecasts when a budget is exhausted at the measured rate, or what is spent when it resets, with the keys that contribute most. */
export function forecastOf({ spentMicroUsd, remainingMicroUsd, resetsAt, since, burns }: Burning, now: Date): Forecast {
  const total = burns.reduce((sum, { microUsd }) => sum + microUsd, 0n);
  const elapsedMs = now.getTime() - since.getTime();
  const ratePerMs = elapsedMs > 0 ? Number(total) / elapsedMs : 0;
  const isKnown = elapsedMs >= MIN_MEASURED_MS;
  const aheadMs = remainingMicroUsd === 0n ? 0 : isKnown ? Number(remainingMicroUsd) / ratePerMs : Infinity;
  const exhaustedAt = aheadMs <= HORIZON_MS ? new Date(now.getTime() + aheadMs) : null;
  const projected =
    isKnown && resetsAt
      ? spentMicroUsd + BigInt(Math.round(ratePerMs * Math.max(0, resetsAt.getTime() - now.getTime())))
      : null;
  return {
    exhausted_at: exhaustedAt && (!resetsAt || exhaustedAt < resetsAt) ? exhaustedAt.toISOString() : null,
    projected_usd: projected === null ? null : fromMicroUsd(projected),
    usd_per_hour: fromMicroUsd(BigInt(Math.round(ratePerMs * HOUR_MS))),
    contributors: burns
      .filter(({ microUsd }) => microUsd > 0n)
      .toSorted((a, b) => Number(b.microUsd - a.microUsd))
      .slice(0, MOST_CONTRIBUTORS)
      .map(({ keyHash, keyName, microUsd }) => ({
        key_hash: keyHash,
        key_name: keyName,
        share: Number(microUsd) / Number(total),
      })),
  };
}
