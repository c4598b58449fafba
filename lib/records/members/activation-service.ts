import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import { conflict } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { ActorContext, Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { toProfile } from "./rows";
import { BREAK_GLASS, isBreakGlass, isLastOwner, target } from "./store";

/**
 * Deactivates a locked member, or reactivates them. Deactivation ends their sessions and one-time links. Their keys stop because
 * loading a key requires an active creator, so reactivation restores exactly what worked before.
 */
export async function setActive(
  db: Database,
  context: ActorContext,
  before: MemberRow,
  isActive: boolean,
): Promise<void> {
  if (isActive === (before.deactivatedAt === null)) return;
  if (!isActive) {
    if (await isLastOwner(db, context, before))
      throw conflict("The last owner can't be deactivated. Make another member an owner first");
    if (await isBreakGlass(db, before)) throw conflict(BREAK_GLASS);
    await db.session.deleteMany({ where: { memberId: before.id } });
    await db.invitation.deleteMany({ where: { memberId: before.id } });
  }
  const row = await db.member.update({
    where: { id: before.id },
    data: { deactivatedAt: isActive ? null : context.now, updatedAt: context.now },
  });
  await recordChange(db, context, {
    action: isActive ? "member.activate" : "member.deactivate",
    target: target(row),
    before: toProfile(before),
    after: toProfile(row),
  });
}

/** True while the organization has a token with which a directory could request something. */
const isDirectoryConnected = async (db: Database, { caller: { organizationId }, now }: Context): Promise<boolean> =>
  (await db.scimToken.count({
    where: { organizationId, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  })) > 0;

/**
 * Deactivates or reactivates a member for an admin. Admins can't deactivate themselves, nor members whom a connected directory decides
 * about.
 */
export async function setActiveByHand(
  db: Database,
  context: Context,
  before: MemberRow,
  isActive: boolean,
): Promise<void> {
  if (isActive === (before.deactivatedAt === null)) return;
  if (context.caller.userId === before.id) throw conflict("You can't deactivate yourself. Ask another admin");
  if (before.provisionedAt !== null && (await isDirectoryConnected(db, context)))
    throw conflict(
      `The directory decides whether ${before.email} is active. Change it there, or delete the SCIM tokens first`,
    );
  await setActive(db, context, before, isActive);
}
