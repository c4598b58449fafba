import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import { ApiError } from "../../platform/api-error";
import type { Database } from "../../platform/database/transaction";

/**
 * Returns the action that a sign-in without an identity provider is audited as.
 * @throws ApiError if the organization requires members to sign in with their provider
 */
export async function passwordAction(
  db: Database,
  { id, organizationId }: Pick<MemberRow, "id" | "organizationId">,
): Promise<"session.create" | "session.break_glass"> {
  const { passwordSignIn, breakGlassMemberId } = await db.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { passwordSignIn: true, breakGlassMemberId: true },
  });
  if (passwordSignIn === "allowed") return "session.create";
  if (id === breakGlassMemberId) return "session.break_glass";
  throw new ApiError(403, "Your organization requires you to sign in with your identity provider", {
    reason: "identity_provider_required",
  });
}
