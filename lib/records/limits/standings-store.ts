import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Limit } from "../../engine/budgets/budget-rule";
import { windowAt } from "../../engine/cycles";
import type { Database } from "../../platform/database/transaction";
import { reservedSql } from "../budgets/balances-store";

const { sql } = Prisma;

/** What a subject has used of a limit in its current period. */
export interface StandingRow {
  limit_id: string;
  subject_id: string;
  /** As stored: less what was carried over. */
  spent: bigint;
  carried: bigint;
  reserved: bigint;
}

const windowsOf = (limits: readonly Limit[], now: Date) =>
  JSON.stringify(
    limits.map(({ id, subject, cycle }) => ({
      limit_id: id,
      subject,
      window: cycle.interval ?? "lifetime",
      window_start: windowAt(cycle, now).start,
    })),
  );

const requested = (limits: readonly Limit[], now: Date) => sql`
  jsonb_to_recordset(${windowsOf(limits, now)}::jsonb)
    AS requested(limit_id uuid, subject budget_subject, "window" budget_window, window_start timestamptz)`;

const OF_REQUESTED = sql`budgets.source_id = requested.limit_id AND budgets.subject = requested.subject
  AND budgets."window" = requested."window" AND budgets.window_start = requested.window_start`;

/** Returns the subjects of each limit that have used most of it, at most `take` after `skip`. */
export const standingsOf = (
  db: Database,
  limits: readonly Limit[],
  { skip, take }: { skip: number; take: number },
  now: Date,
): PromiseLike<StandingRow[]> => db.$queryRaw<StandingRow[]>`
  SELECT requested.limit_id::text, top.* FROM ${requested(limits, now)}
  CROSS JOIN LATERAL (
    SELECT budgets.subject_id, spent_micro_usd AS spent, carried_micro_usd AS carried, ${reservedSql(db, sql`budgets.id`, now)} AS reserved
    FROM budgets WHERE ${OF_REQUESTED}
    ORDER BY spent_micro_usd + ${reservedSql(db, sql`budgets.id`, now)} DESC, subject_id OFFSET ${skip} LIMIT ${take}
  ) AS top`;

/** Returns how many subjects have used a limit in its current period. */
export async function countStandings(db: Database, limit: Limit, now: Date): Promise<number> {
  const [row] = await db.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM ${requested([limit], now)} JOIN budgets ON ${OF_REQUESTED}`;
  return row?.total ?? 0;
}
