import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";

const { sql, empty, join } = Prisma;

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * How long the budget of an end user is stored after its window began: longer than the window, the one after it, which may
 * take over what is left, and the longest request.
 */
const KEPT_MS = {
  minutely: 2 * HOUR_MS,
  hourly: 4 * HOUR_MS,
  daily: 3 * DAY_MS,
  weekly: 16 * DAY_MS,
  monthly: 65 * DAY_MS,
} as const;

/**
 * Deletes some budgets of limits which nothing needs any more: those of short windows and of end users, because there may be
 * any number of them, counts of concurrent requests that were not used for a day, and those of what was deleted.
 */
export function purgeLimitBudgets(db: Database, now: Date, most: number): PromiseLike<number> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const ended = Object.entries(KEPT_MS).map(
    ([window, ms]) => sql`"window" = ${window}::budget_window AND window_start < ${before(ms)}
      ${window === "minutely" || window === "hourly" ? empty : sql`AND subject = 'end_user'`}`,
  );
  const isUnused = sql`"window" = 'lifetime' AND updated_at < ${before(DAY_MS)}
    AND NOT EXISTS (SELECT 1 FROM budget_leases WHERE budget_id = budgets.id)`;
  const conditions = [
    ...ended,
    sql`${isUnused} AND subject = 'end_user' AND spent_micro_usd = 0`,
    sql`${isUnused} AND NOT EXISTS (SELECT 1 FROM limits WHERE limits.id = budgets.source_id)
      AND NOT EXISTS (SELECT 1 FROM guardrails WHERE guardrails.id = budgets.source_id) AND NOT EXISTS (SELECT 1 FROM keys WHERE keys.id = budgets.source_id)`,
  ];
  // Each one is an ordered scan of an index, so that a batch doesn't read what later ones delete.
  const found = conditions.map(
    (condition) => sql`(SELECT ctid FROM budgets WHERE ${condition} ORDER BY window_start LIMIT ${most})`,
  );
  return db.$executeRaw`
    DELETE FROM budgets WHERE ctid = ANY(ARRAY(${join(found, " UNION ALL ")} LIMIT ${most}))
      AND (${join(
        conditions.map((condition) => sql`(${condition})`),
        " OR ",
      )})`;
}
