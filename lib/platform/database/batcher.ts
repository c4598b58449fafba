import "server-only";
import type { Database } from "./transaction";
import { storeFailure } from "./store-failure";

/** What one write may take together. */
export interface BatchLimits<Item> {
  items: number;
  /** In the unit of `weigh`; a heavier item goes alone. */
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
 * One write at a time: what comes meanwhile waits and is written together next, so that a busy store sees few large writes
 * and an idle one no delay. A batch that fails is written item by item: a bad one spoils no other.
 */
export class Batcher<Item, Result> {
  #queue: Waiting<Item, Result>[] = [];
  #running: Promise<void> | null = null;

  constructor(
    private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: BatchLimits<Item>,
  ) {}

  /** How many items wait for the write that is under way. */
  get waiting(): number {
    return this.#queue.length;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, weight: this.limits.weigh(item), resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything submitted so far is written or has failed. */
  async drained(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // What is submitted in the same turn goes together.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#deliver(this.#next());
    this.#running = null;
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
      // A store in trouble fails them all alike; asking it once more for each would only keep the rest waiting.
      if (batch.length === 1 || storeFailure(error)) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await this.#deliver([waiting]);
    }
  }
}

/** Batchers by database handle, for the one who closes it: one list a process, whichever bundle asks. */
const holder = globalThis as typeof globalThis & {
  __signalboxBatchers?: WeakMap<object, Pick<Batcher<never, never>, "drained">[]>;
};

/** A batcher for each database, made on first use. */
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

/** Resolves when nothing waits to be written to a database: it may be closed. */
export async function drained(db: Database): Promise<void> {
  await Promise.all(holder.__signalboxBatchers?.get(db)?.map((batcher) => batcher.drained()) ?? []);
}
