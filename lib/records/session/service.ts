import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import { recordRefusal } from "../../platform/audit/refusals-store";
import type { Context, PublicContext } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { ApiError, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { inspected } from "../../platform/http/inspected";
import { toColumns, toProfile } from "../members/rows";
import { roleNameOf } from "../roles/rows";
import { randomBase62, secretKeysOf, sha256 } from "../../platform/secrets";
import { sessionOf } from "./account-service";
import type * as contract from "./contract";
import { setCookie } from "./browser-cookies";
import { passwordAction, unchangedMember } from "./password-sign-in-store";
import { startSession } from "./start-session-service";
import { deviceToken, knownDevice } from "./known-device";
import { acceptCode, hasTotp } from "./factors-store";
import { answerOptions, verifyAnswer } from "./passkeys-service";
import { endAttempt, knownClient, startAttempt, undoAttempt, unknownClient, type Attempt } from "./throttle-store";
import { inspectPassword } from "../members/common-password";
import { hashPassword, verifyPassword } from "../members/password";

const DEVICE_LIFETIME_S = 365 * 24 * 60 * 60;
const NONCE_LENGTH = 22;
const WRONG_PASSWORD = "Invalid email or password";
const UNKNOWN_PASSKEY = "This passkey isn't registered. Sign in with your password instead";

/**
 * Counts the attempt before the password is verified, so that parallel guesses can't exceed the limit. A browser that
 * the member has used before has a separate count, so guesses from elsewhere don't delay it.
 */
export async function create(
  context: PublicContext,
  { body }: Input<typeof contract.createSession>,
): Promise<Result<typeof contract.createSession>> {
  const { db } = context;
  const email = body.email.toLowerCase();
  const member = await db.member.findFirst({ where: { email, deletedAt: null } });
  const device = member && deviceOf(context, member);
  const attempt = await startAttempt(
    context,
    device ? knownClient(`${member.id} ${device}`) : unknownClient(context, email),
  );
  const isRight = await verifyPassword(member?.passwordHash, body.password);
  if (!member || !isRight) {
    reject(context, member);
    throw new ApiError(401, WRONG_PASSWORD);
  }
  await assertSecondFactor(context, member, body.code, attempt);
  await endAttempt(context, attempt);
  assertActive(context, member);
  return signInUnchanged(context, member, WRONG_PASSWORD);
}

/** Signs in a member who was verified, unless their password was changed or their access ended meanwhile. */
async function signInUnchanged(context: PublicContext, verified: MemberRow, message: string) {
  const signedIn = await inTransaction(context.db, async (db) => {
    const action = await passwordAction(db, verified);
    const member = await unchangedMember(db, verified);
    return member && signIn(db, context, member, action);
  });
  if (signedIn) return signedIn;
  reject(context, verified);
  throw new ApiError(401, message);
}

/** A wrong code remains counted as a failed attempt; a missing one doesn't. */
async function assertSecondFactor(
  context: PublicContext,
  member: MemberRow,
  code: string | undefined,
  attempt: Attempt,
): Promise<void> {
  if (!hasTotp(member)) return;
  if (code === undefined) {
    await undoAttempt(context, attempt);
    throw new ApiError(401, "A code from your authenticator app is required", { reason: "second_factor_required" });
  }
  if (await acceptCode(context.db, context.settings, member, code, context.now)) return;
  reject(context, member);
  throw new ApiError(401, "Invalid code", { reason: "second_factor_invalid" });
}

function reject(context: PublicContext, member: MemberRow | null): void {
  recordRefusal(context, {
    action: "session.reject",
    organizationId: member?.organizationId ?? null,
    actor: null,
    target: member
      ? { type: "member", id: member.id, name: member.email }
      : { type: "account", id: "unknown", name: "an unknown account" },
  });
}

export const passkeyOptions = (context: PublicContext): Promise<Result<typeof contract.createPasskeySignInOptions>> =>
  answerOptions(context, { purpose: "sign-in", memberId: "" });

/** A passkey proves possession and, through its device, the person. It replaces password and code. */
export async function createWithPasskey(
  context: PublicContext,
  { body }: Input<typeof contract.createPasskeySession>,
): Promise<Result<typeof contract.createPasskeySession>> {
  const attempt = await startAttempt(context, unknownClient(context, null));
  const member = await verifyAnswer(context, { purpose: "sign-in", memberId: "" }, body.passkey);
  // After a reset, only the link gives access.
  if (!member || member.passwordHash === null) {
    reject(context, member);
    throw new ApiError(401, UNKNOWN_PASSKEY);
  }
  await endAttempt(context, attempt);
  assertActive(context, member);
  return signInUnchanged(context, member, UNKNOWN_PASSKEY);
}

/** Consumes the invitation in the transaction that sets the password, so that it works only once. */
export const acceptInvitation = inspected(
  inspectPassword("password"),
  async (
    context: PublicContext,
    { body }: Input<typeof contract.acceptInvitation>,
  ): Promise<Result<typeof contract.acceptInvitation>> => {
    const attempt = await startAttempt(context, unknownClient(context, null));
    const open = { tokenHash: sha256(body.token), usedAt: null, expiresAt: { gt: context.now } };
    const invitation = await context.db.invitation.findFirst({ where: open, include: { member: true } });
    if (!invitation) throw unknownInvitation();
    await endAttempt(context, attempt);
    if (hasTotp(invitation.member)) {
      // A holder of the link must not guess the code, so it is counted as at sign-in.
      const guess = await startAttempt(context, unknownClient(context, invitation.member.email));
      await assertSecondFactor(context, invitation.member, body.code, guess);
      await endAttempt(context, guess);
    }
    assertActive(context, invitation.member);
    const passwordHash = await hashPassword(body.password);
    return inTransaction(context.db, async (db) => {
      const action = await passwordAction(db, invitation.member);
      const used = await db.invitation.updateManyAndReturn({ where: open, data: { usedAt: context.now } });
      const memberId = used[0]?.memberId;
      if (memberId === undefined) throw unknownInvitation();
      const member = await db.member.update({
        where: { id: memberId },
        data: { ...toColumns(body), passwordHash, mustChangePassword: false, updatedAt: context.now },
      });
      return signIn(db, context, member, action === "session.create" ? "invitation.accept" : action);
    });
  },
);

/** A deactivated member has no access, whatever they prove. */
function assertActive(context: PublicContext, member: MemberRow): void {
  if (member.deactivatedAt === null) return;
  reject(context, member);
  throw new ApiError(401, "This account is deactivated. Ask an admin to reactivate it", {
    reason: "member_deactivated",
  });
}

const unknownInvitation = () => notFound({ reason: "invitation_unknown_used_or_expired" });

const deviceOf = ({ settings, deviceToken: token }: PublicContext, { id }: MemberRow): string | null =>
  knownDevice(secretKeysOf(settings), id, token);

export async function get(context: Context): Promise<Result<typeof contract.getSession>> {
  const caller = sessionOf(context);
  const member = await context.db.member.findUniqueOrThrow({ where: { id: caller.userId } });
  return { data: await describe(context.db, context, member, caller) };
}

/** Starts a session, and remembers the browser. */
async function signIn(
  db: Database,
  context: PublicContext,
  member: MemberRow,
  action: "session.create" | "session.break_glass" | "invitation.accept",
) {
  const caller = await startSession(db, context, member, { action });
  if (deviceOf(context, member) === null) rememberDevice(context, member);
  return { data: await describe(db, context, member, caller) };
}

async function describe(
  db: Database,
  { settings }: PublicContext,
  member: MemberRow,
  { workspaceId, sessionId, grants }: ReturnType<typeof sessionOf>,
): Promise<contract.Session> {
  const customRole = member.customRoleId && (await db.customRole.findUnique({ where: { id: member.customRoleId } }));
  const organization = await db.organization.findUniqueOrThrow({ where: { id: member.organizationId } });
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: { connection: { select: { id: true, name: true } } },
  });
  return {
    user: { ...toProfile(member), role_name: roleNameOf({ ...member, customRole: customRole || null }) },
    permissions: [...grants.organization],
    workspace_permissions: [...grants.workspaces].map(([workspace_id, permissions]) => ({
      workspace_id,
      permissions: [...permissions],
    })),
    organization: { id: organization.id, name: organization.name },
    workspace_id: workspaceId,
    connection: session?.connection ?? null,
    password_sign_in: organization.passwordSignIn,
    // Who signs in with a provider doesn't need the first password.
    must_change_password: member.mustChangePassword && !session?.connection,
    key_self_service: organization.keySelfService as contract.Session["key_self_service"],
    zdr_vendors: [...settings.zdrVendors],
  };
}

/** Marks the browser as known to the sign-in throttle. Signing out doesn't change that. */
function rememberDevice({ headers, origin, settings }: PublicContext, { id }: MemberRow): void {
  const token = deviceToken(settings.secretKey, id, randomBase62(NONCE_LENGTH));
  headers.append("set-cookie", setCookie("device", token, DEVICE_LIFETIME_S, origin.startsWith("https:")));
}
