import "server-only";
import type { Context } from "../../platform/context";
import { Prisma } from "../../../prisma/generated/client";
import type { Input, Result } from "../../platform/http/operation";
import { nameSql } from "../../records/members/name-store";
import { resolveWorkspaceId } from "../../records/workspaces/store";
import type { Coverage, getCoverage } from "./contract";
import { deprecatedModels } from "./deprecated-store";
import { modelGaps } from "./models-store";

const { sql, empty } = Prisma;
const MOST_LISTED = 100;

type Named = Coverage["uncovered_keys"]["data"][number];
type List<
  Name extends
    | "uncovered_keys"
    | "uncovered_members"
    | "unlimited_keys"
    | "unassigned_guardrails"
    | "observing_guardrails",
> = Coverage[Name]["data"];

interface KeyFigures {
  counts: Coverage["keys"] & { unlimited: number };
  uncovered: Named[];
  unlimited: Named[];
}

interface MemberFigures {
  counts: Coverage["members"];
  uncovered: List<"uncovered_members">;
}

interface GuardrailFigures {
  unassigned_count: number;
  unassigned: List<"unassigned_guardrails">;
  observing_count: number;
  observing: List<"observing_guardrails">;
  guardrails: Coverage["guardrails"];
}

/** Computes the lists and their counts, with one statement each for keys, members and guardrails. */
export async function coverage(
  context: Context,
  { query }: Input<typeof getCoverage>,
): Promise<Result<typeof getCoverage>> {
  const { caller, db, now } = context;
  const { organizationId } = caller;
  const workspaceId = query.workspace_id === undefined ? null : await resolveWorkspaceId(context, query.workspace_id);
  const unpriced = { organizationId, endpoints: { some: { priceSource: "unknown" } } } as const;
  const [[keys], [members], [guardrails], models, deprecated, unpricedCount, unpricedModels] = await Promise.all([
    db.$queryRaw<KeyFigures[]>(keyFigures(organizationId, workspaceId, now)),
    db.$queryRaw<MemberFigures[]>(memberFigures(organizationId, workspaceId ?? caller.workspaceId, workspaceId)),
    db.$queryRaw<GuardrailFigures[]>(guardrailFigures(organizationId, workspaceId, query.guardrail_id, now)),
    modelGaps(context, workspaceId),
    deprecatedModels({ db, organizationId, workspaceId, now }),
    db.model.count({ where: unpriced }),
    db.model.findMany({
      where: unpriced,
      select: { slug: true, name: true },
      orderBy: { slug: "asc" },
      take: MOST_LISTED,
    }),
  ]);
  if (!keys || !members || !guardrails) throw new Error("an aggregate has one row");
  const { unlimited, ...counts } = keys.counts;
  return {
    data: {
      keys: counts,
      members: members.counts,
      uncovered_keys: { total_count: counts.uncovered, data: keys.uncovered },
      uncovered_members: { total_count: members.counts.uncovered, data: members.uncovered },
      unlimited_keys: { total_count: unlimited, data: keys.unlimited },
      unassigned_guardrails: { total_count: guardrails.unassigned_count, data: guardrails.unassigned },
      observing_guardrails: { total_count: guardrails.observing_count, data: guardrails.observing },
      ...models,
      deprecated_models: deprecated,
      unpriced_models: { total_count: unpricedCount, data: unpricedModels },
      guardrails: guardrails.guardrails,
    },
  };
}

const inWorkspace = (column: Prisma.Sql, workspaceId: string | null) =>
  workspaceId === null ? empty : sql`AND ${column} = ${workspaceId}::uuid`;
const works = (now: Date) =>
  sql`keys.kind = 'inference' AND keys.deleted_at IS NULL AND NOT keys.disabled AND (keys.expires_at IS NULL OR keys.expires_at > ${now})`;

/** SQL for the newest rows that meet a condition, as JSON. */
const first = (table: Prisma.Sql, condition: Prisma.Sql, record: Prisma.Sql) => sql`
  (SELECT coalesce(jsonb_agg(${record} ORDER BY created_at DESC, id DESC), '[]') FROM (
    SELECT * FROM ${table} WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT ${MOST_LISTED}) AS listed)`;

