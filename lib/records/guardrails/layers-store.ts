import "server-only";
import { selectList } from "../../platform/database/column-names";
import type { Database } from "../../platform/database/transaction";
import { layerSecrets, toGuardrail } from "./rows";
import { Prisma, type Guardrail as GuardrailRow } from "../../../prisma/generated/client";
import { activeExceptions, toExceptions, type ExceptionsJson } from "../exceptions/active-store";
import { withExceptions } from "../../engine/policy/exception-policy";
import type { Layer } from "../../engine/policy/layers";

/** The subject of the layers. */
export interface LayerSubject {
  workspaceId: string;
  /** The member who created the key. */
  userId: string | null;
  keyId: string | null;
}

const COLUMNS = selectList("guardrails", Prisma.GuardrailScalarFieldEnum);

interface LayerRow extends GuardrailRow {
  scope: Layer["scope"];
  exceptions: ExceptionsJson;
  regions: string[];
}

/**
 * Loads the guardrails that apply to a key or member, broadest first (workspace default, member, key), with active
 * exceptions. Uses a single statement because it runs before every inference request.
 */
export async function loadLayers(
  db: Database,
  who: LayerSubject,
  vendors: readonly [string, string, string],
  now: Date,
): Promise<Layer[]> {
  const { workspaceId, userId, keyId } = who;
  const rows = await db.$queryRaw<LayerRow[]>`
    SELECT held.scope,
      ${COLUMNS},
      (SELECT regions FROM workspaces WHERE id = ${workspaceId}::uuid) AS regions,
      ${activeExceptions(Prisma.sql`key_id = ${keyId}::uuid OR user_id = ${userId}`, now)} AS exceptions
    FROM (
      SELECT 1 AS width, 'workspace' AS scope, default_guardrail_id AS guardrail_id FROM workspaces WHERE id = ${workspaceId}::uuid
      UNION ALL
      SELECT 2, 'member', guardrail_id FROM guardrail_member_assignments WHERE workspace_id = ${workspaceId}::uuid AND user_id = ${userId}
      UNION ALL
      SELECT 3, 'key', guardrail_id FROM guardrail_key_assignments WHERE key_id = ${keyId}::uuid
    ) AS held JOIN guardrails ON guardrails.id = held.guardrail_id AND guardrails.deleted_at IS NULL
    ORDER BY held.width`;
  const layers = rows.map(({ scope, exceptions: _, regions, ...row }) => ({
    scope,
    guardrail: toGuardrail(row, vendors),
    ...(regions.length > 0 && { regions }),
    ...layerSecrets(row),
  }));
  return withExceptions(layers, toExceptions(rows[0]?.exceptions), who, now);
}
