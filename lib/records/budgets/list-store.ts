import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { OWN_RAISE, raisedMicroUsd } from "../exceptions/active-store";
import type { Limit } from "../../engine/budgets/budget-rule";
import type { LimitSubject } from "../../engine/budgets/vocabulary";
import { windowAt } from "../../engine/cycles";
import type { Reach } from "../../platform/context";
import { includesWorkspace } from "../../platform/grants";
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

/** Spending limits of the organization to list besides the budgets of guardrails and keys. */
export type ListedLimits = readonly Limit[];

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
const wanted = (filters: BudgetFilters, limits: ListedLimits = []) => {
  const { organizationId, workspaceId, keyHash, userId, guardrailId, reach, now } = filters;
  return sql`
  WITH living AS (
    SELECT keys.* FROM keys
    WHERE keys.organization_id = ${organizationId}::uuid AND keys.kind = 'inference' AND keys.deleted_at IS NULL
      AND NOT keys.disabled AND (keys.expires_at IS NULL OR keys.expires_at > ${now})
      ${and(sql`keys.workspace_id = ${workspaceId}::uuid`, workspaceId)}
      ${and(sql`keys.hash = ${keyHash}`, keyHash)}
      ${and(sql`keys.creator_user_id = ${userId}`, userId)}
      ${withinReach(reach, sql`keys.workspace_id`, sql`keys.creator_user_id`)}
  ), counted AS (
    SELECT living.workspace_id, subjects.* FROM living LEFT JOIN members ON members.id = living.creator_user_id CROSS JOIN LATERAL (
      VALUES ('key', living.id::text), ('member', living.creator_user_id), ('workspace', living.workspace_id::text)
      UNION SELECT 'tag', unnest(living.tags || members.tags)
    ) AS subjects(subject, subject_id) WHERE subjects.subject_id IS NOT NULL
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
    SELECT rules.*, NULL::uuid AS limit_id, NULL::text AS limit_name, raised_micro_usd, limit_micro_usd + raised_micro_usd AS "limit", coalesce(reset_interval::text, 'lifetime')::budget_window AS "window",
      ${currentWindowStart(now)} AS window_start
    FROM rules CROSS JOIN LATERAL (SELECT ${totalRaiseSql({ guardrailId: sql`rules.guardrail_id`, subject: sql`rules.subject`, subjectId: sql`rules.subject_id` }, now)} AS raised_micro_usd) AS raises
    ${limits.length === 0 ? empty : sql`UNION ALL ${wantedOfLimits(filters, limits)}`}
  )`;
};

/** The most subjects listed of a limit that each subject of a kind has. */
const MOST_OF_EACH = 100;

/** Subjects that a key and its member aren't. */
const NOT_OF_KEYS: readonly LimitSubject[] = ["end_user", "model", "provider"];
/** Subjects that a caller for some workspaces may have. */
const OF_SOME: readonly LimitSubject[] = ["workspace", "member", "key", "keys"];

/**
 * Rows of `wanted` for limits: each subject that they name, and of a limit for all those that have spent most. A caller
 * for some workspaces gets limits on these, on their keys, and on its member.
 */
