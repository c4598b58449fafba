import "server-only";
import { selectList } from "../../platform/database/column-names";
import { cached, type Loaded, type Share } from "../../platform/database/policy-cache";
import type { Database } from "../../platform/database/transaction";
import { layerSecrets, toGuardrail } from "./rows";
import { Prisma, type Guardrail as GuardrailRow } from "../../../prisma/generated/client";
import { activeExceptions, toExceptions, type ExceptionsJson } from "../exceptions/active-store";
import { layersAt } from "../../engine/policy/active-exceptions";
import type { Layer } from "../../engine/policy/layers";

/** The subject of the layers. */
export interface LayerSubject {
  workspaceId: string;
  /** The member who created the key. */
  userId: string | null;
  keyId: string | null;
}

type Vendors = readonly [string, string, string];

const COLUMNS = selectList("guardrails", Prisma.GuardrailScalarFieldEnum);

type LayerRow = {
  organization: string;
  regions: string[];
  exceptions: ExceptionsJson;
} & ({ scope: null } | (GuardrailRow & { scope: Layer["scope"] }));

/**
 * Returns the guardrails that apply to a key or member, broadest first (workspace default, member, key), with active
 * exceptions.
 */
export async function loadLayers(
  db: Database,
  who: LayerSubject,
  vendors: Vendors,
  now: Date,
): Promise<readonly Layer[]> {
  const { workspaceId, userId, keyId } = who;
  const layers = await cached(db, ["subject", workspaceId, userId, keyId, ...vendors], (share) =>
    loadSubject(db, who, vendors, now, share),
  );
  return layers?.(now) ?? [];
}

/**
 * Loads a subject's layers in one statement, because it runs on many requests. Subjects with the same guardrails in a
 * workspace share their layers.
 */
async function loadSubject(
  db: Database,
  who: LayerSubject,
  vendors: Vendors,
  now: Date,
  share: Share,
): Promise<Loaded<(at: Date) => readonly Layer[]> | null> {
  const { workspaceId, userId, keyId } = who;
  const rows = await db.$queryRaw<LayerRow[]>`
    SELECT workspaces.organization_id AS organization, workspaces.regions, held.scope,
      ${COLUMNS},
      ${activeExceptions(Prisma.sql`key_id = ${keyId}::uuid OR user_id = ${userId}`, now)} AS exceptions
    FROM workspaces LEFT JOIN (
      (
        SELECT 1 AS width, 'workspace' AS scope, default_guardrail_id AS guardrail_id FROM workspaces WHERE id = ${workspaceId}::uuid
        UNION ALL
        SELECT 2, 'member', guardrail_id FROM guardrail_member_assignments WHERE workspace_id = ${workspaceId}::uuid AND user_id = ${userId}
        UNION ALL
        SELECT 3, 'key', guardrail_id FROM guardrail_key_assignments WHERE key_id = ${keyId}::uuid
      ) AS held JOIN guardrails ON guardrails.id = held.guardrail_id AND guardrails.deleted_at IS NULL
    ) ON true
    WHERE workspaces.id = ${workspaceId}::uuid
    ORDER BY held.width`;
  const [first] = rows;
  if (!first) return null;
  const organizationId = first.organization;
  const held = rows.filter((row) => row.scope !== null);
  const layers = share(["layers", workspaceId, ...vendors, ...held.flatMap(({ scope, id }) => [scope, id])], {
    organizationId,
    value: held.map((row) => toLayer(row, vendors)),
  });
  return { organizationId, value: layersAt(layers, toExceptions(first.exceptions), who) };
}

const toLayer = (
  { scope, organization: _, exceptions: __, regions, ...row }: Extract<LayerRow, GuardrailRow>,
  vendors: Vendors,
): Layer => layerOf(row, scope, regions, vendors);

/** Returns a guardrail's layer, without exceptions. */
export const layerOf = (
  row: GuardrailRow,
  scope: Layer["scope"],
  regions: readonly string[],
  vendors: Vendors,
): Layer => ({
  scope,
  guardrail: toGuardrail(row, vendors),
  ...(regions.length > 0 && { regions }),
  ...layerSecrets(row),
});
