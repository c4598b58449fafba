import "server-only";
import { LeaseLedger, type BudgetCharge } from "../../engine/budgets/lease-ledger";
import type { Lease } from "../../engine/budgets/lease";
import type { Settlement } from "../../engine/budgets/budget-rule";
import { beforeClosing } from "../../platform/database/batcher";
import type { Database } from "../../platform/database/transaction";
import { uuidv7 } from "../../platform/ids";
import { logger } from "../../platform/logger";
import { maintain, recalledOf } from "./leases-store";
import { processWide } from "../../platform/process-wide";

/** Interval for showing reservations to other processes and for responding to recalls. */
const MAINTAIN_EVERY_MS = 500;

/** This process's leases in one database. */
export class ProcessLeases {
  /** The latest known time, with the monotonic clock at that moment. */
  #clock = { now: new Date(0), since: 0 };
  #timer: NodeJS.Timeout | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isMaintaining = false;
  #hasFailed = false;
  readonly ledger = new LeaseLedger(() => uuidv7(this.now()));

  constructor(private readonly db: Database) {}

  /** Returns the current time, extrapolated from the times of requests. */
  now(): Date {
    return new Date(this.#clock.now.getTime() + performance.now() - this.#clock.since);
  }

  /** Notes the time of a request, and starts maintenance of leases. */
  touch(now: Date): void {
    running().add(this);
    if (now > this.#clock.now) this.#clock = { now, since: performance.now() };
    this.#timer ??= setInterval(() => void this.#maintainOnce(), MAINTAIN_EVERY_MS).unref();
  }

  /** Maintains leases, unless the database still holds up the last run. Logs only the first failure. */
  async #maintainOnce(): Promise<void> {
    if (this.#isMaintaining) return;
    this.#isMaintaining = true;
    try {
      await this.maintain();
      this.#hasFailed = false;
    } catch (err) {
      if (!this.#hasFailed) logger().warn({ err }, "budget leases could not be renewed");
      this.#hasFailed = true;
    } finally {
      this.#isMaintaining = false;
    }
  }

  /** Runs statements that raise or lower leases one after another; settlements may run in parallel. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Renews leases, publishes reservations and returns unneeded amounts. */
  maintain(): Promise<void> {
    return this.exclusively(async () => {
      const now = this.now();
      await this.#maintain(await recalledOf(this.db, this.ledger.idle(), now), now);
      if (this.ledger.isEmpty) this.#stop();
    });
  }

  /** Returns all amounts that aren't reserved, and ends maintenance. */
  close(): Promise<void> {
    return this.exclusively(async () => {
      await this.#maintain(new Set(this.ledger.idle()), this.now());
      this.#stop();
    });
  }

  async #maintain(recalled: ReadonlySet<string>, now: Date): Promise<void> {
    const upkeep = this.ledger.maintain(recalled, now);
    this.ledger.confirmUpdates(upkeep, await maintain(this.db, upkeep.changed, upkeep.ended));
  }

  /** Records costs and lowers leases in `write`. */
  async settle(
    settlements: readonly Settlement[],
    now: Date,
    write: (charges: readonly BudgetCharge[]) => PromiseLike<unknown>,
  ): Promise<void> {
    const charges = this.ledger.settle(settlements, now);
    try {
      await write(charges);
      this.ledger.confirmCharges(charges, null);
    } catch (error) {
      this.ledger.confirmCharges(charges, this.now());
      throw error;
    }
  }

  #stop(): void {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
    running().delete(this);
  }
}

const leasesByDatabase = processWide("leases", () => new WeakMap<Database, ProcessLeases>());
/** Leases under maintenance. */
const running = processWide("running leases", () => new Set<ProcessLeases>());

/** Returns this process's leases; none inside a transaction. */
export const leasesHere = (db: Database): Lease[] => leasesByDatabase().get(db)?.ledger.leases() ?? [];

/** Returns this process's leases in a database. */
export function leasesOf(db: Database): ProcessLeases {
  const known = leasesByDatabase().get(db);
  if (known) return known;
  const leases = new ProcessLeases(db);
  leasesByDatabase().set(db, leases);
  beforeClosing(db, () => leases.close());
  return leases;
}

/** Makes this process ask the database about a budget whose row is locked while its spend changes. */
export function outdate(budgetId: string): void {
  for (const { ledger } of running()) ledger.outdate(budgetId);
}
