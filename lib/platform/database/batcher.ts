import "server-only";
import { setImmediate } from "node:timers";
import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Database } from "./transaction";
import { noteStoreFailure } from "./store-failure";
import { processWide } from "../process-wide";

/** Limits of one write. */
export interface BatchLimits<Item> {
  items: number;
  /** Maximum weight, in the unit of `weigh`. A heavier item is written alone. */
  weight: number;
  weigh: (item: Item) => number;
}

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Writes items in batches, one batch at a time. Items that arrive during a write form the next batch, so an idle database adds no
 * delay. After a failed batch, its items are written separately.
 */
export class Batcher<Item, Result> {
  #queue: Waiting<Item, Result>[] = [];
  #isScheduled = false;
  #writing: Promise<void> | null = null;

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
      await this.#writing;
    } while (this.#queue.length > 0 || this.#writing);
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
    if (this.#writing || this.#queue.length === 0) return;
    this.#writing = this.#deliver(this.#next()).then(() => {
      this.#writing = null;
      this.#start();
    });
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

/** Batchers and last writes by database, for closing it. */
const openBatchers = processWide("batchers", () => new WeakMap<object, Pick<Batcher<never, never>, "drained">[]>());
const lastWrites = processWide("last writes", () => new WeakMap<object, (() => Promise<void>)[]>());

/** Runs `work` when the database is about to be closed, after pending writes. */
export function beforeClosing(db: Database, work: () => Promise<void>): void {
  lastWrites().set(db, [...(lastWrites().get(db) ?? []), work]);
}

/** Writes everything that is pending, so that the database can be closed. */
export async function finishWrites(db: Database): Promise<void> {
  await drained(db);
  const works = lastWrites().get(db) ?? [];
  lastWrites().delete(db);
  // The database may be closed already; then there is nothing to report.
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
    openBatchers().set(db, [...(openBatchers().get(db) ?? []), batcher]);
    return batcher;
  };
}

/** Resolves when no writes are pending. */
export async function drained(db: Database): Promise<void> {
  await Promise.all(
    openBatchers()
      .get(db)
      ?.map((batcher) => batcher.drained()) ?? [],
  );
}
