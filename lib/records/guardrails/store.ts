import "server-only";
import { notFound, preconditionFailed } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";

/** Locks and returns the organization's guardrail; 404 when missing or foreign. */
export async function lockGuardrail(db: Database, context: Context, id: string) {
  await db.$queryRaw`SELECT 1 AS locked FROM guardrails WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await findGuardrail(db, context, id);
  if (context.ifMatch && !context.ifMatch.includes(row.revision)) throw preconditionFailed(row.revision);
  return row;
}

/** Returns the organization's guardrail; 404 when missing or foreign. */
export async function findGuardrail(db: Database, { caller }: Context, id: string) {
  const row = await db.guardrail.findFirst({
    where: { id, deletedAt: null, workspace: { organizationId: caller.organizationId } },
  });
  if (!row) throw notFound();
  return row;
}
