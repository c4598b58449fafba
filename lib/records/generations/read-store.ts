import "server-only";
import { invalid, type Issue } from "../../platform/api-error";
import { noteSearch } from "../../platform/database/pending-lists";
import { withStatementLimit } from "../../platform/database/statement-limit";
import { isCancelled } from "../../platform/database/store-failure";
import type { Database } from "../../platform/database/transaction";

/** Time limit of a query of the log. */
const LIMIT_MS = 10_000;

interface Reading {
  /** Words that the query searches for. */
  q?: string | undefined;
  /** The parameter that an error names. */
  path?: Issue["path"];
  limitMs?: number;
}

/** Runs a query of the log. One that exceeds the time limit is the caller's to narrow: 400. */
export async function readLog<T>(
  db: Database,
  { q, path = ["from"], limitMs = LIMIT_MS }: Reading,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  if (q !== undefined) noteSearch(db);
  try {
    return await withStatementLimit(db, limitMs, read);
  } catch (error) {
    if (!isCancelled(error)) throw error;
    throw invalid([
      {
        path,
        message: `too many generations to read within ${limitMs / 1000} s: narrow the time range or add a filter`,
        code: "range_too_wide",
      },
    ]);
  }
}
