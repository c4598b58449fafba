import "server-only";
import { LRUCache } from "lru-cache";
import type { Database } from "./transaction";
import { processWide } from "../process-wide";

/** Kinds of cached values. They are built from tables whose triggers note changes in `policy_changes`. */
export type CacheKind =
  | "key"
  | "session"
  | "subject"
  | "layers"
  | "catalogue"
  | "preset"
  | "logging"
  | "unpriced"
  | "limits";

export type CacheKey = readonly [kind: CacheKind, ...parts: (string | number | null)[]];

export interface Loaded<T> {
  organizationId: string;
  value: T;
}

/** Returns the value of another key that is part of the value being loaded, and caches it. */
export type Share = <T>(key: CacheKey, loaded: Loaded<T>) => T;

/** Time for which values are used after they were last confirmed to be current. */
export const CURRENT_MS = 1000;
const MOST_ENTRIES = 20_000;

interface Entry extends Loaded<unknown> {
  /** Start of the load, on the process's monotonic clock. */
  loadedAt: number;
}

interface Load {
  loadedAt: number;
  result: Promise<Loaded<unknown> | null>;
  /** False when policy changed after the load had started, so that its result may be outdated. */
  isCurrent: boolean;
}

const textOf = (key: CacheKey) => key.join("\n");

/**
 * Caches values built from policy tables until a change of their organization is noted, and at most `CURRENT_MS` after they were last
 * confirmed to be current.
 */
export class PolicyCache {
  #entries = new LRUCache<string, Entry>({ max: MOST_ENTRIES });
  #loading = new Map<string, Load>();
  #confirmedAt = -Infinity;
  /** Asks the database for changes that weren't notified; never rejects. */
  refresh: () => Promise<void> = async () => undefined;
  /** Drops the values that this process has just changed, unless a notification has done so; never rejects. */
  seeOwnChanges: () => Promise<void> = async () => undefined;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Returns a value without waiting if it is cached and current, because every request asks several times. */
  get<T>(key: CacheKey, load: (share: Share) => Promise<Loaded<T> | null>): T | Promise<T | null> {
    const text = textOf(key);
    const found = this.#find(text);
    return found ? (found.value as T) : this.#refreshed(text, load);
  }

  async #refreshed<T>(text: string, load: (share: Share) => Promise<Loaded<T> | null>): Promise<T | null> {
    if (this.#entries.has(text)) await this.refresh();
    const loaded = this.#find(text) ?? (await this.#load(text, load));
    return loaded ? (loaded.value as T) : null;
  }

  /** Drops the values of an organization whose policy changed, or all. */
  drop(organizationId?: string): void {
    for (const load of this.#loading.values()) load.isCurrent = false;
    this.#loading.clear();
    if (organizationId === undefined) this.#entries.clear();
    else
      for (const [text, entry] of this.#entries.entries())
        if (entry.organizationId === organizationId) this.#entries.delete(text);
  }

  /** Notes that all changes committed up to a time have been dropped. */
  confirm(at: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, at);
  }

  #find(text: string): Entry | undefined {
    const entry = this.#entries.get(text);
    return entry && this.#isConfirmed(entry) ? entry : undefined;
  }

  #isConfirmed({ loadedAt }: { loadedAt: number }): boolean {
    return this.clock() - Math.max(loadedAt, this.#confirmedAt) < CURRENT_MS;
  }

  #load(text: string, load: (share: Share) => Promise<Loaded<unknown> | null>): Load["result"] {
    const running = this.#loading.get(text);
    if (running && this.#isConfirmed(running)) return running.result;
    const loadedAt = this.clock();
    const store = (at: string, loaded: Loaded<unknown>) => {
      if (started.isCurrent) this.#entries.set(at, { ...loaded, loadedAt });
    };
    const share: Share = <T>(key: CacheKey, loaded: Loaded<T>) => {
      const at = textOf(key);
      const found = started.isCurrent ? this.#find(at) : undefined;
      if (!found) store(at, loaded);
      return found ? (found.value as T) : loaded.value;
    };
    const finish = async () => {
      try {
        const loaded = await load(share);
        if (loaded) store(text, loaded);
        return loaded;
      } finally {
        if (this.#loading.get(text) === started) this.#loading.delete(text);
      }
    };
    const started: Load = { loadedAt, isCurrent: true, result: Promise.resolve(null) };
    this.#loading.set(text, started);
    started.result = finish();
    return started.result;
  }
}

/** Caches by database. */
const caches = processWide("policy caches", () => new WeakMap<object, PolicyCache>());

export function attachCache(db: Database, cache: PolicyCache): void {
  caches().set(db, cache);
}

/** Makes a change by this process take effect in it. Waits only if a pooler withholds its notifications. */
export const seeOwnChanges = async (db: Database): Promise<void> => caches().get(db)?.seeOwnChanges();

/**
 * Returns a value built from policy tables, cached until they change. Inside a transaction, which sees its own changes, it is always
 * loaded. Null isn't cached.
 */
export function cached<T>(
  db: Database,
  key: CacheKey,
  load: (share: Share) => Promise<Loaded<T> | null>,
): T | null | Promise<T | null> {
  const cache = caches().get(db);
  return cache ? cache.get(key, load) : load((_key, part) => part.value).then((loaded) => loaded?.value ?? null);
}
