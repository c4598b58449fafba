import "server-only";
import type { Member as MemberRow, Prisma } from "../../../prisma/generated/client";
import { notFound } from "../../platform/api-error";
import type { ActorContext } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { assertCovers, loadGrants } from "../roles/assign-store";
import { withRole } from "../roles/rows";
import { memberParts, type MemberWithParts } from "./rows";
import { lockOrganization } from "../organization/lock-store";

/** Filters the members who can sign in. */
export const canSignIn = {
  deactivatedAt: null,
  OR: [{ passwordHash: { not: null } }, { providerSignInAt: { not: null } }],
} satisfies Prisma.MemberWhereInput;

/** Filters the members visible to the caller. */
export const living = ({ caller }: ActorContext) => ({ organizationId: caller.organizationId, deletedAt: null });

export async function findMember(db: Database, context: ActorContext, id: string): Promise<MemberWithParts> {
  const row = await db.member.findFirst({ where: { ...living(context), id }, include: memberParts(context.now) });
  if (!row) throw notFound();
  return row;
}

/**
 * Locks the organization, then the member, so that role changes are serialized and two owners can't remove each other.
 */
export async function lockMember(db: Database, context: ActorContext, id: string): Promise<MemberWithParts> {
  await lockOrganization(db, context.caller.organizationId);
  await db.$queryRaw`SELECT 1 AS locked FROM members WHERE id = ${id} FOR NO KEY UPDATE`;
  return findMember(db, context, id);
}

/** True for the last owner who can sign in; while an organization has none, for its last admin who can. */
export async function isLastOwner(db: Database, context: ActorContext, { id }: MemberRow): Promise<boolean> {
  for (const role of ["org:owner", "org:admin"] as const) {
    const where = { ...living(context), ...canSignIn, ...withRole(role) };
    const owners = await db.member.findMany({ where, select: { id: true }, take: 2 });
    if (owners.length > 0) return owners.every((owner) => owner.id === id);
  }
  return false;
}

export const LAST_OWNER = "The last owner can't be removed or demoted. Make another member an owner first";

/**
 * Throws a 403 unless the caller has every permission of the member: whoever sets a password or a role could act as the
 * member, and only owners remove owners. A directory provisions every member.
 */
export async function assertCoversMember(db: Database, { caller }: ActorContext, { id }: MemberRow): Promise<void> {
  if (caller.kind !== "scim") assertCovers({ caller }, await loadGrants(db, { memberId: id }));
}

/** True for the only member who can sign in without an identity provider. */
export const isBreakGlass = async (db: Database, { id, organizationId }: MemberRow): Promise<boolean> =>
  (await db.organization.count({
    where: { id: organizationId, passwordSignIn: "break_glass_only", breakGlassMemberId: id },
  })) > 0;

export const BREAK_GLASS =
  "The break-glass member must stay able to sign in and change sign-in settings. Choose another one there first";

export const target = ({ id, email }: MemberRow) => ({ type: "member", id, name: email });
