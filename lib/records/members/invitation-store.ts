import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import type { Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { randomBase62, sha256 } from "../../platform/secrets";
import { notify } from "../notifications/outbox-store";
import { accessMessage, providerMessage } from "./access-message";

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const TOKEN_LENGTH = 43;

type LinkType = "invitation" | "password_reset";

/**
 * Creates a one-time link, which replaces earlier ones, and returns its address. Only the hash of its token is stored. Returns null while
 * passwords are off. Emails the link, or else the sign-in page, if a mail server is configured.
 */
export async function invite(
  db: Database,
  context: Context,
  member: MemberRow,
  type: LinkType,
): Promise<string | null> {
  const { now, settings, origin } = context;
  const { email, organizationId } = member;
  const { name, passwordSignIn } = await db.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { name: true, passwordSignIn: true },
  });
  const url = passwordSignIn === "allowed" ? await createLink(db, context, member, type) : null;
  if (settings.smtp) {
    const message = url ? accessMessage(type, name, url) : providerMessage(name, `${origin}/sign-in`);
    const payload = { channel: "email" as const, to: email, message };
    await notify(db, settings, [{ organizationId, type, firingId: null, payload }], now);
  }
  return url;
}

async function createLink(
  db: Database,
  { now, origin }: Context,
  { id: memberId }: MemberRow,
  type: LinkType,
): Promise<string> {
  const token = randomBase62(TOKEN_LENGTH);
  await db.invitation.deleteMany({ where: { memberId } });
  await db.invitation.create({
    data: { tokenHash: sha256(token), memberId, expiresAt: new Date(now.getTime() + LIFETIME_MS) },
  });
  return `${origin}/invite/${token}${type === "invitation" ? "" : "?for=reset"}`;
}
