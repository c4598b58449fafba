import { admit, type Admission, type Balances, type ReservationRequest } from "./admission";
import type { BudgetRule, ReservedBudget, Settlement } from "./budget-rule";
import {
  coverOf,
  demandsOf,
  filled,
  LEASE_MS,
  newLease,
  remainingOf,
  RECALL_MS,
  renewalIsDue,
  reservedIn,
  runsLow,
  settled,
  trimmed,
  type Lease,
  type BudgetState,
} from "./lease";

/** A lease, and what the process knows about its row. */
interface Account {
  budgetId: string;
  lease: Lease;
  /** The reserved amount that the row shows. */
  shownMicroUsd: bigint;
  /** Charges of running statements, or of statements that failed at a time and may still have been executed. */
  unsettled: Map<BudgetCharge, number | null>;
  /** Amount of a grant that isn't committed yet. */
  pendingMicroUsd: bigint;
  /** False before the first grant. */
  hasRow: boolean;
  /** True when the database is needed, because the spend was recomputed or the row wasn't found. */
  isOutdated: boolean;
}

/** A change of a lease's row while the budget is locked. */
export interface Grant {
  budgetId: string;
  leaseId: string;
  /** Negative when the lease returns something. */
  addedMicroUsd: bigint;
  reservedMicroUsd: bigint;
  expiresAt: Date;
}

/** Decisions about requests, and the database changes they need. */
export interface Decided {
  admissions: Admission[];
  /** Requests that could be admitted if other processes return unused amounts. */
  retryable: ReadonlySet<ReservationRequest>;
  grants: Grant[];
  /** Budgets whose leases should return unused amounts. */
  recalled: string[];
}

/** Changes to one budget by a batch of recorded requests. */
export interface BudgetCharge {
  budgetId: string;
  costMicroUsd: bigint;
  /** Null when the process has no lease. */
  leaseId: string | null;
  /** Amount by which the lease shrinks. */
  returnedMicroUsd: bigint;
  reservedMicroUsd: bigint;
}

/** The new values of a lease's row; it never rises. */
export interface LeaseUpdate {
  leaseId: string;
  budgetId: string;
  grantedMicroUsd: bigint;
  reservedMicroUsd: bigint;
  expiresAt: Date;
}

/** A request that runs longer frees its reservations, so that a lost one doesn't hold them forever. */
const LONGEST_REQUEST_MS = 60 * 60_000;
/** Longer than any statement runs after its connection is lost. */
const LONGEST_STATEMENT_MS = 60_000;
/** Time in which a running process answers a recall. */
export const ANSWER_MS = 1_500;

/** An amount that no row shows, so the next upkeep writes it. */
const UNKNOWN = -1n;

interface Reservation {
  amounts: { budgetId: string; microUsd: bigint }[];
  at: number;
}

/** The leases of one process and its running requests. It only calculates: callers write the returned changes. */
export class LeaseLedger {
  #accounts = new Map<string, Account>();
  #reservations = new Map<string, Reservation>();
  #topUps = new Set<string>();

  constructor(private readonly newId: () => string) {}

  get isEmpty(): boolean {
    return this.#accounts.size === 0;
  }

  /** Reserves under all leases of a request; null when one of them is too small. */
  reserve({ generationId, charges, now }: ReservationRequest): ReservedBudget[] | null {
    const at = now.getTime();
    const held: ReservedBudget[] = [];
    for (const { budget, microUsd } of charges) {
      const account = this.#accounts.get(budget.id);
      const cover = account && !account.isOutdated ? coverOf(account.lease, budget.rule, microUsd, at) : null;
      if (!cover) return null;
      held.push({ budgetId: budget.id, rule: budget.rule, isBeyond: cover.isBeyond });
    }
    this.#hold(generationId, charges, at);
    return held.map((one) => {
      const account = one.rule.limit && this.#accounts.get(one.budgetId);
      return account ? { ...one, remaining: remainingOf(account.lease, one.rule) } : one;
    });
  }

