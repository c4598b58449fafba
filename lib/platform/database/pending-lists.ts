import "server-only";
import type { Database } from "./transaction";
import { processWide } from "../process-wide";

/**
 * Characters of content after which lists are merged, and after which a search merges them. A merge rewrites the index entry of each
 * new word, so fewer merges cost less in total; but the planner overestimates long lists and reads the contents instead.
 */
const [MERGE_AFTER, MERGE_FOR_SEARCH_AFTER] = [4 * 1024 * 1024, 512 * 1024];

/** Length at which PostgreSQL merges within a write. Varied text takes about as much as its length, and more arrives during a merge. */
export const LIST_LIMIT = "32MB";

/** SQL that merges the pending lists of the log's full-text indexes. */
export const MERGE = `
  SELECT gin_clean_pending_list(indexes.indexrelid) FROM pg_partition_tree('generation_contents') AS partitions
  JOIN pg_index AS indexes ON indexes.indrelid = partitions.relid
  JOIN pg_class ON pg_class.oid = indexes.indexrelid JOIN pg_am ON pg_am.oid = pg_class.relam
  WHERE partitions.isleaf AND pg_am.amname = 'gin'`;

/**
 * Merges the pending lists of GIN indexes on a separate connection. Otherwise the write that fills a list merges it, which
 * delays all records by 200 ms for a list of 4 MB. Writes continue during a merge.
 */
export class PendingLists {
  #characters = 0;
  #merging: Promise<unknown> | null = null;

  /** @param merge Failures are ignored: the next merge, or PostgreSQL, catches up. */
  constructor(private readonly merge: () => Promise<unknown>) {}

  /** Notes content that was written. */
  note(characters: number): void {
    this.#characters += characters;
    this.#mergeAfter(MERGE_AFTER);
  }

  /** Notes a search, so that later searches read shorter lists. */
  noteSearch(): void {
    this.#mergeAfter(MERGE_FOR_SEARCH_AFTER);
  }

  #mergeAfter(characters: number): void {
    if (this.#characters < characters || this.#merging) return;
    this.#characters = 0;
    this.#merging = this.merge()
      .catch(() => undefined)
      .finally(() => (this.#merging = null));
  }

  /** Resolves when no list is being merged. */
  async settled(): Promise<void> {
    await this.#merging;
  }
}

/** Lists by database. */
const listsByDatabase = processWide("pending lists", () => new WeakMap<object, PendingLists>());

export function attachPendingLists(db: object, lists: PendingLists): void {
  listsByDatabase().set(db, lists);
}

export const noteSearch = (db: Database): void => listsByDatabase().get(db)?.noteSearch();

export const noteContent = (db: Database, characters: number): void => listsByDatabase().get(db)?.note(characters);
