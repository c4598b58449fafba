import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { fromMicroUsd } from "../../engine/money";
import { windowStart } from "../../engine/windows";
import { isOrdinaryMember, type Context } from "../../platform/context";
import { invalid } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { ACTIVITY_DAYS, type getActivity } from "./activity-contract";
import { DAY_MS } from "./vocabulary";

interface ActivityRow {
  date: string;
  model: string;
  provider_slug: string;
  provider_name: string | null;
  workspace_id: string | null;
  requests: number;
  spend: bigint;
  byok_spend: bigint;
  prompt_tokens: bigint;
  completion_tokens: bigint;
  reasoning_tokens: bigint;
}

const { sql, empty } = Prisma;

/** Sums generations that reached a provider, by day, model and provider, newest day first. */
export async function activity(
  { caller, db, now }: Context,
  { query }: Input<typeof getActivity>,
): Promise<Result<typeof getActivity>> {
  const { from, to } = daysOf(query.date, now);
  const userId = isOrdinaryMember(caller) ? caller.userId : null;
  const byWorkspace = query.group_by === "workspace";
  const rows = await db.$queryRaw<ActivityRow[]>`
    SELECT to_char(g.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, g.model, g.provider_slug, p.name AS provider_name,
      ${byWorkspace ? sql`g.workspace_id::text` : sql`NULL::text`} AS workspace_id,
      count(*)::int AS requests,
      sum(g.cost_micro_usd)::bigint AS spend,
      coalesce(sum(g.cost_micro_usd) FILTER (WHERE g.is_byok), 0)::bigint AS byok_spend,
      coalesce(sum(g.tokens_prompt), 0)::bigint AS prompt_tokens,
      coalesce(sum(g.tokens_completion), 0)::bigint AS completion_tokens,
      coalesce(sum(g.tokens_reasoning), 0)::bigint AS reasoning_tokens
    FROM generations g
    LEFT JOIN providers p ON p.organization_id = g.organization_id AND p.slug = g.provider_slug
    WHERE g.organization_id = ${caller.organizationId}::uuid AND g.created_at >= ${from} AND g.created_at < ${to}
      AND g.provider_slug IS NOT NULL
      ${userId === null ? empty : sql`AND g.user_id = ${userId}`}
      ${query.user_id === undefined ? empty : sql`AND g.user_id = ${query.user_id}`}
      ${query.workspace_id === undefined ? empty : sql`AND g.workspace_id = ${query.workspace_id}::uuid`}
      ${query.api_key_hash === undefined ? empty : sql`AND g.key_id = (SELECT id FROM keys WHERE hash = ${query.api_key_hash} AND organization_id = ${caller.organizationId}::uuid)`}
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1 DESC, spend DESC, 2, 3, 5`;
  return { data: rows.map(toItem) };
}

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
  requests: row.requests,
  usage: fromMicroUsd(row.spend),
  byok_usage_inference: fromMicroUsd(row.byok_spend),
  prompt_tokens: Number(row.prompt_tokens),
  completion_tokens: Number(row.completion_tokens),
  reasoning_tokens: Number(row.reasoning_tokens),
});