  /** Returns the budgets of a request that need their next slice, each once until `endTopUp`. */
  startTopUp(charges: ReservationRequest["charges"]): ReservationRequest["charges"] {
    const low = charges.filter(({ budget }) => {
      const account = this.#accounts.get(budget.id);
      return account && !this.#topUps.has(budget.id) && runsLow(account.lease);
    });
    for (const { budget } of low) this.#topUps.add(budget.id);
    return low;
  }

  endTopUp(charges: ReservationRequest["charges"]): void {
    for (const { budget } of charges) this.#topUps.delete(budget.id);
  }

  leaseIdOf(budgetId: string): string | null {
    return this.#accounts.get(budgetId)?.lease.id ?? null;
  }

  /**
   * Admits requests in order by what the locked rows hold, and fills the leases of all budgets they name. The reservations
   * count from now on, the grants once `confirmGrants` is called.
   * @param topUps Requests admitted before, whose leases run low.
   */
  decide(
    asking: readonly ReservationRequest[],
    topUps: readonly ReservationRequest[],
    states: ReadonlyMap<string, BudgetState>,
    now: Date,
  ): Decided {
    const at = now.getTime();
    const accounts = new Map(
      [...states].map(([id, state]) => [id, { state, account: this.#currentAccount(id, state, at) }]),
    );
    const balances: Balances = new Map(
      [...accounts].map(([id, { account, state }]) => [
        id,
        {
          spentMicroUsd: state.spentMicroUsd,
          carriedMicroUsd: state.carriedMicroUsd,
          reservedMicroUsd: reservedIn(account.lease, state),
        },
      ]),
    );
    const admissions = admit(asking, balances);
    for (const [index, { generationId, charges }] of asking.entries())
      if (admissions[index] && "held" in admissions[index]) this.#hold(generationId, charges, at);

    const exhausted = new Set(
      admissions.flatMap((admission) => ("exhausted" in admission ? admission.exhausted.map(({ id }) => id) : [])),
    );
    const answering = [...exhausted].filter((id) => {
      const { othersIdleMicroUsd = 0n, recalledAt = null } = states.get(id) ?? {};
      return (
        othersIdleMicroUsd > 0n && (recalledAt === null || at < recalledAt + ANSWER_MS || at >= recalledAt + RECALL_MS)
      );
    });
    const retryable = asking.filter((_, index) => {
      const admission = admissions[index];
      return admission && "exhausted" in admission && admission.exhausted.every(({ id }) => answering.includes(id));
    });
    return {
      admissions,
      retryable: new Set(retryable),
      recalled: answering.filter((id) => at >= (states.get(id)?.recalledAt ?? -Infinity) + RECALL_MS),
      grants: demandsOf([...asking, ...topUps]).flatMap(({ budget, largestMicroUsd }) => {
        const { account, state } = accounts.get(budget.id) ?? {};
        return account && state ? this.#grantOf(account, budget.rule, state, largestMicroUsd, at) : [];
      }),
    };
  }

  /** Counts committed grants. */
  confirmGrants(grants: readonly Grant[]): void {
    for (const { budgetId, leaseId, addedMicroUsd, reservedMicroUsd, expiresAt } of grants) {
      const account = this.#accounts.get(budgetId);
      if (account?.lease.id !== leaseId) continue;
      const { lease } = account;
      account.pendingMicroUsd = 0n;
      account.lease = {
        ...lease,
        grantedMicroUsd: lease.grantedMicroUsd + (addedMicroUsd > 0n ? addedMicroUsd : 0n),
        expiresAt: expiresAt.getTime(),
      };
      account.shownMicroUsd = reservedMicroUsd;
    }
  }

  /** Reverts decisions whose grants weren't committed. */
  cancel(asking: readonly ReservationRequest[], topUps: readonly ReservationRequest[]): void {
    for (const { generationId } of asking) this.#end(generationId);
    for (const { budget } of demandsOf([...asking, ...topUps])) {
      const account = this.#accounts.get(budget.id);
      if (account) account.pendingMicroUsd = 0n;
    }
  }

  /** Ends requests. Returns the changes that their records make, by ascending budget; `confirmCharges` must follow. */
  settle(settlements: readonly Settlement[], now: Date): BudgetCharge[] {
    const costs = new Map<string, bigint>();
    for (const { budgetId, costMicroUsd } of settlements)
      costs.set(budgetId, (costs.get(budgetId) ?? 0n) + costMicroUsd);
    const ended = new Map<string, bigint>();
    for (const generationId of new Set(settlements.map((one) => one.generationId)))
      for (const { budgetId, microUsd } of this.#take(generationId))
        ended.set(budgetId, (ended.get(budgetId) ?? 0n) + microUsd);
    return [...costs]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([budgetId, costMicroUsd]) => this.#charge(budgetId, costMicroUsd, ended.get(budgetId) ?? 0n, now));
  }

  /** Confirms the charges of a statement, or marks them as uncertain if it failed: it may still have been executed. */
  confirmCharges(charges: readonly BudgetCharge[], failedAt: Date | null): void {
    for (const charge of charges) {
      const account = this.#accounts.get(charge.budgetId);
      if (account?.lease.id !== charge.leaseId) continue;
      if (!failedAt) account.unsettled.delete(charge);
      else {
        account.unsettled.set(charge, failedAt.getTime());
        account.shownMicroUsd = UNKNOWN;
      }
    }
  }

  /** Budgets with an unreserved part, which may have been recalled. */
  idle(): string[] {
    return [...this.#accounts.values()]
      .filter(({ lease }) => lease.grantedMicroUsd > lease.reservedMicroUsd)
      .map(({ budgetId }) => budgetId);
  }

  /** Returns the leases to renew, update or shrink, and those that have ended. */
  maintain(recalled: ReadonlySet<string>, now: Date): { changed: LeaseUpdate[]; ended: LeaseUpdate[] } {
    const at = now.getTime();
    for (const [generationId, { at: begun }] of this.#reservations)
      if (at - begun > LONGEST_REQUEST_MS) this.#end(generationId);
    const changed: LeaseUpdate[] = [];
    const ended: LeaseUpdate[] = [];
    for (const account of this.#accounts.values()) {
      const { budgetId, unsettled, shownMicroUsd } = account;
      const before = account.lease;
      for (const [charge, failedAt] of unsettled)
        if (failedAt !== null && at - failedAt > LONGEST_STATEMENT_MS) unsettled.delete(charge);
      const lease = trimmed(before, recalled.has(budgetId), at);
      account.lease = lease;
      const upkeep: LeaseUpdate = {
        budgetId,
        leaseId: lease.id,
        grantedMicroUsd: [...unsettled.keys()].reduce(
          (sum, { returnedMicroUsd }) => sum + returnedMicroUsd,
          lease.grantedMicroUsd,
        ),
        reservedMicroUsd: lease.reservedMicroUsd,
        expiresAt: new Date(renewalIsDue(lease, at) ? at + LEASE_MS : lease.expiresAt),
      };
      const isUsed = upkeep.grantedMicroUsd > 0n || lease.reservedMicroUsd > 0n || unsettled.size > 0;
      if (!isUsed && account.hasRow) ended.push(upkeep);
      else if (!isUsed) this.#accounts.delete(budgetId);
      else if (
        lease.grantedMicroUsd !== before.grantedMicroUsd ||
        lease.reservedMicroUsd !== shownMicroUsd ||
        renewalIsDue(lease, at)
      )
        changed.push(upkeep);
    }
    return { changed, ended };
  }

  /** Counts written upkeep. A lease without a row needs the database. */
  confirmUpdates({ changed, ended }: ReturnType<LeaseLedger["maintain"]>, written: ReadonlySet<string>): void {
    for (const { budgetId, leaseId, reservedMicroUsd, expiresAt } of changed) {
      const account = this.#accounts.get(budgetId);
      if (account?.lease.id !== leaseId) continue;
      account.isOutdated ||= !written.has(leaseId);
      if (account.isOutdated) continue;
      account.shownMicroUsd = reservedMicroUsd;
      account.lease = { ...account.lease, expiresAt: expiresAt.getTime() };
    }
    for (const { budgetId, leaseId } of ended) {
      const account = this.#accounts.get(budgetId);
      if (account?.lease.id === leaseId && account.lease.reservedMicroUsd === 0n) this.#accounts.delete(budgetId);
    }
  }

  /** Makes the next request of a budget query the database, after its spend was recomputed. */
  outdate(budgetId: string): void {
    const account = this.#accounts.get(budgetId);
    if (account) account.isOutdated = true;
  }

  /** The current leases, which are newer than their rows. */
  leases(): Lease[] {
    return [...this.#accounts.values()].map(({ lease }) => lease);
  }

  #hold(generationId: string, charges: ReservationRequest["charges"], at: number): void {
    const amounts = charges.map(({ budget, microUsd }) => ({ budgetId: budget.id, microUsd }));
    this.#reservations.set(generationId, { amounts, at });
    for (const { budgetId, microUsd } of amounts) this.#change(budgetId, microUsd, at);
  }

  #end(generationId: string): void {
    for (const { budgetId, microUsd } of this.#take(generationId)) this.#change(budgetId, -microUsd, null);
  }

  #take(generationId: string): Reservation["amounts"] {
    const amounts = this.#reservations.get(generationId)?.amounts ?? [];
    this.#reservations.delete(generationId);
    return amounts;
  }

  #change(budgetId: string, microUsd: bigint, usedAt: number | null): void {
    const account = this.#accounts.get(budgetId);
    if (!account) return;
    const { lease } = account;
    account.lease = {
      ...lease,
      reservedMicroUsd: lease.reservedMicroUsd + microUsd,
      usedAt: Math.max(lease.usedAt, usedAt ?? 0),
    };
  }

  /** Returns the account of a budget. Creates a new lease when the row of the old one has expired. */
  #currentAccount(budgetId: string, { ownMicroUsd }: BudgetState, at: number): Account {
    const known = this.#accounts.get(budgetId);
    if (known && ownMicroUsd !== null) return known;
    const lease = newLease(this.newId(), known?.lease.reservedMicroUsd ?? 0n, at);
    const account: Account = {
      budgetId,
      lease,
      shownMicroUsd: 0n,
      unsettled: new Map(),
      pendingMicroUsd: 0n,
      hasRow: false,
      isOutdated: false,
    };
    this.#accounts.set(budgetId, account);
    return account;
  }

  #grantOf(account: Account, rule: BudgetRule, state: BudgetState, largestMicroUsd: bigint, at: number): Grant[] {
    const { lease, budgetId } = account;
    const next = filled(lease, rule, state, largestMicroUsd, at);
    const addedMicroUsd = next.grantedMicroUsd - lease.grantedMicroUsd;
    // What is returned can't be used from now on; what is added, only once it is committed.
    const grantedMicroUsd = addedMicroUsd < 0n ? next.grantedMicroUsd : lease.grantedMicroUsd;
    account.lease = { ...next, grantedMicroUsd, expiresAt: lease.expiresAt };
    account.pendingMicroUsd = addedMicroUsd > 0n ? addedMicroUsd : 0n;
    account.isOutdated = false;
    if (!account.hasRow && next.grantedMicroUsd === 0n) return [];
    account.hasRow = true;
    return [
      {
        budgetId,
        leaseId: lease.id,
        addedMicroUsd,
        reservedMicroUsd: next.reservedMicroUsd,
        expiresAt: new Date(next.expiresAt),
      },
    ];
  }

  #charge(budgetId: string, costMicroUsd: bigint, endedMicroUsd: bigint, now: Date): BudgetCharge {
    const account = this.#accounts.get(budgetId);
    if (!account) return { budgetId, costMicroUsd, leaseId: null, returnedMicroUsd: 0n, reservedMicroUsd: 0n };
    const before = account.lease;
    const lease = settled(before, endedMicroUsd, costMicroUsd, account.pendingMicroUsd);
    const { id: leaseId, reservedMicroUsd } = lease;
    account.lease = { ...lease, usedAt: Math.max(lease.usedAt, now.getTime()) };
    // Two statements under way may be executed in any order.
    account.shownMicroUsd = account.unsettled.size === 0 ? reservedMicroUsd : UNKNOWN;
    const returnedMicroUsd = before.grantedMicroUsd - lease.grantedMicroUsd;
    const charge = { budgetId, costMicroUsd, leaseId, returnedMicroUsd, reservedMicroUsd };
    account.unsettled.set(charge, null);
    return charge;
  }
}
