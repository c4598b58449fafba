import "server-only";
import { notFound, preconditionFailed } from "../../platform/api-error";
import { Prisma, type Guardrail } from "../../../prisma/generated/client";
import { workspacesOf, type Context } from "../../platform/context";
import { includesWorkspace } from "../../platform/grants";
import { selectList } from "../../platform/database/column-names";
import { readStatement, type Statement } from "../../platform/database/statement";
import type { Database } from "../../platform/database/transaction";

/** Locks and returns the organization's guardrail; 404 when missing or foreign. */
export async function lockGuardrail(db: Database, context: Context, id: string) {
  await db.$queryRaw`SELECT 1 AS locked FROM guardrails WHERE id = ${id}::uuid FOR UPDATE`;
  return findMatching(db, context, id);
}

/** Returns the organization's guardrail; 404 when missing or foreign, 412 when `If-Match` names another revision. */
export async function findMatching(db: Database, context: Context, id: string): Promise<Guardrail> {
  const row = await findGuardrail(db, context, id);
  if (context.ifMatch && !context.ifMatch.includes(row.revision)) throw preconditionFailed(row.revision);
  return row;
}

function livingGuardrail(context: Context, id: string): Prisma.GuardrailWhereInput {
  const workspaces = workspacesOf(context);
  return {
    id,
    deletedAt: null,
    workspace: { organizationId: context.caller.organizationId },
    ...(workspaces !== "all" && { workspaceId: { in: [...workspaces] } }),
  };
}

const { limitMicroUsd: _, ...ALIKE } = Prisma.GuardrailScalarFieldEnum;

const FIND: Statement = {
  name: "find_guardrail",
  text: `
  SELECT ${selectList("guardrails", ALIKE).sql}, limit_micro_usd::text AS "limitMicroUsd"
  FROM guardrails JOIN workspaces ON workspaces.id = guardrails.workspace_id
  WHERE guardrails.id = $1::uuid AND guardrails.deleted_at IS NULL AND workspaces.organization_id = $2::uuid`,
};

type FoundRow = Omit<Guardrail, "limitMicroUsd"> & { limitMicroUsd: string | null };

/**
 * Returns the organization's guardrail; 404 when missing or foreign. A prepared statement takes half as long as the
 * database client.
 */
export async function findGuardrail(db: Database, context: Context, id: string): Promise<Guardrail> {
  const [row] = await readStatement<FoundRow>(db, FIND, [id, context.caller.organizationId]);
  if (!row || !includesWorkspace(workspacesOf(context), row.workspaceId)) throw notFound();
  const { limitMicroUsd: limit } = row;
  return { ...row, limitMicroUsd: limit === null ? null : BigInt(limit) };
}

/** Returns related rows of the organization's guardrail in one statement; 404 when it is missing or foreign. */
export async function findOfGuardrail<const S extends Prisma.GuardrailSelect>(
  db: Database,
  context: Context,
  id: string,
  select: S,
): Promise<Prisma.GuardrailGetPayload<{ select: S }>> {
  const row = await db.guardrail.findFirst({ where: livingGuardrail(context, id), select });
  if (!row) throw notFound();
  return row;
}
