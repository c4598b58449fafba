import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Limit } from "../../engine/budgets/budget-rule";
import { windowAt } from "../../engine/cycles";
import type { Database } from "../../platform/database/transaction";
import type { Workspaces } from "../../platform/grants";
import { reservedByBudget } from "../budgets/balances-store";

const { sql, empty } = Prisma;

/** What a subject has used of a limit in its current period. */
export interface StandingRow {
  limit_id: string;
  subject_id: string;
  /** As stored: less what was carried over. */
  spent: bigint;
  carried: bigint;
  reserved: bigint;
}

/** Which subjects are wanted. */
interface StandingFilter {
  /** Of limits that count requests of all workspaces, only these workspaces and their keys. */
  workspaces: Workspaces;
  /** Only these subjects of a limit; missing for all. */
  subjectIds?: ReadonlyMap<string, readonly string[]>;
}

const requested = (limits: readonly Limit[], { workspaces, subjectIds }: StandingFilter, now: Date) => {
  const rows = limits.map(({ id, workspaceId, subject, cycle }) => ({
    limit_id: id,
    subject,
    window: cycle.interval ?? "lifetime",
    window_start: windowAt(cycle, now).start,
    is_narrowed: workspaces !== "all" && workspaceId === null && subject !== "keys",
    subject_ids: subjectIds?.get(id) ?? null,
  }));
  return sql`
    jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS requested(limit_id uuid, subject budget_subject, "window" budget_window,
      window_start timestamptz, is_narrowed boolean, subject_ids text[])`;
};

const isRequested = ({ workspaces }: StandingFilter) => sql`
  budgets.source_id = requested.limit_id AND budgets.subject = requested.subject
  AND budgets."window" = requested."window" AND budgets.window_start = requested.window_start
  AND (requested.subject_ids IS NULL OR budgets.subject_id = ANY(requested.subject_ids))
  ${
    workspaces === "all"
      ? empty
      : sql`AND (NOT requested.is_narrowed OR budgets.subject_id = ANY(${workspaces}::text[])
          OR budgets.subject_id IN (SELECT id::text FROM keys WHERE workspace_id = ANY(${workspaces}::uuid[])))`
  }`;

/** Returns the subjects of each limit that have used most of it, at most `take` after `skip`. */
export const standingsOf = (
  db: Database,
  limits: readonly Limit[],
  filter: StandingFilter,
  { skip, take }: { skip: number; take: number },
  now: Date,
): PromiseLike<StandingRow[]> => db.$queryRaw<StandingRow[]>`
  WITH held AS MATERIALIZED (${reservedByBudget(db, now)})
  SELECT requested.limit_id::text, top.* FROM ${requested(limits, filter, now)}
  CROSS JOIN LATERAL (
    SELECT budgets.subject_id, spent_micro_usd AS spent, carried_micro_usd AS carried, coalesce(held.micro_usd, 0) AS reserved
    FROM budgets LEFT JOIN held ON held.budget_id = budgets.id WHERE ${isRequested(filter)}
    ORDER BY spent_micro_usd + coalesce(held.micro_usd, 0) DESC, subject_id OFFSET ${skip} LIMIT ${take}
  ) AS top`;

/** Returns how many subjects have used a limit in its current period. */
export async function countStandings(db: Database, limit: Limit, filter: StandingFilter, now: Date): Promise<number> {
  const [row] = await db.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM ${requested([limit], filter, now)} JOIN budgets ON ${isRequested(filter)}`;
  return row?.total ?? 0;
}
