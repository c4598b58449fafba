import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import type { Context, PublicContext } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { ApiError, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { limitRate } from "../../platform/http/rate-limit";
import { uuidv7 } from "../../platform/ids";
import { toColumns, toProfile } from "../members/rows";
import { randomBase62, sha256 } from "../../platform/secrets";
import { sessionOf } from "./account-service";
import type * as contract from "./contract";
import { findSession, SESSION_LIFETIME_MS, sessionCookie, TOKEN_LENGTH } from "../members/session-store";
import { hashPassword, verifyPassword } from "../members/password";

const ATTEMPTS_PER_ACCOUNT = 10;
const ATTEMPTS_PER_ADDRESS = 30;

export async function create(
  context: PublicContext,
  { body }: Input<typeof contract.createSession>,
): Promise<Result<typeof contract.createSession>> {
  const { db, now, headers } = context;
  const email = body.email.toLowerCase();
  limitAddress(context);
  limitRate(`sign-in:account:${email}`, ATTEMPTS_PER_ACCOUNT, now, headers);
  const member = await db.member.findFirst({ where: { email, deletedAt: null } });
  const isRight = await verifyPassword(member?.passwordHash, body.password);
  if (!member || !isRight) throw new ApiError(401, "Invalid email or password");
  return inTransaction(db, (transaction) => signIn(transaction, context, member, "session.create"));
}

/** Consumes the invitation in the transaction that sets the password, so that it works only once. */
export async function acceptInvitation(
  context: PublicContext,
  { body }: Input<typeof contract.acceptInvitation>,
): Promise<Result<typeof contract.acceptInvitation>> {
  limitAddress(context);
  const tokenHash = sha256(body.token);
  const passwordHash = await hashPassword(body.password);
  return inTransaction(context.db, async (db) => {
    const used = await db.invitation.updateManyAndReturn({
      where: { tokenHash, usedAt: null, expiresAt: { gt: context.now } },
      data: { usedAt: context.now },
    });
    const memberId = used[0]?.memberId;
    if (memberId === undefined) throw notFound({ reason: "invitation_unknown_used_or_expired" });
    const member = await db.member.update({
      where: { id: memberId },
      data: { ...toColumns(body), passwordHash, mustChangePassword: false, updatedAt: context.now },
    });
    return signIn(db, context, member, "invitation.accept");
  });
}

export async function get(context: Context): Promise<Result<typeof contract.getSession>> {
  const { userId } = sessionOf(context);
  const member = await context.db.member.findUniqueOrThrow({ where: { id: userId } });
  return { data: await describe(context.db, context, member, context.caller.workspaceId) };
}

export async function remove(context: Context): Promise<Result<typeof contract.deleteSession>> {
  const { sessionId, userId, userName } = sessionOf(context);
  await inTransaction(context.db, async (db) => {
    await db.session.deleteMany({ where: { id: sessionId } });
    await recordChange(db, context, {
      action: "session.delete",
      target: { type: "member", id: userId, name: userName },
    });
  });
  setCookie(context, null);
  return { deleted: true as const };
}

/** Creates a session with a new token, and ends the one that the browser had, whoever it belonged to. */
async function signIn(
  db: Database,
  context: PublicContext,
  member: MemberRow,
  action: "session.create" | "invitation.accept",
) {
  const { now, ip, client, sessionToken } = context;
  const token = randomBase62(TOKEN_LENGTH);
  if (sessionToken !== null) await db.session.deleteMany({ where: { tokenHash: sha256(sessionToken) } });
  await db.session.deleteMany({ where: { memberId: member.id, expiresAt: { lte: now } } });
  await db.session.create({
    data: {
      tokenHash: sha256(token),
      id: uuidv7(now),
      memberId: member.id,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
      ip,
      userAgent: client.userAgent,
    },
  });
  const session = await findSession(db, token, now);
  if (!session) throw new ApiError(401, "Invalid email or password");
  await recordChange(
    db,
    { ...context, caller: session.caller },
    { action, target: { type: "member", id: member.id, name: member.email } },
  );
  setCookie(context, token);
  return { data: await describe(db, context, member, session.caller.workspaceId) };
}

async function describe(
  db: Database,
  { settings }: PublicContext,
  member: MemberRow,
  workspaceId: string,
): Promise<contract.Session> {
  const organization = await db.organization.findUniqueOrThrow({ where: { id: member.organizationId } });
  return {
    user: toProfile(member),
    organization: { id: organization.id, name: organization.name },
    workspace_id: workspaceId,
    must_change_password: member.mustChangePassword,
    zdr_vendors: [...settings.zdrVendors],
  };
}

function limitAddress({ ip, now, headers }: PublicContext): void {
  limitRate(`sign-in:address:${ip ?? "unknown"}`, ATTEMPTS_PER_ADDRESS, now, headers);
}

const setCookie = ({ headers, origin }: PublicContext, token: string | null) =>
  headers.append("set-cookie", sessionCookie(token, origin.startsWith("https:")));
