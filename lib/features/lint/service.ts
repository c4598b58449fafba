import "server-only";
import type { Context } from "../../platform/context";
import { activeAgainst } from "../exceptions/service";
import { inspected } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import { fromMicroUsd } from "../../engine/money";
import { draftLayer } from "../../records/guardrails/draft";
import type { Layer } from "../../engine/policy/layers";
import { allowsUnpriced } from "../../records/workspaces/unpriced-store";
import { resolveWorkspaceId } from "../../records/workspaces/store";
import type * as contract from "./contract";
import { lint as judge, type Companion, type LintFacts } from "./lint";
import { findBrokenPresets } from "./presets-service";
import { draftIssues } from "../../records/guardrails/rules";
import { toGuardrail } from "../../records/guardrails/rows";
import type { FactSource } from "../../records/models/vocabulary";
import { findGuardrail } from "../../records/guardrails/store";
import { duplicatesOf } from "../../records/providers/import-placement";

/** Maximum number of guardrails to compare with. */
const MAX_COMPANIONS = 50;
const AVERAGED_DAYS = 7;

export const lint = inspected(
  ({ guardrail }, { zdrVendors }) => draftIssues(["guardrail"], guardrail, zdrVendors),
  async (
    context: Context,
    { body }: Input<typeof contract.lintGuardrail>,
  ): Promise<Result<typeof contract.lintGuardrail>> => {
    const { id, workspace_id, ...changes } = body.guardrail;
    const vendors = context.settings.zdrVendors;
    const stored = id === undefined ? null : await findGuardrail(context.db, context, id);
    const workspaceId = stored?.workspaceId ?? (await resolveWorkspaceId(context, workspace_id));
    const { guardrail } = draftLayer(changes, vendors, stored ? toGuardrail(stored, vendors) : undefined);
    const finding = findCompanions(context, workspaceId, id);
    const [isAllowed, catalogue, companions, presets, assigned, busiest, exceptions] = await Promise.all([
      allowsUnpriced(context.db, workspaceId),
      findCatalogue(context),
      finding,
      finding.then((companions) => findBrokenPresets(context, workspaceId, guardrail, ofEverybody(companions))),
      id === undefined ? null : countAssigned(context, workspaceId, id),
      id === undefined || guardrail.limit_usd === null ? null : findBusiest(context, id, guardrail),
      id === undefined ? [] : activeAgainst(context, id),
    ]);
    return {
      data: judge({
        guardrail,
        ...catalogue,
        companions,
        presets,
        assigned,
        busiest,
        exceptions,
        zdrVendors: vendors,
        allowsUnpriced: isAllowed,
        allowPrivate: context.settings.allowPrivateUpstreams,
      }),
    };
  },
);

const ofEverybody = (companions: readonly Companion[]) =>
  companions.flatMap(({ layer }) => (layer.scope === "workspace" ? [layer] : []));

const hasVendor = ({ vendorSource }: { vendorSource: FactSource | null }) =>
  vendorSource !== null && vendorSource !== "unknown";

/** Loads the organization's models, oldest first, with duplicates, providers and endpoints. */
async function findCatalogue({
  db,
  caller: { organizationId },
}: Context): Promise<Pick<LintFacts, "models" | "duplicates" | "providers" | "endpoints">> {
  const [models, providers] = await Promise.all([
    db.model.findMany({
      where: { organizationId },
      select: {
        slug: true,
        canonicalSlug: true,
        vendor: true,
        vendorSource: true,
        endpoints: {
          select: {
            zdr: true,
            dataRegion: true,
            priceSource: true,
            providerId: true,
            upstreamModel: true,
            provider: { select: { slug: true, zdr: true, ownership: true } },
          },
        },
      },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }),
    db.provider.findMany({ where: { organizationId }, select: { slug: true } }),
  ]);
  const known = models.filter(hasVendor);
  return {
    models,
    duplicates: duplicatesOf(
      known.map((model) => ({ ...model, providers: model.endpoints.map(({ provider }) => provider.slug) })),
    ),
    providers: providers.map(({ slug }) => slug),
    endpoints: models.flatMap(({ endpoints, vendorSource, ...fields }) => {
      const model = { ...fields, hasVendor: hasVendor({ vendorSource }) };
      return endpoints.map(({ priceSource, ...endpoint }) => ({
        ...endpoint,
        model,
        prices: priceSource === "unknown" ? null : {},
      }));
    }),
  };
}

interface CompanionRow {
  scope: "workspace" | "member" | "key";
  guardrail_id: string;
  holder: string;
}

const ROLES = {
  workspace: () => "the default of the workspace",
  member: (key: string) => `assigned to the member who created the key “${key}”`,
  key: (key: string) => `assigned to the key “${key}”`,
} as const satisfies Record<Exclude<Layer["scope"], "draft">, (holder: string) => string>;

