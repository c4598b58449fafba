import "server-only";
import { Prisma } from "../../../prisma/generated/client";

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
 * SQL that finds budgets of limits which nothing needs any more: those of short windows and of end users, because there may be
 * any number of them, counts of concurrent requests that were not used for a day, and those of deleted limits.
 */
export function endedLimitBudgets(now: Date): Prisma.Sql {
  const { sql, join } = Prisma;
  const before = (ms: number) => new Date(now.getTime() - ms);
  const ended = Object.entries(KEPT_MS).map(
    ([window, ms]) => sql`("window"::text = ${window} AND window_start < ${before(ms)}
      ${window === "minutely" || window === "hourly" ? Prisma.empty : sql`AND subject::text = 'end_user'`})`,
  );
  const isUnused = sql`updated_at < ${before(DAY_MS)} AND NOT EXISTS (SELECT 1 FROM budget_leases WHERE budget_id = budgets.id)`;
  return sql`(
    ${join(ended, " OR ")}
    OR ("window" = 'lifetime' AND subject::text = 'end_user' AND spent_micro_usd = 0 AND ${isUnused})
    OR (subject::text NOT IN ('key', 'member') AND ${isUnused} AND NOT EXISTS (SELECT 1 FROM limits WHERE limits.id = source_id)))`;
}
