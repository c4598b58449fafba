import "server-only";
import { setImmediate } from "node:timers";
import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Database } from "./transaction";
import { noteStoreFailure } from "./store-failure";

/** Limits of one write. */
export interface BatchLimits<Item> {
  items: number;
  /** In the unit of `weigh`; a heavier item is written alone. */
  weight: number;
  weigh: (item: Item) => number;
  /** Number of writes at once; one by default. */
  atOnce?: number;
  /** Longest time in milliseconds for which a busy store waits for more items; none by default. */
  gatherMs?: number;
}

/** Size of a batch that shows that a store is busy. */
const SEVERAL = 4;

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Writes items that arrive together in one batch, so that a busy store gets few large writes and an idle one has no
 * delay. What arrives during a write waits for its end; with a second write at once, only until it is as large as the
 * first, so that batches don't shrink. After a batch of several items the next one may wait as long as that took, because the
 * cost of a write hardly depends on its size. After a failed batch, items are written separately.
 */
export class Batcher<Item, Result> {
  #queue: Waiting<Item, Result>[] = [];
  #isScheduled = false;
  /** Sizes of the batches being written. */
  readonly #running = new Map<Promise<void>, number>();
  /** Time until which the next batch waits for more items. */
  #gathersUntil = 0;
  #isGathering = false;

  constructor(
    private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: BatchLimits<Item>,
  ) {}

  /** Returns the number of items waiting for the current write. */
  get waiting(): number {
    return this.#queue.length;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, weight: this.limits.weigh(item), resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when everything submitted so far was written or has failed. */
  async drained(): Promise<void> {
    do {
      await endOfTurn();
      await Promise.all(this.#running.keys());
    } while (this.#queue.length > 0 || this.#running.size > 0);
  }

  /** Items of the same turn of the event loop are batched. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#mayStart()) {
      const batch = this.#next();
      const startedAt = performance.now();
      const writing = this.#deliver(batch).then(() => {
        this.#running.delete(writing);
        const now = performance.now();
        const gatherMs = batch.length >= SEVERAL ? (this.limits.gatherMs ?? 0) : 0;
        this.#gathersUntil = now + Math.min(now - startedAt, gatherMs);
        this.#start();
      });
      this.#running.set(writing, batch.length);
    }
  }

  #mayStart(): boolean {
    const { length } = this.#queue;
    if (this.#running.size === 0) return length > 0 && this.#hasGathered();
    return this.#running.size < (this.limits.atOnce ?? 1) && length >= Math.max(...this.#running.values());
  }

  /** Starts the next batch later if it still waits for more items. */
  #hasGathered(): boolean {
    const leftMs = this.#gathersUntil - performance.now();
    if (leftMs <= 0) return true;
    if (this.#isGathering) return false;
    this.#isGathering = true;
    setTimeout(() => {
      this.#isGathering = false;
      this.#start();
    }, leftMs);
    return false;
  }

  #next(): Waiting<Item, Result>[] {
    let count = 0;
    for (let weight = 0; count < this.limits.items; count++) {
      weight += this.#queue[count]?.weight ?? Infinity;
      if (count > 0 && weight > this.limits.weight) break;
    }
    return this.#queue.splice(0, count);
  }

  async #deliver(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      // A failing store fails for every item, and retrying each one would delay the others.
      if (batch.length === 1 || noteStoreFailure(error)) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await this.#deliver([waiting]);
    }
  }
}

/** Batchers and last writes by database, shared by all bundles of the process, for closing the database. */
const holder = globalThis as typeof globalThis & {
  __signalboxBatchers?: WeakMap<object, Pick<Batcher<never, never>, "drained">[]>;
  __signalboxLastWrites?: WeakMap<object, (() => Promise<void>)[]>;
};

/** Runs `work` when the database is about to be closed, after pending writes. */
export function beforeClosing(db: Database, work: () => Promise<void>): void {
  const all = (holder.__signalboxLastWrites ??= new WeakMap());
  all.set(db, [...(all.get(db) ?? []), work]);
}

/** Writes everything that is pending, so that the database can be closed. */
export async function finishWrites(db: Database): Promise<void> {
  await drained(db);
  const works = holder.__signalboxLastWrites?.get(db) ?? [];
  holder.__signalboxLastWrites?.delete(db);
  // The database may be gone already; then it has nothing left to tell.
  await Promise.allSettled(works.map((work) => work()));
}

/** Creates a batcher per database on first use. */
export function batcherPerDatabase<Item, Result>(
  make: (db: Database) => Batcher<Item, Result>,
): (db: Database) => Batcher<Item, Result> {
  const batchers = new WeakMap<Database, Batcher<Item, Result>>();
  return (db) => {
    const known = batchers.get(db);
    if (known) return known;
    const batcher = make(db);
    batchers.set(db, batcher);
    const all = (holder.__signalboxBatchers ??= new WeakMap());
    all.set(db, [...(all.get(db) ?? []), batcher]);
    return batcher;
  };
}

/** Resolves when no writes are pending. */
export async function drained(db: Database): Promise<void> {
  await Promise.all(holder.__signalboxBatchers?.get(db)?.map((batcher) => batcher.drained()) ?? []);
}
