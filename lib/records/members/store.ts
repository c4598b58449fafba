import "server-only";
import type { Member as MemberRow, Role } from "../../../prisma/generated/client";
import { notFound } from "../../platform/api-error";
import type { ActorContext } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { memberParts, type MemberWithParts } from "./rows";

/** Filters the members visible to the caller. */
export const living = ({ caller }: ActorContext) => ({ organizationId: caller.organizationId, deletedAt: null });

export async function findMember(db: Database, context: ActorContext, id: string): Promise<MemberWithParts> {
  const row = await db.member.findFirst({ where: { ...living(context), id }, include: memberParts(context.now) });
  if (!row) throw notFound();
  return row;
}

/**
 * Locks the organization, then the member, so that role changes are serialized and two admins can't remove each other.
 */
export async function lockMember(db: Database, context: ActorContext, id: string): Promise<MemberWithParts> {
  await lockOrganization(db, context);
  await db.$queryRaw`SELECT 1 AS locked FROM members WHERE id = ${id} FOR NO KEY UPDATE`;
  return findMember(db, context, id);
}

export async function lockOrganization(db: Database, { caller }: ActorContext): Promise<void> {
  await db.$queryRaw`SELECT 1 AS locked FROM organizations WHERE id = ${caller.organizationId}::uuid FOR NO KEY UPDATE`;
}

/** Roles of which one active member must remain. */
const ADMINS: readonly Role[] = ["owner", "admin"];

export const isAdmin = ({ role }: Pick<MemberRow, "role">): boolean => ADMINS.includes(role);

export async function isLastAdmin(db: Database, context: ActorContext, member: MemberRow): Promise<boolean> {
  if (!isAdmin(member)) return false;
  const others = { ...living(context), deactivatedAt: null, role: { in: [...ADMINS] }, id: { not: member.id } };
  return (await db.member.count({ where: others })) === 0;
}

export const LAST_ADMIN = "The last admin can't be removed or demoted. Make another member an admin first";

export const target = ({ id, email }: MemberRow) => ({ type: "member", id, name: email });
