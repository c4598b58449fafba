import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { OWN_RAISE, raisedMicroUsd } from "../exceptions/active-store";
import type { Reach } from "../../platform/context";
import { windowStart, type ResetInterval } from "../../engine/windows";
import type { Database } from "../../platform/database/transaction";
import { nameSql } from "../members/name-store";
import { INITIAL_SPEND, reservedSql } from "./balances-store";

/** Filters of the budget list. */
export interface BudgetFilters {
  organizationId: string;
  workspaceId: string | null;
  keyHash: string | null;
  userId: string | null;
  guardrailId: string | null;
  /** Absent for every budget of the organization. */
  reach?: Reach;
  now: Date;
}

const { sql, empty } = Prisma;
const and = (condition: Prisma.Sql, given: string | null) => (given === null ? empty : sql`AND ${condition}`);

/** SQL for the rows of a caller's workspaces, and those of its member. */
function withinReach(reach: Reach | undefined, workspace: Prisma.Sql, owner: Prisma.Sql): Prisma.Sql {
  if (reach === undefined || reach.workspaces === "all") return empty;
  return sql`AND (${workspace} = ANY(${reach.workspaces}::uuid[]) OR ${owner} = ${reach.userId})`;
}

/** SQL for the start of the current window of a row with a `reset_interval`. */
export const currentWindowStart = (now: Date) => sql`
  CASE reset_interval WHEN 'daily' THEN ${windowStart("daily", now)}::timestamptz WHEN 'weekly' THEN ${windowStart("weekly", now)}::timestamptz
    WHEN 'monthly' THEN ${windowStart("monthly", now)}::timestamptz ELSE ${windowStart(null, now)}::timestamptz END`;

/**
 * SQL for the total raise of a limit by exceptions. A guardrail's limit on a key includes exceptions of the key's
 * creator; a key's own limit doesn't.
 */
export const totalRaiseSql = (
  { guardrailId, subject, subjectId }: Record<"guardrailId" | "subject" | "subjectId", Prisma.Sql>,
  now: Date,
) => sql`
  CASE WHEN ${guardrailId} IS NULL THEN ${raisedMicroUsd(sql`exceptions.key_id::text = ${subjectId} AND ${OWN_RAISE}`, now)}
    ELSE ${raisedMicroUsd(
      sql`exceptions.guardrail_id = ${guardrailId} AND CASE ${subject}::text WHEN 'member' THEN exceptions.user_id = ${subjectId}
        ELSE exceptions.key_id::text = ${subjectId} OR exceptions.user_id = (SELECT creator_user_id FROM keys WHERE keys.id = ${subjectId}::uuid) END`,
      now,
    )} END`;

/**
 * `wanted`: the budgets currently in force, equivalent to `budgetRules`. For each active key: its own limit, its
 * guardrail's limit, and the workspace default's limit for itself and its member. For each member: the limits of
 * assigned guardrails.
 */
const wanted = ({ organizationId, workspaceId, keyHash, userId, guardrailId, reach, now }: BudgetFilters) => sql`
  WITH living AS (
    SELECT keys.* FROM keys
    WHERE keys.organization_id = ${organizationId}::uuid AND keys.kind = 'inference' AND keys.deleted_at IS NULL
      AND NOT keys.disabled AND (keys.expires_at IS NULL OR keys.expires_at > ${now})
      ${and(sql`keys.workspace_id = ${workspaceId}::uuid`, workspaceId)}
      ${and(sql`keys.hash = ${keyHash}`, keyHash)}
      ${and(sql`keys.creator_user_id = ${userId}`, userId)}
      ${withinReach(reach, sql`keys.workspace_id`, sql`keys.creator_user_id`)}
  ), limited AS (
    SELECT guardrails.* FROM guardrails JOIN workspaces ON workspaces.id = guardrails.workspace_id
    WHERE workspaces.organization_id = ${organizationId}::uuid AND guardrails.deleted_at IS NULL AND guardrails.limit_micro_usd IS NOT NULL
      ${and(sql`guardrails.id = ${guardrailId}::uuid`, guardrailId)}
  ), spenders AS (
    SELECT a.guardrail_id, 'key' AS subject, living.id::text AS subject_id FROM living JOIN guardrail_key_assignments a ON a.key_id = living.id
    WHERE a.guardrail_id IN (SELECT id FROM limited)
    UNION
    SELECT w.default_guardrail_id, 'key', living.id::text FROM living JOIN workspaces w ON w.id = living.workspace_id
    WHERE w.default_guardrail_id IN (SELECT id FROM limited)
    UNION
    SELECT w.default_guardrail_id, 'member', living.creator_user_id FROM living JOIN workspaces w ON w.id = living.workspace_id
    WHERE w.default_guardrail_id IN (SELECT id FROM limited)
    UNION
    SELECT a.guardrail_id, 'member', a.user_id FROM guardrail_member_assignments a JOIN members ON members.id = a.user_id AND members.deleted_at IS NULL
    WHERE a.organization_id = ${organizationId}::uuid
      ${and(sql`a.workspace_id = ${workspaceId}::uuid`, workspaceId)}
      ${and(sql`a.user_id = ${userId}`, userId)}
      ${withinReach(reach, sql`a.workspace_id`, sql`a.user_id`)}
      ${and(sql`EXISTS (SELECT 1 FROM living WHERE living.creator_user_id = a.user_id AND living.workspace_id = a.workspace_id)`, keyHash)}
  ), rules AS (
    SELECT limited.id AS source_id, limited.id AS guardrail_id, limited.name AS guardrail_name, limited.workspace_id, spenders.subject::budget_subject AS subject, spenders.subject_id,
      limited.limit_micro_usd, limited.reset_interval, limited.include_byok_in_budgets AS includes_byok
    FROM spenders JOIN limited ON limited.id = spenders.guardrail_id WHERE spenders.subject_id IS NOT NULL
    UNION ALL
    SELECT id, NULL, NULL, workspace_id, 'key', id::text, limit_micro_usd, limit_reset, include_byok_in_limit
    FROM living WHERE limit_micro_usd IS NOT NULL ${and(sql`false`, guardrailId)}
  ), wanted AS (
    SELECT rules.*, raised_micro_usd, limit_micro_usd + raised_micro_usd AS "limit", coalesce(reset_interval::text, 'lifetime')::budget_window AS "window",
      ${currentWindowStart(now)} AS window_start
    FROM rules CROSS JOIN LATERAL (SELECT ${totalRaiseSql({ guardrailId: sql`rules.guardrail_id`, subject: sql`rules.subject`, subjectId: sql`rules.subject_id` }, now)} AS raised_micro_usd) AS raises
  )`;

