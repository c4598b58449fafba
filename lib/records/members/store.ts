import "server-only";
import type { Member as MemberRow, Prisma } from "../../../prisma/generated/client";
import { conflict, notFound } from "../../platform/api-error";
import type { ActorContext } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { assertCovers, loadGrants } from "../roles/assign-store";
import { withRole } from "../roles/rows";
import { memberParts, type MemberWithParts } from "./rows";
import { lockOrganization } from "../organization/lock-store";

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

/** Filters the members who can sign in with the organization's current settings and connections. */
async function canSignIn(db: Database, { caller: { organizationId } }: ActorContext): Promise<Prisma.MemberWhereInput> {
  const { passwordSignIn, breakGlassMemberId } = await db.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { passwordSignIn: true, breakGlassMemberId: true },
  });
  const mayUsePassword = passwordSignIn === "allowed" ? {} : { id: breakGlassMemberId ?? "" };
  return {
    deactivatedAt: null,
    OR: [
      { ...mayUsePassword, passwordHash: { not: null } },
      { identities: { some: { connection: { enabled: true } } } },
    ],
  };
}

/** Filters the members who are active and could sign in at some time, as `orOwner` does for owners. */
const IS_ESTABLISHED = {
  deactivatedAt: null,
  OR: [{ passwordHash: { not: null } }, { passwordResetAt: { not: null } }, { providerSignInAt: { not: null } }],
} satisfies Prisma.MemberWhereInput;

/**
 * True for the last owner who can sign in, or who could at some time if none can now; while an organization has none, for its last such
 * admin.
 */
export async function isLastOwner(db: Database, context: ActorContext, { id }: MemberRow): Promise<boolean> {
  const isAble = await canSignIn(db, context);
  for (const role of ["org:owner", "org:admin"] as const)
    for (const filter of [isAble, IS_ESTABLISHED]) {
      const where = { ...living(context), ...filter, ...withRole(role) };
      const owners = await db.member.findMany({ where, select: { id: true }, take: 2 });
      if (owners.length > 0) return owners.every((owner) => owner.id === id);
    }
  return false;
}

/** Makes a change to the ways to sign in. Throws a 409 if an owner could sign in before, and none can afterwards. */
export async function keepingOwner<T>(db: Database, context: ActorContext, change: () => Promise<T>): Promise<T> {
  const count = async () =>
    db.member.count({ where: { ...living(context), ...(await canSignIn(db, context)), ...withRole("org:owner") } });
  const before = await count();
  const changed = await change();
  if (before > 0 && (await count()) === 0)
    throw conflict(
      "No owner could sign in afterwards. Set an owner's password first, or let an owner sign in with another connection",
      {
        reason: "owner_needed",
      },
    );
  return changed;
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
