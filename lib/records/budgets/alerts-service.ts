import "server-only";
import { NIL } from "uuid";
import { Prisma, type Limit as LimitRow } from "../../../prisma/generated/client";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { logger } from "../../platform/logger";
import { publish } from "../../platform/outbox/outbox-store";
import { alertText } from "./alert-text";
import type { Settlement } from "../../engine/budgets/budget-rule";
import { windowAt } from "../../engine/cycles";
import { MOST_SUBJECTS } from "../../engine/budgets/vocabulary";
import { selectList } from "../../platform/database/column-names";
import type { Budget } from "./contract";
import { toRule } from "./limit-rows";
import { budgetsOf, type ListedLimit } from "./list-service";
import { currentWindowStart, totalRaiseSql } from "./list-store";

/** A budget and a reached threshold, in the order of recording. */
interface Place {
  budget_id: string;
  percent: number;
}

interface Crossing extends Place {
  /** False if another process has recorded it in the meantime. */
  is_first: boolean;
  organization_id: string;
  guardrail_id: string | null;
  limit_id: string | null;
  subject: Budget["subject"]["type"];
  subject_id: string;
  /** The key's hash, or the subject's id. */
  public_id: string;
}

const LIMIT_COLUMNS = selectList("limits", Prisma.LimitScalarFieldEnum);

const EXHAUSTED = 100;
/** Limits the lookup of a guardrail's budgets for a key and its member. */
const FEW = { skip: 0, take: 10 };
/**
 * Crossings per transaction, which has 30 seconds. Each takes some milliseconds, and a tenth of a second on an
 * overloaded machine.
 */
const CROSSINGS_AT_ONCE = 25;
const START: Place = { budget_id: "00000000-0000-0000-0000-000000000000", percent: 0 };

/**
 * Records thresholds reached in the current windows and sends one alert for each. A unique row per budget and percent
 * prevents duplicates across processes. `ids` restricts the check to recently charged budgets. Fails at the end if a
 * transaction failed; the next check repeats it.
 */
export async function raiseAlerts(db: Database, now: Date, ids: readonly string[] | null = null): Promise<void> {
  const failures: unknown[] = [];
  const limits = await watchedLimits(db, ids);
  for (let after: Place | undefined = START; after;) {
    const from: Place = after;
    let crossings: Crossing[] = [];
    try {
      await inTransaction(db, async (transaction) => {
        crossings = await transaction.$queryRaw<Crossing[]>(crossingsOf(now, ids, from, limits));
        for (const crossing of crossings)
          if (crossing.is_first) await publishCrossing(transaction, crossing, limits, now);
      });
    } catch (error) {
      failures.push(error);
    }
    after = crossings[CROSSINGS_AT_ONCE - 1];
  }
  if (failures.length > 0) throw new AggregateError(failures, "budget alerts could not be recorded");
}

interface WatchedLimit extends ListedLimit {
  organizationId: string;
}

/** Returns the spending limits to check. One for each end user isn't, because it could send any number of alerts. */
async function watchedLimits(db: Database, ids: readonly string[] | null): Promise<WatchedLimit[]> {
  const rows = await db.$queryRaw<LimitRow[]>`
    SELECT ${LIMIT_COLUMNS} FROM limits WHERE enabled AND metric = 'spend' AND amount > 0 AND NOT (is_for_each AND subject = 'end_user')
      ${ids === null ? Prisma.empty : Prisma.sql`AND id IN (SELECT source_id FROM budgets WHERE budgets.id = ANY(${ids}::uuid[]))`}`;
  return rows.map((row) => ({
    ...toRule(row),
    countsSince: row.countsSince,
    organizationId: row.organizationId,
  }));
}

/** Rows of `windows` for limits. */
function windowsOfLimits(limits: readonly WatchedLimit[], now: Date): Prisma.Sql {
  const given = limits.map(({ id, organizationId, amount, cycle }) => ({
    id,
    organization_id: organizationId,
    amount: String(amount),
    window: cycle.interval ?? "lifetime",
    window_start: windowAt(cycle, now).start,
  }));
  return Prisma.sql`
    SELECT given.id, NULL, given.organization_id, given.amount, NULL, organizations.budget_thresholds, given."window", given.window_start, true
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      AS given(id uuid, organization_id uuid, amount bigint, "window" budget_window, window_start timestamptz)
      JOIN organizations ON organizations.id = given.organization_id`;
}

const SPENDER = {
  guardrailId: Prisma.sql`windows.guardrail_id`,
  subject: Prisma.sql`budgets.subject`,
  subjectId: Prisma.sql`budgets.subject_id`,
};