function wantedOfLimits({ workspaceId, keyHash, userId, reach, now }: BudgetFilters, limits: ListedLimits): Prisma.Sql {
  const reached = reach === undefined || reach.workspaces === "all" ? null : reach;
  const isOfSome = keyHash !== null || userId !== null;
  const rows = limits.map(
    ({ id, name, workspaceId: workspace_id, subject, subjectIds, amount, cycle, includesByok }) => ({
      id,
      name,
      workspace_id,
      is_reached: reached === null || (workspace_id !== null && includesWorkspace(reached.workspaces, workspace_id)),
      subject,
      subject_ids: subjectIds ?? [],
      is_for_each: subjectIds === null && subject !== "organization",
      amount: String(amount),
      interval: cycle.interval,
      window: cycle.interval ?? "lifetime",
      window_start: windowAt(cycle, now).start,
      includes_byok: includesByok,
    }),
  );
  const given = rows.filter(
    ({ subject, is_reached }) =>
      (!isOfSome || !NOT_OF_KEYS.includes(subject)) && (is_reached || OF_SOME.includes(subject)),
  );
  const ofKeys = (id: Prisma.Sql) => sql`
    CASE given.subject::text WHEN 'organization' THEN EXISTS (SELECT 1 FROM living)
      WHEN 'keys' THEN EXISTS (SELECT 1 FROM living WHERE living.id::text = ANY(given.subject_ids) AND (given.workspace_id IS NULL OR given.workspace_id = living.workspace_id))
      ELSE CASE WHEN given.workspace_id IS NULL THEN (given.subject::text, ${id}) IN (SELECT subject, subject_id FROM counted)
        ELSE (given.workspace_id, given.subject::text, ${id}) IN (SELECT workspace_id, subject, subject_id FROM counted) END END`;
  const isOfWhom = (id: Prisma.Sql) =>
    isOfSome ? sql`(given.subject::text = 'member' AND ${id} = ${userId} OR ${ofKeys(id)})` : sql`true`;
  const isReached = (id: Prisma.Sql) =>
    reached === null
      ? sql`true`
      : sql`(given.is_reached OR given.subject::text = 'workspace' AND ${id} = ANY(${reached.workspaces}::text[])
          OR given.subject::text = 'member' AND ${id} = ${reached.userId} OR given.subject::text IN ('key', 'keys') AND ${ofKeys(id)})`;
  const isListed = (id: Prisma.Sql) => sql`${isOfWhom(id)} AND ${isReached(id)}`;
  return sql`
    SELECT given.id, NULL, NULL, given.workspace_id, given.subject, subjects.id, given.amount, given."interval", given.includes_byok,
      given.id, given.name, 0, given.amount, given."window", given.window_start
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS given(id uuid, name text, workspace_id uuid, is_reached boolean, subject budget_subject,
      subject_ids text[], is_for_each boolean, amount bigint, "interval" reset_interval, "window" budget_window, window_start timestamptz, includes_byok boolean)
    CROSS JOIN LATERAL (
      SELECT named.id FROM (
        SELECT '' AS id WHERE given.subject::text IN ('organization', 'keys')
        UNION ALL SELECT unnest(given.subject_ids) WHERE NOT given.is_for_each AND given.subject::text <> 'keys'
      ) AS named WHERE ${isListed(sql`named.id`)}
      UNION ALL (
        SELECT budgets.subject_id FROM budgets WHERE given.is_for_each AND budgets.source_id = given.id AND budgets.subject = given.subject
          AND budgets."window" = given."window" AND budgets.window_start = given.window_start AND ${isListed(sql`budgets.subject_id`)}
        ORDER BY spent_micro_usd DESC LIMIT ${MOST_OF_EACH})
    ) AS subjects
    WHERE true
      ${and(sql`(given.workspace_id = ${workspaceId}::uuid OR given.subject::text = 'workspace' AND subjects.id = ${workspaceId})`, workspaceId)}`;
}

export interface BudgetRow {
  /** Null before the first spend or reservation in the window. */
  budget_id: string | null;
  guardrail_id: string | null;
  guardrail_name: string | null;
  limit_id: string | null;
  limit_name: string | null;
  workspace_id: string | null;
  subject: LimitSubject;
  subject_id: string;
  /** The key's hash, or the subject's id. */
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

export const countBudgets = (filters: BudgetFilters, limits: ListedLimits) =>
  sql`${wanted(filters, limits)} SELECT count(*)::int AS total FROM wanted`;

/** Returns a page of budgets with their balances, closest to the limit first. */
export const budgetPage = (
  db: Database,
  filters: BudgetFilters,
  { skip, take }: { skip: number; take: number },
  limits: ListedLimits = [],
) => sql`
  ${wanted(filters, limits)}, standings AS (
    SELECT wanted.*, budgets.id AS budget_id, coalesce(budgets.carried_micro_usd, 0) AS carried,
      coalesce(budgets.spent_micro_usd + budgets.carried_micro_usd, ${INITIAL_SPEND}) AS spent,
      ${reservedSql(db, sql`budgets.id`, filters.now)} AS reserved
    FROM wanted LEFT JOIN budgets USING (source_id, subject, subject_id, "window", window_start)
  )
  SELECT budget_id::text, guardrail_id::text, guardrail_name, limit_id::text, limit_name, standings.workspace_id::text, subject::text, subject_id,
    coalesce(keys.hash, members.id, nullif(subject_id, ''), limit_id::text) AS public_id,
    coalesce(keys.name, ${nameSql("members")}, workspaces.name, nullif(subject_id, ''), limit_name) AS name,
    "limit" + carried AS "limit", raised_micro_usd AS raised, reset_interval::text AS "interval", includes_byok, spent, reserved
  FROM standings
    LEFT JOIN keys ON keys.id = CASE WHEN subject = 'key' THEN subject_id::uuid END
    LEFT JOIN members ON subject = 'member' AND members.id = subject_id
    LEFT JOIN workspaces ON workspaces.id = CASE WHEN subject::text = 'workspace' THEN subject_id::uuid END
  ORDER BY coalesce((spent + reserved)::numeric / nullif("limit" + carried, 0), 1) DESC, source_id, subject, subject_id
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
