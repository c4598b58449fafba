import "server-only";
import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import { unpricedTerms } from "../../engine/policy/unpriced-models";
import { allowsUnpriced } from "../../records/workspaces/unpriced-store";
import { ScanFailure } from "../../engine/filters/scan-failure";
import type { Context } from "../../platform/context";
import { toGuardrail } from "../../records/guardrails/rows";
import { notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { unscannedContent } from "../../engine/decision/denial";
import { speeds } from "../../records/providers/endpoint-health";
import { expandRequestedModels, findEndpoints } from "../../gateway/endpoints-store";
import { sourceOf, type Layer } from "../../engine/policy/layers";
import type { getPresetCompatibility } from "./contract";
import { namedModels, outcomeOf, reachOf, routingRequestOf } from "./reach";
import type { PresetConfig } from "../../records/presets/contract";
import { promptBlockers } from "./prompt-blockers-service";
import { findPreset } from "../../records/presets/service";

/** Maximum number of evaluated combinations of guardrails, and of keys shown for each. */
const MAX_POLICIES = 50;
const SHOWN_KEYS = 3;
const MAX_MODELS = 1000;

/** Evaluates a preset version under every combination of guardrails in force, with the enforcement code. */
export async function compatibility(
  context: Context,
  input: Input<typeof getPresetCompatibility>,
): Promise<Result<typeof getPresetCompatibility>> {
  const { db, settings, random } = context;
  const preset = await findPreset(db, context, input);
  const version = input.query.version ?? preset.designatedVersion;
  const row = await db.presetVersion.findUnique({ where: { presetId_version: { presetId: preset.id, version } } });
  if (!row) throw notFound();
  const config = row.config as PresetConfig;
  const named = routingRequestOf(config, namedModels(config).length > 0 ? [] : await catalogueOf(context));
  const routing = { ...named, models: await expandRequestedModels(context, named.models) };
  const [{ endpoints }, stacks] = await Promise.all([
    findEndpoints(context, routing.models),
    findStacks(context, preset.workspaceId),
  ]);
  const unpriced = unpricedTerms(await allowsUnpriced(db, preset.workspaceId), NO_KEY_LIMIT);
  const reachUnder = (layers: readonly Layer[]) =>
    reachOf(routing, endpoints, { layers, zdrVendors: settings.zdrVendors, unpriced, speeds: speeds(), random });
  const alone = reachUnder([]);
  const inForce = new Map(
    stacks.flatMap(({ layers }) => layers.map((layer) => [`${layer.scope} ${layer.guardrail.id}`, layer])),
  );
  const [blockers = []] = await promptBlockers(context, [...inForce.values()], [row.systemPrompt]).catch(
    explainFailure,
  );
  const policies = stacks.slice(0, MAX_POLICIES).map(({ layers, keys, key_names }) => {
    const under = reachUnder(layers);
    const blocked_by = layers.flatMap(({ scope, guardrail }) =>
      blockers.filter((blocker) => blocker.scope === scope && blocker.guardrail_id === guardrail.id),
    );
    return {
      ...under,
      outcome: outcomeOf(alone, under, blocked_by.length),
      layers: layers.map(sourceOf),
      keys,
      key_names,
      blocked_by,
    };
  });
  return {
    data: { version, models: namedModels(config), alone, policies, is_complete: stacks.length <= MAX_POLICIES },
  };
}

function explainFailure(error: unknown): never {
  throw error instanceof ScanFailure ? unscannedContent(error).error : error;
}

/** Loads all endpoints of the organization, for presets without a model. */
export async function catalogueOf({ caller, db }: Context): Promise<string[]> {
  const models = await db.model.findMany({
    where: { organizationId: caller.organizationId },
    select: { slug: true },
    orderBy: { slug: "asc" },
    take: MAX_MODELS,
  });
  return models.map(({ slug }) => slug);
}

interface StackRow {
  workspace: string | null;
  member: string | null;
  key: string | null;
  keys: number;
  key_names: string[];
  regions: string[];
}

/**
 * Finds combinations of guardrails that apply together: those of each key, those of members without keys, and the
 * workspace default alone.
 */
async function findStacks(
  { db, settings }: Context,
  workspaceId: string,
): Promise<{ layers: Layer[]; keys: number; key_names: string[] }[]> {
  const rows = await db.$queryRaw<StackRow[]>`
    WITH held AS (
      SELECT of_member.guardrail_id AS member, of_key.guardrail_id AS key, keys.name
      FROM keys
      LEFT JOIN guardrail_key_assignments AS of_key ON of_key.key_id = keys.id
      LEFT JOIN guardrail_member_assignments AS of_member ON of_member.workspace_id = keys.workspace_id AND of_member.user_id = keys.creator_user_id
      WHERE keys.workspace_id = ${workspaceId}::uuid AND keys.kind = 'inference' AND keys.deleted_at IS NULL
      UNION ALL SELECT guardrail_id, NULL, NULL FROM guardrail_member_assignments WHERE workspace_id = ${workspaceId}::uuid
      UNION ALL SELECT NULL, NULL, NULL
    )
    SELECT default_guardrail_id AS workspace, member, key, count(held.name)::int AS keys,
      coalesce((array_agg(held.name ORDER BY held.name) FILTER (WHERE held.name IS NOT NULL))[1:${SHOWN_KEYS}::int], '{}') AS key_names, regions
    FROM held, workspaces WHERE workspaces.id = ${workspaceId}::uuid AND coalesce(default_guardrail_id, member, key) IS NOT NULL
    GROUP BY default_guardrail_id, member, key, regions ORDER BY count(held.name) DESC, member, key LIMIT ${MAX_POLICIES + 1}`;
  const ids = rows.flatMap(({ workspace, member, key }) => [workspace, member, key]).filter((id) => id !== null);
  const guardrails = await db.guardrail.findMany({ where: { id: { in: ids }, deletedAt: null, mode: "enforce" } });
  const byId = new Map(guardrails.map((row) => [row.id, toGuardrail(row, settings.zdrVendors)]));
  return rows.map(({ keys, key_names, regions, ...held }) => ({
    keys,
    key_names,
    layers: (["workspace", "member", "key"] as const).flatMap((scope): Layer[] => {
      const guardrail = byId.get(held[scope] ?? "");
      return guardrail ? [{ scope, guardrail, ...(regions.length > 0 && { regions }) }] : [];
    }),
  }));
}
