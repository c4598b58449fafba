import { totalRaise } from "./budget";
import type { ReservationRequest } from "./admission";
import type { Budget, BudgetRule, ReservedBudget } from "./budget-rule";

/** A process's share of a budget, from which it admits requests without asking the database. Times are in milliseconds. */
export interface Lease {
  id: string;
  /** At most the amount of the lease's row in the database. */
  grantedMicroUsd: bigint;
  /** Maximum cost of the running requests. */
  reservedMicroUsd: bigint;
  /** The limit within which the lease was granted. */
  ceilingMicroUsd: bigint;
  /** The budget's spend when the lease was granted. */
  spentMicroUsd: bigint;
  /** What counts besides the reservations of this process, as far as it knows. */
  usedMicroUsd: bigint;
  /** Amount reserved ahead of requests. */
  sliceMicroUsd: bigint;
  /** True near the limit: every reservation is granted and returned singly. */
  isExact: boolean;
  expiresAt: number;
  filledAt: number;
  usedAt: number;
}

/** The database's state of a budget, read while its row is locked. */
export interface BudgetState {
  spentMicroUsd: bigint;
  carriedMicroUsd?: bigint;
  /** Leases of other processes. */
  othersMicroUsd: bigint;
  /** The part of other processes' leases that isn't known to be reserved. */
  othersIdleMicroUsd: bigint;
  /** The process's own lease; null when it has expired. */
  ownMicroUsd: bigint | null;
  /** Time at which processes were last requested to return what they don't need. */
  recalledAt: number | null;
}

/** Time until a lease expires without renewal, which frees the lease of a crashed process. */
export const LEASE_MS = 120_000;
/** Leases are renewed when they expire within this time. */
const RENEW_WITHIN_MS = 90_000;
/** Divisor of the remaining amount that a process may take in advance. */
const SHARE = 8n;
/** Reservations in the first slice. */
const FIRST_SLICE = 8n;
/** Slices double when they last less than this time. */
const SHORT_MS = 1_000;
/** Slices halve when they last longer than this time. */
const LONG_MS = 10_000;
/** After a recall, reservations are granted singly for this time. */
export const RECALL_MS = 10_000;
/** Unused amounts are returned after this time. */
const IDLE_MS = 10_000;

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** A lease before its first grant. */
export const newLease = (id: string, reservedMicroUsd: bigint, now: number): Lease => ({
  id,
  grantedMicroUsd: 0n,
  reservedMicroUsd,
  ceilingMicroUsd: 0n,
  spentMicroUsd: 0n,
  usedMicroUsd: 0n,
  sliceMicroUsd: 0n,
  isExact: true,
  expiresAt: 0,
  filledAt: now,
  usedAt: now,
});

/** Returns the limit without exceptions. */
export const ordinaryLimit = ({ limitMicroUsd, raises = [] }: BudgetRule): bigint => limitMicroUsd - totalRaise(raises);

/** Returns the limit within which amounts are leased in advance: beyond the ordinary limit only once it is spent. */
const ceilingOf = (rule: BudgetRule, spentMicroUsd: bigint): bigint =>
  spentMicroUsd >= ordinaryLimit(rule) ? rule.limitMicroUsd : ordinaryLimit(rule);

/**
 * Returns whether a lease covers a reservation, and then whether only an exception makes it possible; null when the
 * database is needed.
 */
export function coverOf(
  lease: Lease,
  rule: BudgetRule,
  microUsd: bigint,
  now: number,
): Pick<ReservedBudget, "isBeyond"> | null {
  if (now >= lease.expiresAt || lease.grantedMicroUsd - lease.reservedMicroUsd < microUsd) return null;
  const ordinary = ordinaryLimit(rule);
  if (lease.ceilingMicroUsd <= ordinary) return { isBeyond: false };
  return lease.spentMicroUsd >= ordinary && lease.ceilingMicroUsd <= rule.limitMicroUsd ? { isBeyond: true } : null;
}

/** Returns what is left of a limit, as far as the process knows. */
export const remainingOf = ({ usedMicroUsd, reservedMicroUsd }: Lease, { limitMicroUsd }: BudgetRule): bigint =>
  most(limitMicroUsd - usedMicroUsd - reservedMicroUsd, 0n);

/** True when less than half of a slice is left, so the next slice is taken early. */
export const runsLow = ({ isExact, grantedMicroUsd, reservedMicroUsd, sliceMicroUsd }: Lease): boolean =>
  !isExact && (grantedMicroUsd - reservedMicroUsd) * 2n < sliceMicroUsd;

