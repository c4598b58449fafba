import "server-only";
import { notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./contract";
import { toIdentity } from "./rows";

async function findMember(db: Database, { caller }: Context, id: string) {
  const row = await db.member.findFirst({ where: { id, organizationId: caller.organizationId, deletedAt: null } });
  if (!row) throw notFound();
  return row;
}

export async function list(
  context: Context,
  { params }: Input<typeof contract.listMemberIdentities>,
): Promise<Result<typeof contract.listMemberIdentities>> {
  const { id } = await findMember(context.db, context, params.user_id);
  const rows = await context.db.memberIdentity.findMany({
    where: { memberId: id, connection: { organizationId: context.caller.organizationId } },
    include: { connection: true },
    orderBy: { createdAt: "asc" },
  });
  return { data: rows.map(toIdentity) };
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteMemberIdentity>,
): Promise<Result<typeof contract.deleteMemberIdentity>> {
  return inTransaction(context.db, async (db) => {
    const member = await findMember(db, context, params.user_id);
    const where = { memberId: member.id, connectionId: params.connection_id };
    const [row] = await db.memberIdentity.findMany({ where, include: { connection: true } });
    if (!row) throw notFound();
    await db.memberIdentity.deleteMany({ where });
    await db.session.deleteMany({ where });
    await recordChange(db, context, {
      action: "member.unlink_identity",
      target: { type: "member", id: member.id, name: member.email },
      before: toIdentity(row),
    });
    return { deleted: true as const };
  });
}