export interface BudgetRow {
  /** Null before the first spend or reservation in the window. */
  budget_id: string | null;
  guardrail_id: string | null;
  guardrail_name: string | null;
  workspace_id: string;
  subject: "key" | "member";
  subject_id: string;
  /** The key's hash, or the member's id. */
  public_id: string;
  name: string;
  /** Includes raises by exceptions. */
  limit: bigint;
  raised: bigint;
  interval: ResetInterval | null;
  includes_byok: boolean;
  spent: bigint;
  reserved: bigint;
}

export const countBudgets = (filters: BudgetFilters) =>
  sql`${wanted(filters)} SELECT count(*)::int AS total FROM wanted`;

/** Returns a page of budgets with their balances, closest to the limit first. */
export const budgetPage = (db: Database, filters: BudgetFilters, { skip, take }: { skip: number; take: number }) => sql`
  ${wanted(filters)}, standings AS (
    SELECT wanted.*, budgets.id AS budget_id, coalesce(budgets.spent_micro_usd, ${INITIAL_SPEND}) AS spent,
      ${reservedSql(db, sql`budgets.id`, filters.now)} AS reserved
    FROM wanted LEFT JOIN budgets USING (source_id, subject, subject_id, "window", window_start)
  )
  SELECT budget_id::text, guardrail_id::text, guardrail_name, standings.workspace_id::text, subject::text, subject_id, coalesce(keys.hash, members.id) AS public_id,
    coalesce(keys.name, ${nameSql("members")}) AS name,
    "limit", raised_micro_usd AS raised, reset_interval::text AS "interval", includes_byok, spent, reserved
  FROM standings
    LEFT JOIN keys ON keys.id = CASE WHEN subject = 'key' THEN subject_id::uuid END
    LEFT JOIN members ON subject = 'member' AND members.id = subject_id
  ORDER BY coalesce((spent + reserved)::numeric / nullif("limit", 0), 1) DESC, source_id, subject, subject_id
  LIMIT ${take} OFFSET ${skip}`;

export interface RecentSpendRow {
  place: number;
  key_hash: string;
  key_name: string;
  micro_usd: bigint;
}

/** Returns each key's spend under each budget since the given times. */
export function recentSpendOf(budgets: readonly BudgetRow[], since: readonly Date[]): Prisma.Sql {
  const filters = budgets.map((budget, place) => ({
    place,
    since: since[place],
    key_id: budget.subject === "key" ? budget.subject_id : null,
    user_id: budget.subject === "member" ? budget.subject_id : null,
    workspace_id: budget.workspace_id,
    includes_byok: budget.includes_byok,
  }));
  // With the earliest time as a separate parameter, the planner can estimate the number of rows.
  const earliest = new Date(Math.min(...since.map((each) => each.getTime())));
  const counted = sql`g.created_at >= ${earliest} AND g.created_at >= requested.since AND (requested.includes_byok OR NOT g.is_byok)`;
  return sql`
    SELECT requested.place, keys.hash AS key_hash, keys.name AS key_name, burns.micro_usd
    FROM jsonb_to_recordset(${JSON.stringify(filters)}::jsonb) AS requested(place int, since timestamptz, key_id uuid, user_id text, workspace_id uuid, includes_byok boolean)
    CROSS JOIN LATERAL (
      SELECT g.key_id, sum(g.cost_micro_usd)::bigint AS micro_usd FROM generations g WHERE requested.key_id IS NOT NULL AND g.key_id = requested.key_id AND ${counted} GROUP BY g.key_id
      UNION ALL
      SELECT g.key_id, sum(g.cost_micro_usd)::bigint FROM generations g WHERE requested.user_id IS NOT NULL AND g.user_id = requested.user_id AND g.workspace_id = requested.workspace_id AND ${counted} GROUP BY g.key_id
    ) AS burns JOIN keys ON keys.id = burns.key_id`;
}
