import "server-only";
import { reachOf, type Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { fromMicroUsd } from "../../engine/money";
import { windowEnd, windowStart } from "../../engine/windows";
import { resolveWorkspaceId } from "../workspaces/store";
import type { Limit } from "../../engine/budgets/budget-rule";
import { MOST_LIMITS } from "../../engine/budgets/vocabulary";
import { windowAt } from "../../engine/cycles";
import { toRule } from "./limit-rows";
import type { Budget, listBudgets } from "./contract";
import { forecastOf, rateWindowStart, type RecentSpend } from "../../engine/budgets/forecast";
import {
  recentSpendOf,
  countBudgets,
  budgetPage,
  type BudgetFilters,
  type RecentSpendRow,
  type BudgetRow,
} from "./list-store";

export interface ListedLimit extends Limit {
  countsSince: Date;
}

/** Lists the budgets in force from the ledger; without the permission, members see only the budgets of their requests. */
export async function list(
  context: Context,
  { query }: Input<typeof listBudgets>,
): Promise<Result<typeof listBudgets>> {
  const { caller, db, now } = context;
  const reach = reachOf(caller, "budgets:read");
  const own = reach.workspaces.length === 0 ? reach.userId : null;
  if (own !== null && query.user_id !== undefined && query.user_id !== own) return { data: [], total_count: 0 };
  const filters: BudgetFilters = {
    organizationId: caller.organizationId,
    workspaceId: query.workspace_id === undefined ? null : await resolveWorkspaceId(context, query.workspace_id),
    keyHash: query.key_hash ?? null,
    userId: own ?? query.user_id ?? null,
    guardrailId: query.guardrail_id ?? null,
    reach,
    now,
  };
  const limits = query.include_limits === "false" ? [] : await spendingLimits(db, filters);
  const [counted] = await db.$queryRaw<{ total: number }[]>(countBudgets(filters, limits));
  return { data: await budgetsOf(db, filters, skipTake(query), limits), total_count: counted?.total ?? 0 };
}

/** Returns the spending limits to list; a guardrail has none. */
export async function spendingLimits(
  db: Database,
  { organizationId, guardrailId }: BudgetFilters,
): Promise<ListedLimit[]> {
  if (guardrailId !== null) return [];
  const rows = await db.limit.findMany({
    where: { organizationId, metric: "spend", enabled: true },
    orderBy: { id: "asc" },
    take: MOST_LIMITS,
  });
  return rows.map((row) => ({ ...toRule(row), countsSince: row.countsSince }));
}

/** Returns the selected budgets with their balances. */
export async function budgetsOf(
  db: Database,
  filters: BudgetFilters,
  place: { skip: number; take: number },
  limits: readonly ListedLimit[] = [],
): Promise<Budget[]> {
  const { now } = filters;
  const rows = await db.$queryRaw<BudgetRow[]>(budgetPage(db, filters, place, limits));
  if (rows.length === 0) return [];
  const known = new Map(limits.map((limit) => [limit.id, limit]));
  const limitOf = ({ limit_id }: BudgetRow) => known.get(limit_id ?? "");
  const since = rows.map((row) => startOfRate(row, limitOf(row), now));
  const burns = await db.$queryRaw<RecentSpendRow[]>(recentSpendOf(rows, since));
  const alerts = await db.budgetAlert.findMany({
    where: { budgetId: { in: rows.flatMap(({ budget_id }) => budget_id ?? []) } },
    orderBy: { percent: "asc" },
  });
  return rows.map((row, index) => ({
    ...toBudget(
      row,
      limitOf(row),
      since[index] ?? now,
      burns.filter(({ place }) => place === index),
      now,
    ),
    alerts: alerts
      .filter(({ budgetId }) => budgetId === row.budget_id)
      .map(({ percent, reachedAt }) => ({ percent, reached_at: reachedAt.toISOString() })),
  }));
}

const toBurn = ({ key_hash, key_name, micro_usd }: RecentSpendRow): RecentSpend => ({
  keyHash: key_hash,
  keyName: key_name,
  microUsd: micro_usd,
});

/** Returns the time from which the rate is measured. The spend of a limit is known for its whole window. */
function startOfRate({ interval }: BudgetRow, limit: ListedLimit | undefined, now: Date): Date {
  if (!limit) return rateWindowStart(windowStart(interval, now), now);
  return new Date(Math.max(windowAt(limit.cycle, now).start.getTime(), limit.countsSince.getTime()));
}

function toBudget(
  row: BudgetRow,
  limit: ListedLimit | undefined,
  since: Date,
  burns: readonly RecentSpendRow[],
  now: Date,
): Omit<Budget, "alerts"> {
  const left = row.limit - row.spent - row.reserved;
  const remainingMicroUsd = left > 0n ? left : 0n;
  const resetsAt = limit ? windowAt(limit.cycle, now).end : windowEnd(row.interval, now);
  const spends = limit ? [{ keyHash: "", keyName: "", microUsd: row.spent }] : burns.map(toBurn);
  const forecast = forecastOf({ spentMicroUsd: row.spent, remainingMicroUsd, resetsAt, since, burns: spends }, now);
  return {
    guardrail_id: row.guardrail_id,
    guardrail_name: row.guardrail_name,
    limit_id: row.limit_id,
    limit_name: row.limit_name,
    workspace_id: row.workspace_id,
    subject: { type: row.subject, id: row.public_id, name: row.name },
    limit_usd: fromMicroUsd(row.limit),
    raised_usd: fromMicroUsd(row.raised),
    spent_usd: fromMicroUsd(row.spent),
    reserved_usd: fromMicroUsd(row.reserved),
    remaining_usd: fromMicroUsd(remainingMicroUsd),
    reset_interval: row.interval,
    resets_at: resetsAt?.toISOString() ?? null,
    forecast: limit ? { ...forecast, contributors: [] } : forecast,
  };
}
