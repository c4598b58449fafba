import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import { ApiError } from "../../platform/api-error";
import type { Database } from "../../platform/database/transaction";

/**
 * Returns the action that a sign-in without an identity provider is audited as. In a transaction, passwords can't be switched off until
 * its end, so that the session is there for the switch to end.
 * @throws ApiError if the organization requires members to sign in with their provider
 */
export async function passwordAction(
  db: Database,
  { id, organizationId }: Pick<MemberRow, "id" | "organizationId">,
): Promise<"session.create" | "session.break_glass"> {
  const [organization] = await db.$queryRaw<{ allowed: boolean; is_break_glass: boolean }[]>`
    SELECT password_sign_in = 'allowed' AS allowed, break_glass_member_id IS NOT DISTINCT FROM ${id} AS is_break_glass
    FROM organizations WHERE id = ${organizationId}::uuid FOR SHARE`;
  if (organization?.allowed) return "session.create";
  if (organization?.is_break_glass) return "session.break_glass";
  throw new ApiError(403, "Your organization requires you to sign in with your identity provider", {
    reason: "identity_provider_required",
  });
}

/**
 * Reads a member again after `passwordAction` waited, and locks them until the end of the transaction, so that a later change of the
 * password ends the session. Returns null if the password was changed or reset, or the member lost access, since they were read.
 */
export async function unchangedMember(
  db: Database,
  { id, passwordHash }: Pick<MemberRow, "id" | "passwordHash">,
): Promise<MemberRow | null> {
  await db.$queryRaw`SELECT 1 AS locked FROM members WHERE id = ${id} FOR SHARE`;
  return db.member.findFirst({ where: { id, passwordHash, deletedAt: null, deactivatedAt: null } });
}
