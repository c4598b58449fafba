import "server-only";
import { notFound } from "../../platform/api-error";
import { recordChanges } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { assertCoversMember, findMember, keepingOwner, lockMember, target } from "../members/store";
import type * as contract from "./contract";
import { toIdentity } from "./rows";

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
    const member = await lockMember(db, context, params.user_id);
    await assertCoversMember(db, context, member);
    const where = { memberId: member.id, connectionId: params.connection_id };
    const rows = await db.memberIdentity.findMany({ where, include: { connection: true } });
    if (rows.length === 0) throw notFound();
    await keepingOwner(db, context, () => db.memberIdentity.deleteMany({ where }));
    await db.session.deleteMany({ where });
    await recordChanges(
      db,
      context,
      rows.map((row) => ({ action: "member.unlink_identity", target: target(member), before: toIdentity(row) })),
    );
    return { deleted: true as const };
  });
}
