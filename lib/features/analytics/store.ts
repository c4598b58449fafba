import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationStatus } from "../../records/generations/vocabulary";
import { BUCKET_ORIGIN } from "./buckets-policy";

/** Scope and time range of the counted generations. */
export interface Counted {
  organizationId: string;
  workspaceId: string | null;
  /** The member whose keys created them; null for everybody's. */
  userId: string | null;
  from: Date;
  to: Date;
}

const { sql, empty } = Prisma;
const TOP_SPENDERS = 8;
const TOP_RULES = 10;

/** Filters by range, scanning (organization_id, created_at) or (user_id, created_at). */
const counted = ({ organizationId, workspaceId, userId, from, to }: Counted) => sql`
  g.organization_id = ${organizationId}::uuid AND g.created_at >= ${from} AND g.created_at < ${to}
  ${workspaceId === null ? empty : sql`AND g.workspace_id = ${workspaceId}::uuid`}
  ${userId === null ? empty : sql`AND g.user_id = ${userId}`}`;

export interface TotalsRow extends Record<GenerationStatus | "requests", number> {
  is_current: boolean;
  spend: bigint;
  p95: number | null;
}

/** Totals of the range and, in the same scan, of the previous period. */
export const totalsOf = (of: Counted) => sql`
  SELECT g.created_at >= ${of.from} AS is_current, count(*)::int AS requests,
    count(*) FILTER (WHERE g.status = 'succeeded')::int AS succeeded, count(*) FILTER (WHERE g.status = 'failed')::int AS failed,
    count(*) FILTER (WHERE g.status = 'blocked')::int AS blocked, count(*) FILTER (WHERE g.status = 'cancelled')::int AS cancelled,
    sum(g.cost_micro_usd)::bigint AS spend, percentile_cont(0.95) WITHIN GROUP (ORDER BY g.latency_ms) AS p95
  FROM generations g
  WHERE ${counted({ ...of, from: new Date(2 * of.from.getTime() - of.to.getTime()) })}
  GROUP BY 1`;

export interface OutcomeRow {
  at: Date;
  status: GenerationStatus;
  requests: number;
}

export const outcomesOf = (of: Counted, bucketSeconds: number) => sql`
  SELECT date_bin(${bucketSeconds}::int * interval '1 second', g.created_at, ${BUCKET_ORIGIN}::timestamptz) AS at, g.status::text AS status, count(*)::int AS requests
  FROM generations g WHERE ${counted(of)} GROUP BY 1, 2`;

/** Dimensions by the value of GROUPING(): a bit for each column not grouped by. */
export const DIMENSION_OF = { 7: "model", 11: "key", 13: "member", 14: "provider" } as const;

export interface SpendRow {
  dimension: keyof typeof DIMENSION_OF;
  /** Null for those beyond the top. */
  place: number | null;
  id: string | null;
  name: string | null;
  spenders: number;
  spend: bigint;
  requests: number;
}

/** Spend by model, key, member and provider in one scan; those beyond the top are summed up. */
export const spendOf = (of: Counted) => sql`
  WITH shares AS (
    SELECT GROUPING(g.model, g.key_id, g.user_id, g.provider_slug) AS dimension, g.model, g.key_id, g.user_id, g.provider_slug,
      sum(g.cost_micro_usd) AS spend, count(*) AS requests
    FROM generations g WHERE ${counted(of)}
    GROUP BY GROUPING SETS ((g.model), (g.key_id), (g.user_id), (g.provider_slug))
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY dimension ORDER BY spend DESC, requests DESC, model, key_id, user_id, provider_slug) AS place FROM shares
  ), shown AS (
    SELECT dimension, place, model, key_id, user_id, provider_slug, 1 AS spenders, spend, requests FROM ranked WHERE place <= ${TOP_SPENDERS}
    UNION ALL
    SELECT dimension, NULL, NULL, NULL, NULL, NULL, count(*), sum(spend), sum(requests) FROM ranked WHERE place > ${TOP_SPENDERS} GROUP BY dimension
  )
  SELECT dimension, place::int, coalesce(shown.model, keys.hash, shown.user_id, shown.provider_slug) AS id,
    coalesce(shown.model, keys.name, nullif(concat_ws(' ', members.first_name, members.last_name), ''), members.email, providers.name, shown.provider_slug) AS name,
    spenders::int, spend::bigint, requests::int
  FROM shown
    LEFT JOIN keys ON keys.id = shown.key_id
    LEFT JOIN members ON members.id = shown.user_id
    LEFT JOIN providers ON providers.organization_id = ${of.organizationId}::uuid AND providers.slug = shown.provider_slug
  ORDER BY dimension, place`;

export interface RuleRow {
  guardrail_id: string | null;
  guardrail_name: string | null;
  field: string;
  rule: string | null;
  action: string;
  requests: number;
}

/** Requests per rule of guardrails and keys' limits; exclusions by the request itself aren't rules. */
export const rulesOf = (of: Counted) => sql`
  SELECT fired.*, coalesce(guardrails.name, fired.stored_name) AS guardrail_name
  FROM (
    SELECT d.guardrail_id, max(d.guardrail_name) AS stored_name, d.field, d.rule, d.action, count(DISTINCT d.generation_id)::int AS requests
    FROM decisions d JOIN generations g ON g.created_at = d.created_at AND g.id = d.generation_id
    WHERE d.created_at >= ${of.from} AND d.created_at < ${of.to} AND d.scope <> 'request' AND ${counted(of)}
    GROUP BY d.guardrail_id, d.field, d.rule, d.action
    ORDER BY requests DESC, d.guardrail_id, d.field, d.rule, d.action LIMIT ${TOP_RULES}
  ) AS fired LEFT JOIN guardrails ON guardrails.id = fired.guardrail_id
  ORDER BY fired.requests DESC, fired.guardrail_id, fired.field, fired.rule, fired.action`;
