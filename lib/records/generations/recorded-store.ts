import "server-only";
import type { Database } from "../../platform/database/transaction";
import { invalid } from "../../platform/api-error";
import type { Recorded } from "./page-store";

/**
 * Returns the oldest transaction that may still be open: later queries see everything written before it. A generation
 * is recorded when it ends, so its start time doesn't show whether it is new.
 */
export async function openTransactions(db: Database): Promise<bigint> {
  const rows = await db.$queryRaw<{ first: string }[]>`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS first`;
  return BigInt(rows[0]?.first ?? "0");
}

const FORM = /^(\d{1,18})~([\w-]{0,100})$/;

export const encodeTailCursor = ([transaction, id]: Recorded): string =>
  Buffer.from(`${transaction}~${id}`).toString("base64url");

export function decodeTailCursor(text: string): Recorded {
  const [, transaction, id] = FORM.exec(Buffer.from(text, "base64url").toString("utf8")) ?? [];
  if (transaction === undefined || id === undefined)
    throw invalid([
      {
        path: ["since"],
        message: "is not a valid cursor: send `next_cursor` of the previous response",
        code: "invalid_cursor",
      },
    ]);
  return [BigInt(transaction), id];
}
