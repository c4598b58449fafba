import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { fromMicroUsd } from "../../engine/money";
import { windowStart } from "../../engine/windows";
import { reachOf, type Context } from "../../platform/context";
import { invalid } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { scopeOf } from "../../records/generations/service";
import { ACTIVITY_DAYS, type getActivity } from "./activity-contract";
import { facts } from "./facts-store";
import type { Counted } from "./tables";
import { summed } from "./measure-columns";
import { consistently } from "./usage-store";
import { DAY_MS, type Group } from "./vocabulary";

interface ActivityRow {
  date: string;
  model: string;
  provider_slug: string;
  provider_name: string | null;
  workspace_id: string | null;
  requests: bigint;
  spend: bigint;
  byok_spend: bigint;
  tokens_prompt: bigint;
  tokens_completion: bigint;
  tokens_reasoning: bigint;
}

const { sql, raw } = Prisma;

/** Sums generations that reached a provider, by day, model and provider, newest day first. */
export async function activity(
  context: Context,
  { query }: Input<typeof getActivity>,
): Promise<Result<typeof getActivity>> {
  const { db, now, caller } = context;
  const { user_id, workspace_id, api_key_hash } = query;
  const by: Group[] = ["model", "provider", ...(query.group_by ? [query.group_by] : [])];
  const days = daysOf(query.date, now);
  const scope = scopeOf(context.caller, reachOf(context.caller, "analytics:read"));
  const filters = { user_id, workspace_id, key_hash: api_key_hash };
  const rows = await consistently(
    db,
    caller.organizationId,
    (transaction, progress) => {
      const of: Counted = { ...days, scope, filters, previousFrom: null, bucketSeconds: DAY_MS / 1000, progress };
      return transaction.$queryRaw<ActivityRow[]>(activityQuery(of, by));
    },
    { path: "date" },
  );
  return { data: rows.map(toItem) };
}

const SUMS = ["requests", "spend", "byok_spend", "tokens_prompt", "tokens_completion", "tokens_reasoning"] as const;

const activityQuery = (of: Counted, by: readonly Group[]): Prisma.Sql => sql`
  SELECT to_char(bucket AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, by_model AS model, by_provider AS provider_slug, providers.name AS provider_name,
    ${raw(by.includes("workspace") ? "by_workspace" : "NULL::text")} AS workspace_id, ${raw(summed(SUMS))}
  FROM (${facts(of, by, SUMS)}) facts
  LEFT JOIN providers ON providers.organization_id = ${of.scope.organizationId}::uuid AND providers.slug = by_provider
  WHERE by_provider <> ''
  GROUP BY 1, 2, 3, 4, 5
  ORDER BY 1 DESC, spend DESC, 2, 3, 5`;

function daysOf(date: string | undefined, now: Date): { from: Date; to: Date } {
  const today = windowStart("daily", now);
  const first = new Date(today.getTime() - ACTIVITY_DAYS * DAY_MS);
  if (date === undefined) return { from: first, to: today };
  const from = new Date(`${date}T00:00:00.000Z`);
  if (from < first || from >= today)
    throw invalid([{ path: ["date"], message: `must be one of the last ${ACTIVITY_DAYS} completed days in UTC` }]);
  return { from, to: new Date(from.getTime() + DAY_MS) };
}

const toItem = (row: ActivityRow): Result<typeof getActivity>["data"][number] => ({
  date: row.date,
  model: row.model,
  model_permaslug: row.model,
  endpoint_id: `${row.provider_slug}/${row.model}`,
  provider_name: row.provider_name ?? row.provider_slug,
  ...(row.workspace_id !== null && { workspace_id: row.workspace_id }),
  requests: Number(row.requests),
  usage: fromMicroUsd(row.spend),
  byok_usage_inference: fromMicroUsd(row.byok_spend),
  prompt_tokens: Number(row.tokens_prompt),
  completion_tokens: Number(row.tokens_completion),
  reasoning_tokens: Number(row.tokens_reasoning),
});