/** Returns the size of the next slice, which follows the rate of use. */
function nextSlice({ sliceMicroUsd, filledAt }: Lease, largestMicroUsd: bigint, now: number): bigint {
  const lasted = now - filledAt;
  const adapted = lasted < SHORT_MS ? sliceMicroUsd * 2n : lasted > LONG_MS ? sliceMicroUsd / 2n : sliceMicroUsd;
  return most(adapted, largestMicroUsd * FIRST_SLICE);
}

/**
 * Returns a lease after the database was queried. It covers the reservations that were just admitted, and a slice in
 * advance as long as a share of what is left is larger than a reservation.
 * @param largestMicroUsd The largest reservation requested.
 */
export function filled(
  lease: Lease,
  rule: BudgetRule,
  state: BudgetState,
  largestMicroUsd: bigint,
  now: number,
): Lease {
  const { spentMicroUsd, othersMicroUsd, recalledAt } = state;
  const { reservedMicroUsd, grantedMicroUsd } = lease;
  const ceilingMicroUsd = ceilingOf(rule, spentMicroUsd);
  const usedMicroUsd = spentMicroUsd + othersMicroUsd + unsettledOf(lease, state);
  const left = ceilingMicroUsd - usedMicroUsd - reservedMicroUsd;
  const sliceMicroUsd = least(nextSlice(lease, largestMicroUsd, now), most(left, 0n) / SHARE);
  const isRecalled = recalledAt !== null && now < recalledAt + RECALL_MS;
  const isExact = isRecalled || sliceMicroUsd < most(largestMicroUsd, 1n);
  const idle = isExact ? 0n : least(left, most(sliceMicroUsd, grantedMicroUsd - reservedMicroUsd));
  return {
    ...lease,
    grantedMicroUsd: reservedMicroUsd + idle,
    ceilingMicroUsd,
    spentMicroUsd,
    usedMicroUsd,
    sliceMicroUsd,
    isExact,
    expiresAt: now + LEASE_MS,
    filledAt: now,
  };
}

/** Amounts of the process's own lease that are being settled or returned, and still count in the database. */
const unsettledOf = ({ grantedMicroUsd }: Lease, { ownMicroUsd }: BudgetState): bigint =>
  most((ownMicroUsd ?? 0n) - grantedMicroUsd, 0n);

/** Returns the reserved amount of a budget that counts against the limit. */
export const reservedIn = (lease: Lease, state: BudgetState): bigint =>
  state.othersMicroUsd + unsettledOf(lease, state) + lease.reservedMicroUsd;

/**
 * Returns a lease after requests ended: their cost leaves it, and what they reserved too much stays for the next requests
 * up to two slices.
 * @param pendingMicroUsd Granted by a statement under way, for some of the reservations.
 */
export function settled(lease: Lease, endedMicroUsd: bigint, costMicroUsd: bigint, pendingMicroUsd: bigint): Lease {
  const { grantedMicroUsd } = lease;
  const reservedMicroUsd = lease.reservedMicroUsd - endedMicroUsd;
  const held = grantedMicroUsd + pendingMicroUsd;
  const kept = reservedMicroUsd + (lease.isExact ? 0n : lease.sliceMicroUsd * 2n);
  const returned = held - most(reservedMicroUsd, least(held - costMicroUsd, kept));
  return {
    ...lease,
    reservedMicroUsd,
    usedMicroUsd: lease.usedMicroUsd + costMicroUsd,
    grantedMicroUsd: grantedMicroUsd - least(most(returned, 0n), grantedMicroUsd),
  };
}

/** Returns a lease without the part that isn't needed any more. */
export const trimmed = (lease: Lease, isRecalled: boolean, now: number): Lease =>
  isRecalled || now - lease.usedAt >= IDLE_MS
    ? { ...lease, isExact: true, grantedMicroUsd: least(lease.grantedMicroUsd, lease.reservedMicroUsd) }
    : lease;

export const renewalIsDue = ({ expiresAt }: Lease, now: number): boolean =>
  expiresAt > now && expiresAt - now < RENEW_WITHIN_MS;

/** Returns each budget named by requests once, under its lowest limit, with the largest amount requested. */
export function demandsOf(requests: readonly ReservationRequest[]): { budget: Budget; largestMicroUsd: bigint }[] {
  const demands = new Map<string, { budget: Budget; largestMicroUsd: bigint }>();
  for (const { budget, microUsd } of requests.flatMap(({ charges }) => charges)) {
    const known = demands.get(budget.id);
    demands.set(budget.id, {
      budget: known && ordinaryLimit(known.budget.rule) <= ordinaryLimit(budget.rule) ? known.budget : budget,
      largestMicroUsd: known && known.largestMicroUsd > microUsd ? known.largestMicroUsd : microUsd,
    });
  }
  return [...demands.values()].sort((a, b) => (a.budget.id < b.budget.id ? -1 : 1));
}
