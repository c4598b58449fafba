import "server-only";
import { notFound, preconditionFailed } from "../../platform/api-error";
import type { Prisma } from "../../../prisma/generated/client";
import type { Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";

/** Locks and returns the organization's guardrail; 404 when missing or foreign. */
export async function lockGuardrail(db: Database, context: Context, id: string) {
  await db.$queryRaw`SELECT 1 AS locked FROM guardrails WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await findGuardrail(db, context, id);
  if (context.ifMatch && !context.ifMatch.includes(row.revision)) throw preconditionFailed(row.revision);
  return row;
}

const livingGuardrail = ({ caller }: Context, id: string) =>
  ({ id, deletedAt: null, workspace: { organizationId: caller.organizationId } }) satisfies Prisma.GuardrailWhereInput;

/** Returns the organization's guardrail; 404 when missing or foreign. */
export async function findGuardrail(db: Database, context: Context, id: string) {
  const row = await db.guardrail.findFirst({ where: livingGuardrail(context, id) });
  if (!row) throw notFound();
  return row;
}

/** Returns related rows of the organization's guardrail, in one statement; 404 when it is missing or foreign. */
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