/** Ordered by budget and percent, so that concurrent checks lock in the same order. */
const crossingsOf = (
  now: Date,
  ids: readonly string[] | null,
  after: Place,
  limits: readonly WatchedLimit[],
) => Prisma.sql`
  WITH limited AS (
    SELECT guardrails.id AS source_id, guardrails.id AS guardrail_id, organizations.id AS organization_id, limit_micro_usd, reset_interval,
      coalesce(own.percents, organizations.budget_thresholds) AS percents
    FROM guardrails JOIN workspaces ON workspaces.id = guardrails.workspace_id JOIN organizations ON organizations.id = workspaces.organization_id
      LEFT JOIN guardrail_thresholds own ON own.guardrail_id = guardrails.id
    WHERE guardrails.deleted_at IS NULL AND limit_micro_usd > 0
    UNION ALL
    SELECT keys.id, NULL, organizations.id, limit_micro_usd, limit_reset, organizations.budget_thresholds
    FROM keys JOIN organizations ON organizations.id = keys.organization_id WHERE keys.deleted_at IS NULL AND limit_micro_usd > 0
  ), windows AS (
    SELECT limited.*, coalesce(reset_interval::text, 'lifetime')::budget_window AS "window", ${currentWindowStart(now)} AS window_start, false AS is_limit FROM limited
    ${limits.length === 0 ? Prisma.empty : Prisma.sql`UNION ALL ${windowsOfLimits(limits, now)}`}
  ), due AS (
    SELECT budgets.id AS budget_id, threshold.percent::int, budgets.spent_micro_usd + budgets.carried_micro_usd AS spent_micro_usd, raised.limit_micro_usd,
      windows.organization_id, windows.guardrail_id, CASE WHEN windows.is_limit THEN windows.source_id END AS limit_id, budgets.subject, budgets.subject_id
    FROM budgets JOIN windows USING (source_id, "window", window_start) CROSS JOIN LATERAL jsonb_array_elements_text(windows.percents) AS threshold(percent)
      CROSS JOIN LATERAL (
        SELECT windows.limit_micro_usd + CASE WHEN windows.is_limit THEN budgets.carried_micro_usd ELSE ${totalRaiseSql(SPENDER, now)} END AS limit_micro_usd
      ) AS raised
    WHERE (budgets.spent_micro_usd + budgets.carried_micro_usd) * 100 >= raised.limit_micro_usd * threshold.percent::int ${ids === null ? Prisma.empty : Prisma.sql`AND budgets.id = ANY(${ids}::uuid[])`}
      AND NOT EXISTS (SELECT 1 FROM budget_alerts known WHERE known.budget_id = budgets.id AND known.percent = threshold.percent::int)
      AND (budgets.id, threshold.percent::int) > (${after.budget_id}::uuid, ${after.percent}::int)
    ORDER BY budgets.id, threshold.percent::int LIMIT ${CROSSINGS_AT_ONCE}
  ), crossed AS (
    INSERT INTO budget_alerts (budget_id, percent, spent_micro_usd, limit_micro_usd, reached_at)
    SELECT budget_id, percent, spent_micro_usd, limit_micro_usd, ${now} FROM due ORDER BY budget_id, percent
    ON CONFLICT DO NOTHING RETURNING budget_id, percent
  )
  SELECT due.budget_id::text, due.percent, crossed.budget_id IS NOT NULL AS is_first, due.organization_id::text, due.guardrail_id::text,
    due.limit_id::text, due.subject::text, due.subject_id, coalesce(keys.hash, nullif(due.subject_id, ''), due.limit_id::text) AS public_id
  FROM due LEFT JOIN crossed USING (budget_id, percent) LEFT JOIN keys ON keys.id = CASE WHEN due.subject = 'key' THEN due.subject_id::uuid END
  ORDER BY due.budget_id, due.percent`;

/** Publishes the event of a threshold that a budget has reached. */
async function publishCrossing(
  db: Database,
  crossing: Crossing,
  limits: readonly WatchedLimit[],
  now: Date,
): Promise<void> {
  const { percent, organization_id: organizationId, guardrail_id, limit_id, subject, subject_id, public_id } = crossing;
  const limit = limits.find(({ id }) => id === limit_id);
  const filters = {
    organizationId,
    workspaceId: null,
    keyHash: !limit && subject === "key" ? public_id : null,
    userId: !limit && subject === "member" ? public_id : null,
    // Only the limit is wanted.
    guardrailId: limit ? NIL : guardrail_id,
    now,
  };
  const listed = limit ? [{ ...limit, subjectIds: limit.subjectIds ?? (subject_id === "" ? null : [subject_id]) }] : [];
  const budgets = await budgetsOf(db, filters, limit ? { skip: 0, take: MOST_SUBJECTS } : FEW, listed);
  const budget = budgets.find(
    (each) => each.guardrail_id === guardrail_id && each.subject.type === subject && each.subject.id === public_id,
  );
  // The key was disabled, or the guardrail no longer applies to anyone.
  if (!budget) return;
  const type = percent === EXHAUSTED ? "budget.exhausted" : "budget.threshold_reached";
  await publish(db, organizationId, [{ type, data: { percent, message: alertText(budget, percent), budget } }], now);
}

/** Delay that merges checks during bursts of traffic. */
const WAIT_MS = 1_000;

/** Recently charged budgets that are waiting for a check. */
const waiting = new WeakMap<Database, Set<string>>();

/**
 * Schedules a check of settled budgets within a second, outside the request. A job that runs every minute catches
 * checks lost in a crash.
 */
export function scheduleAlertCheck(db: Database, settlements: readonly Settlement[], now: Date): void {
  const spent = settlements.filter(({ costMicroUsd }) => costMicroUsd > 0n).map(({ budgetId }) => budgetId);
  if (spent.length === 0) return;
  const known = waiting.get(db);
  if (known) {
    for (const id of spent) known.add(id);
    return;
  }
  const ids = new Set(spent);
  waiting.set(db, ids);
  setTimeout(() => {
    waiting.delete(db);
    raiseAlerts(db, new Date(now.getTime() + WAIT_MS), [...ids]).catch((err: unknown) => {
      logger().warn({ err }, "budget thresholds could not be checked");
    });
  }, WAIT_MS).unref();
}
