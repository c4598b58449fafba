import "server-only";
import { LeaseLedger, type BudgetCharge } from "../../engine/budgets/lease-ledger";
import type { Lease } from "../../engine/budgets/lease-policy";
import type { Settlement } from "../../engine/budgets/budget-rule";
import { beforeClosing } from "../../platform/database/batcher";
import type { Database } from "../../platform/database/transaction";
import { uuidv7 } from "../../platform/ids";
import { logger } from "../../platform/logger";
import { maintain, recalledOf } from "./leases-store";
import { processWide } from "../../platform/process-wide";

/** Interval for showing reservations to other processes and for answering recalls. */
const MAINTAIN_EVERY_MS = 500;

/** The leases of this process in one database. */
export class ProcessLeases {
  /** The latest time known, and its place on the monotonic clock. */
  #clock = { now: new Date(0), since: 0 };
  #timer: NodeJS.Timeout | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isMaintaining = false;
  #hasFailed = false;
  readonly ledger = new LeaseLedger(() => uuidv7(this.now()));

  constructor(private readonly db: Database) {}

  /** The time now, from the times of requests. */
  now(): Date {
    return new Date(this.#clock.now.getTime() + performance.now() - this.#clock.since);
  }

  /** Notes the time of a request, and starts the upkeep of leases. */
  touch(now: Date): void {
    running().add(this);
    if (now > this.#clock.now) this.#clock = { now, since: performance.now() };
    this.#timer ??= setInterval(() => void this.#maintainOnce(), MAINTAIN_EVERY_MS).unref();
  }

  /** Maintains leases, unless a database that doesn't answer still holds up the last time. Logs only the first failure. */
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

  /** Runs statements that raise or lower leases one after the other; only settlements run at the same time. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Renews leases, shows what is reserved and returns what isn't needed. */
  maintain(): Promise<void> {
    return this.exclusively(async () => {
      const now = this.now();
      await this.#maintain(await recalledOf(this.db, this.ledger.idle(), now), now);
      if (this.ledger.isEmpty) this.#stop();
    });
  }

  /** Returns everything that isn't reserved, and ends the upkeep. */
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

  /** Records costs and lowers leases by `write`. */
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
/** Leases that are maintained. */
const running = processWide("running leases", () => new Set<ProcessLeases>());

/** Returns the leases of this process; none inside a transaction. */
export const leasesHere = (db: Database): Lease[] => leasesByDatabase().get(db)?.ledger.leases() ?? [];

/** Returns the leases of this process in a database. */
export function leasesOf(db: Database): ProcessLeases {
  const known = leasesByDatabase().get(db);
  if (known) return known;
  const leases = new ProcessLeases(db);
  leasesByDatabase().set(db, leases);
  beforeClosing(db, () => leases.close());
  return leases;
}

/** Makes this process ask the database about a budget whose row is locked for a change of its spend. */
export function outdate(budgetId: string): void {
  for (const { ledger } of running()) ledger.outdate(budgetId);
}