/**
 * Finds guardrails that apply together with this one: the workspace default, those of members whose keys it is assigned
 * to, those of keys of assigned members, and for a default all assigned ones.
 */
async function findCompanions(
  { db, settings }: Context,
  workspaceId: string,
  id: string | undefined,
): Promise<Companion[]> {
  const own = id ?? null;
  const rows = await db.$queryRaw<CompanionRow[]>`
    WITH held AS (
      SELECT keys.name, workspaces.default_guardrail_id AS by_default, of_member.guardrail_id AS by_member, of_key.guardrail_id AS by_key
      FROM keys
      JOIN workspaces ON workspaces.id = keys.workspace_id
      LEFT JOIN guardrail_key_assignments AS of_key ON of_key.key_id = keys.id
      LEFT JOIN guardrail_member_assignments AS of_member ON of_member.workspace_id = keys.workspace_id AND of_member.user_id = keys.creator_user_id
      WHERE keys.workspace_id = ${workspaceId}::uuid AND keys.kind = 'inference' AND keys.deleted_at IS NULL
        AND ${own}::uuid IN (workspaces.default_guardrail_id, of_member.guardrail_id, of_key.guardrail_id)
    )
    SELECT scope, guardrail_id, min(holder) AS holder FROM (
      SELECT 'workspace' AS scope, default_guardrail_id AS guardrail_id, '' AS holder FROM workspaces WHERE id = ${workspaceId}::uuid
      UNION ALL SELECT 'member', by_member, name FROM held
      UNION ALL SELECT 'key', by_key, name FROM held
    ) AS together
    WHERE guardrail_id IS NOT NULL AND guardrail_id IS DISTINCT FROM ${own}::uuid
    GROUP BY scope, guardrail_id ORDER BY scope DESC, guardrail_id LIMIT ${MAX_COMPANIONS}`;
  const guardrails = await db.guardrail.findMany({
    where: { id: { in: rows.map(({ guardrail_id }) => guardrail_id) }, deletedAt: null, mode: "enforce" },
  });
  const byId = new Map(guardrails.map((row) => [row.id, toGuardrail(row, settings.zdrVendors)]));
  return rows.flatMap(({ scope, guardrail_id, holder }) => {
    const guardrail = byId.get(guardrail_id);
    return guardrail ? [{ layer: { scope, guardrail }, role: ROLES[scope](holder) }] : [];
  });
}

async function countAssigned(
  { db }: Context,
  workspaceId: string,
  guardrailId: string,
): Promise<LintFacts["assigned"]> {
  const [keys, members, defaults] = await Promise.all([
    db.guardrailKeyAssignment.count({ where: { guardrailId } }),
    db.guardrailMemberAssignment.count({ where: { guardrailId } }),
    db.workspace.count({ where: { id: workspaceId, defaultGuardrailId: guardrailId } }),
  ]);
  return { keys, members, isDefault: defaults > 0 };
}

interface BusiestRow {
  name: string;
  micro_usd: number;
}

/**
 * Finds the key or member with the highest average daily spend that the budget counts, over the last days or since its
 * first request.
 */
async function findBusiest(
  { db, now }: Context,
  guardrailId: string,
  { include_byok_in_budgets }: Pick<LintFacts["guardrail"], "include_byok_in_budgets">,
): Promise<LintFacts["busiest"]> {
  const since = new Date(now.getTime() - AVERAGED_DAYS * 24 * 60 * 60_000);
  const [row] = await db.$queryRaw<BusiestRow[]>`
    SELECT name, (spent / greatest(1, extract(epoch FROM ${now}::timestamptz - first_at) / 86400))::float8 AS micro_usd FROM (
      SELECT 'Key “' || min(keys.name) || '”' AS name, sum(g.cost_micro_usd) AS spent, min(g.created_at) AS first_at
      FROM guardrail_key_assignments AS assigned
      JOIN keys ON keys.id = assigned.key_id
      JOIN generations AS g ON g.key_id = keys.id AND g.created_at >= ${since} AND (${include_byok_in_budgets} OR NOT g.is_byok)
      WHERE assigned.guardrail_id = ${guardrailId}::uuid GROUP BY keys.id
      UNION ALL
      SELECT 'Member ' || min(members.email), sum(g.cost_micro_usd), min(g.created_at)
      FROM guardrail_member_assignments AS assigned
      JOIN members ON members.id = assigned.user_id
      JOIN generations AS g ON g.user_id = members.id AND g.workspace_id = assigned.workspace_id AND g.created_at >= ${since} AND (${include_byok_in_budgets} OR NOT g.is_byok)
      WHERE assigned.guardrail_id = ${guardrailId}::uuid GROUP BY members.id
    ) AS subjects
    ORDER BY 2 DESC LIMIT 1`;
  return row ? { name: row.name, usdPerDay: fromMicroUsd(BigInt(Math.round(row.micro_usd))) } : null;
}
