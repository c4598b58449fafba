import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Context } from "../../platform/context";
import { revisionFields } from "../../records/guardrails/rules";
import { PROMPT_INJECTION_BUILTIN, type ScanScope } from "../../engine/filters/vocabulary";
import type { PolicyFacts } from "../../gateway/record/policy-facts";
import type { Layer } from "../../engine/policy/layers";

type Facts = Pick<PolicyFacts, "layers" | "default_scan_scope">;

interface RevisionRow {
  guardrail_id: string;
  revision: number;
  fields: unknown;
}

/** Returns the layers that facts refer to; null when a revision was deleted. */
type LayersThen = (facts: Facts) => readonly Layer[] | null;

const keyOf = ({ guardrail_id, revision }: Pick<RevisionRow, "guardrail_id" | "revision">) =>
  `${guardrail_id} ${revision}`;

/**
 * Loads the guardrails of many generations at once. Equal facts share one array, so that derived values are computed
 * once.
 */
export async function loadRecordedLayers(context: Context, all: readonly Facts[]): Promise<LayersThen> {
  const named = new Map(all.flatMap(({ layers }) => layers).map((layer) => [keyOf(layer), layer]));
  const ids = [...new Set(all.flatMap(({ layers }) => layers.flatMap(({ exceptions = [] }) => exceptions)))];
  const [revisions, exceptions] = await Promise.all([
    named.size === 0 ? [] : findRevisions(context, [...named.values()]),
    ids.length === 0
      ? []
      : context.db.exception.findMany({ where: { id: { in: ids }, organizationId: context.caller.organizationId } }),
  ]);
  const guardrails = new Map(
    revisions.map((row) => [
      keyOf(row),
      { ...revisionFields(row.fields), id: row.guardrail_id, revision: row.revision },
    ]),
  );
  const layerOf = (layer: PolicyFacts["layers"][number], scanScope: ScanScope): Layer[] => {
    const guardrail = guardrails.get(keyOf(layer));
    const held = exceptions.filter(({ id }) => layer.exceptions?.includes(id));
    if (!guardrail) return [];
    const { scope, regions } = layer;
    return [
      {
        scope,
        guardrail: withScanScope(guardrail, scanScope),
        ...(regions && { regions }),
        ...(held.length > 0 && { exceptions: held }),
      },
    ];
  };
  const known = new Map<string, readonly Layer[] | null>();
  return ({ layers, default_scan_scope = "all_messages" }) => {
    const key = JSON.stringify([layers, default_scan_scope]);
    let found = known.get(key);
    if (found === undefined) {
      const loaded = layers.flatMap((layer) => layerOf(layer, default_scan_scope));
      known.set(key, (found = loaded.length === layers.length ? loaded : null));
    }
    return found;
  };
}

/** Adds the scan scope that prompt injection filters had by default at the time. */
const withScanScope = (guardrail: Layer["guardrail"], scan_scope: ScanScope): Layer["guardrail"] => ({
  ...guardrail,
  content_filter_builtins:
    guardrail.content_filter_builtins?.map((filter) =>
      filter.slug === PROMPT_INJECTION_BUILTIN ? { scan_scope, ...filter } : filter,
    ) ?? null,
});

/** Uses raw SQL to match pairs of columns, for which the database client would send one condition each. */
const findRevisions = (
  { db, caller }: Context,
  named: readonly Pick<RevisionRow, "guardrail_id" | "revision">[],
): Promise<RevisionRow[]> =>
  db.$queryRaw<RevisionRow[]>`
    SELECT revisions.guardrail_id, revisions.revision, revisions.fields
    FROM guardrail_revisions AS revisions
    JOIN guardrails ON guardrails.id = revisions.guardrail_id
    JOIN workspaces ON workspaces.id = guardrails.workspace_id AND workspaces.organization_id = ${caller.organizationId}::uuid
    WHERE (revisions.guardrail_id, revisions.revision) IN (${Prisma.join(named.map(({ guardrail_id, revision }) => Prisma.sql`(${guardrail_id}::uuid, ${revision}::int)`))})`;
