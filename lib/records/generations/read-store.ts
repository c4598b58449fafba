import "server-only";
import { invalid, type Issue } from "../../platform/api-error";
import { noteSearch } from "../../platform/database/pending-lists";
import { withStatementLimit } from "../../platform/database/statement-limit";
import { isCancelled } from "../../platform/database/store-failure";
import type { Database } from "../../platform/database/transaction";

/** Time limit of a log query. */
export const LIMIT_MS = 10_000;

interface Reading {
  /** Words to search for. */
  q?: string | undefined;
  /** The parameter to name in an error. */
  path?: Issue["path"];
  limitMs?: number;
}

/** Runs a log query. If it exceeds the time limit, the caller has to narrow it (400). */
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