const keyFigures = (organizationId: string, workspaceId: string | null, now: Date) => {
  const record = sql`jsonb_build_object('key_hash', hash, 'key_name', name, 'workspace_id', workspace_id)`;
  return sql`
    WITH covered AS MATERIALIZED (
      SELECT keys.id, keys.hash, keys.name, keys.workspace_id, keys.created_at,
        CASE WHEN own.id IS NOT NULL THEN 'assigned' WHEN ofmember.id IS NOT NULL THEN 'by_member' WHEN fallback.id IS NOT NULL THEN 'by_default' ELSE 'uncovered' END AS kind,
        coalesce(keys.limit_micro_usd, own.limit_micro_usd, ofmember.limit_micro_usd, fallback.limit_micro_usd) IS NULL AS is_unlimited
      FROM keys JOIN workspaces ON workspaces.id = keys.workspace_id
        LEFT JOIN guardrail_key_assignments key_assignment ON key_assignment.key_id = keys.id
        LEFT JOIN guardrails own ON own.id = key_assignment.guardrail_id AND own.mode = 'enforce'
        LEFT JOIN guardrail_member_assignments member_assignment ON member_assignment.workspace_id = keys.workspace_id AND member_assignment.user_id = keys.creator_user_id
        LEFT JOIN guardrails ofmember ON ofmember.id = member_assignment.guardrail_id AND ofmember.mode = 'enforce'
        LEFT JOIN guardrails fallback ON fallback.id = workspaces.default_guardrail_id AND fallback.mode = 'enforce'
      WHERE keys.organization_id = ${organizationId}::uuid AND ${works(now)} ${inWorkspace(sql`keys.workspace_id`, workspaceId)}
    )
    SELECT jsonb_build_object('assigned', count(*) FILTER (WHERE kind = 'assigned'), 'by_member', count(*) FILTER (WHERE kind = 'by_member'),
        'by_default', count(*) FILTER (WHERE kind = 'by_default'), 'uncovered', count(*) FILTER (WHERE kind = 'uncovered'),
        'unlimited', count(*) FILTER (WHERE is_unlimited)) AS counts,
      ${first(sql`covered`, sql`kind = 'uncovered'`, record)} AS uncovered,
      ${first(sql`covered`, sql`is_unlimited`, record)} AS unlimited
    FROM covered`;
};

const memberFigures = (organizationId: string, homeId: string, workspaceId: string | null) => sql`
  WITH covered AS MATERIALIZED (
    SELECT members.*,
      CASE WHEN EXISTS (SELECT 1 FROM guardrail_member_assignments a JOIN guardrails ON guardrails.id = a.guardrail_id
          WHERE a.user_id = members.id AND guardrails.mode = 'enforce' ${inWorkspace(sql`a.workspace_id`, workspaceId)}) THEN 'assigned'
        WHEN EXISTS (SELECT 1 FROM guardrails WHERE id = home.default_guardrail_id AND mode = 'enforce') THEN 'by_default' ELSE 'uncovered' END AS kind
    FROM members, workspaces home
    WHERE members.organization_id = ${organizationId}::uuid AND members.deleted_at IS NULL AND home.id = ${homeId}::uuid
  )
  SELECT jsonb_build_object('assigned', count(*) FILTER (WHERE kind = 'assigned'), 'by_default', count(*) FILTER (WHERE kind = 'by_default'),
      'uncovered', count(*) FILTER (WHERE kind = 'uncovered')) AS counts,
    ${first(sql`covered`, sql`kind = 'uncovered'`, sql`jsonb_build_object('user_id', id, 'email', email, 'name', ${nameSql("listed")})`)} AS uncovered
  FROM covered`;

const named = sql`jsonb_build_object('guardrail_id', id, 'name', name, 'workspace_id', workspace_id)`;

const guardrailFigures = (
  organizationId: string,
  workspaceId: string | null,
  guardrailIds: string | readonly string[] | undefined,
  now: Date,
) => sql`
  WITH of_keys AS (
    SELECT a.guardrail_id, count(*) AS keys FROM guardrail_key_assignments a JOIN keys ON keys.id = a.key_id
    WHERE a.organization_id = ${organizationId}::uuid AND ${works(now)} GROUP BY 1
  ), of_members AS (
    SELECT a.guardrail_id, count(*) AS members FROM guardrail_member_assignments a JOIN members ON members.id = a.user_id
    WHERE a.organization_id = ${organizationId}::uuid AND members.deleted_at IS NULL GROUP BY 1
  ), held AS MATERIALIZED (
    SELECT guardrails.id, guardrails.name, guardrails.workspace_id, guardrails.created_at, guardrails.mode, coalesce(of_keys.keys, 0) AS keys, coalesce(of_members.members, 0) AS members,
      coalesce(workspaces.default_guardrail_id = guardrails.id, false) AS is_default
    FROM guardrails JOIN workspaces ON workspaces.id = guardrails.workspace_id
      LEFT JOIN of_keys ON of_keys.guardrail_id = guardrails.id LEFT JOIN of_members ON of_members.guardrail_id = guardrails.id
    WHERE workspaces.organization_id = ${organizationId}::uuid AND guardrails.deleted_at IS NULL ${inWorkspace(sql`guardrails.workspace_id`, workspaceId)}
  )
  SELECT count(*) FILTER (WHERE keys = 0 AND members = 0 AND NOT is_default)::int AS unassigned_count,
    ${first(sql`held`, sql`keys = 0 AND members = 0 AND NOT is_default`, named)} AS unassigned,
    count(*) FILTER (WHERE mode = 'observe')::int AS observing_count,
    ${first(sql`held`, sql`mode = 'observe'`, named)} AS observing,
    ${first(
      sql`held`,
      guardrailIds === undefined ? sql`true` : sql`id = ANY(${[guardrailIds].flat()}::uuid[])`,
      sql`jsonb_build_object('guardrail_id', id, 'keys', keys, 'members', members, 'is_default', is_default)`,
    )} AS guardrails
  FROM held`;
