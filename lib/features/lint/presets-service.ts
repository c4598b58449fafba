import "server-only";
import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import { unpricedTerms } from "../../engine/policy/unpriced-models";
import { allowsUnpriced } from "../../records/workspaces/unpriced-store";
import { ScanFailure } from "../../engine/filters/scan-failure";
import type { Context } from "../../platform/context";
import { speeds } from "../../records/providers/endpoint-health";
import { expandRequestedModels, findEndpoints } from "../../gateway/endpoints-store";
import type { Layer } from "../../engine/policy/layers";
import { catalogueOf } from "../preset-compatibility/service";
import { namedModels, routingRequestOf } from "../preset-compatibility/reach";
import type { PresetConfig } from "../../records/presets/contract";
import { promptBlockers } from "../preset-compatibility/prompt-blockers-service";
import type { LintFinding } from "./contract";
import { lintPresets, namedPresets, type PresetInUse } from "./presets";

/**
 * Maximum number of checked versions, and of scanned characters of system prompts. The most recently changed presets
 * come first.
 */
const MAX_VERSIONS = 100;
const MAX_SCANNED = 200_000;

interface VersionRow {
  slug: string;
  config: PresetConfig;
  system_prompt: string;
  in_use: boolean;
  labels: string[];
}

/**
 * Finds active presets of the workspace that a guardrail would break: they would have no endpoint, or a blocked system
 * prompt.
 */
export async function findBrokenPresets(
  context: Context,
  workspaceId: string,
  guardrail: Layer["guardrail"],
  companions: readonly Layer[],
): Promise<LintFinding[]> {
  const versions = await findVersions(context, workspaceId);
  if (versions.length === 0) return [];
  const catalogue = versions.some(({ config }) => namedModels(config).length === 0) ? await catalogueOf(context) : [];
  const presets = await Promise.all(
    versions.map(async (version): Promise<PresetInUse> => {
      const routing = routingRequestOf(version.config, catalogue);
      return {
        name: nameOf(version),
        routing: { ...routing, models: await expandRequestedModels(context, routing.models) },
      };
    }),
  );
  const { endpoints } = await findEndpoints(context, [...new Set(presets.flatMap(({ routing }) => routing.models))]);
  const unpriced = unpricedTerms(await allowsUnpriced(context.db, workspaceId), NO_KEY_LIMIT);
  const measured = { zdrVendors: context.settings.zdrVendors, unpriced, speeds: speeds(), random: context.random };
  return [
    ...lintPresets({ guardrail, companions, presets, endpoints, measured }),
    ...(await blockedPrompts(context, guardrail, versions)),
  ];
}

const nameOf = ({ slug, in_use, labels }: VersionRow) =>
  `“${slug}” (${[...(in_use ? ["live"] : []), ...labels].join(", ")})`;

function findVersions({ db }: Context, workspaceId: string): Promise<VersionRow[]> {
  return db.$queryRaw<VersionRow[]>`
    SELECT p.slug, v.config, v.system_prompt, v.version = p.designated_version AS in_use, coalesce(l.names, '{}') AS labels
    FROM presets p
    JOIN preset_versions v ON v.preset_id = p.id
    LEFT JOIN LATERAL (SELECT array_agg(name ORDER BY name) AS names FROM preset_labels WHERE preset_id = p.id AND version = v.version) l ON true
    WHERE p.workspace_id = ${workspaceId}::uuid AND p.status = 'active'
      AND (v.version = p.designated_version OR v.version IN (SELECT version FROM preset_labels WHERE preset_id = p.id))
    ORDER BY p.updated_at DESC, p.id, v.version LIMIT ${MAX_VERSIONS}`;
}

/**
 * Returns the blocked prompts. Skips prompts that can't be scanned in time, because the finding is only a warning and
 * requests fail closed.
 */
async function blockedPrompts(
  context: Context,
  guardrail: Layer["guardrail"],
  versions: readonly VersionRow[],
): Promise<LintFinding[]> {
  let scanned = 0;
  const judged = versions.filter(
    ({ system_prompt }) => system_prompt !== "" && (scanned += system_prompt.length) <= MAX_SCANNED,
  );
  const layer: Layer = { scope: "draft", guardrail };
  const blockers = await promptBlockers(
    context,
    [layer],
    judged.map(({ system_prompt }) => system_prompt),
  ).catch((error: unknown) => {
    if (error instanceof ScanFailure) return [];
    throw error;
  });
  const fields = new Set(blockers.flat().map(({ field }) => field));
  return [...fields].map((field) => {
    const presets = judged.filter((_, index) => blockers[index]?.some((blocker) => blocker.field === field));
    const message = `Blocks the system prompt of ${presets.length === 1 ? "a preset" : `${presets.length} preset versions`}: ${namedPresets(presets.map(nameOf))}.`;
    return { severity: "warning", code: "preset_prompt_blocked", path: [field], message };
  });
}
