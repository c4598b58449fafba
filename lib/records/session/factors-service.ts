import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import { conflict, invalid, notFound } from "../../platform/api-error";
import { recordRefusal } from "../../platform/audit/refusals-store";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { sha256 } from "../../platform/secrets";
import { verifyPassword } from "../members/password";
import { sessionOf } from "./account-service";
import type * as contract from "./factors-contract";
import { acceptCode, acceptTotp, hasTotp, removeTotp, sealTotp } from "./factors-store";
import { answerOptions, listOf, verifyAnswer } from "./passkeys-service";
import { passwordAction } from "./password-sign-in-store";
import { endAttempt, knownClient, startAttempt } from "./throttle-store";
import { newRecoveryCodes, newTotpSecret, plainRecoveryCode, totpUri } from "./totp";

const memberOf = (db: Database, context: Context) =>
  db.member.findUniqueOrThrow({ where: { id: sessionOf(context).userId } });

export async function get(context: Context): Promise<Result<typeof contract.getAccountSecurity>> {
  const member = await memberOf(context.db, context);
  return {
    data: {
      totp_enabled: hasTotp(member),
      recovery_codes_left: await context.db.recoveryCode.count({ where: { memberId: member.id, usedAt: null } }),
      passkeys: await listOf(context, member.id),
    },
  };
}

/** Starts TOTP setup, and replaces an earlier unconfirmed secret. */
export async function startTotp(context: Context): Promise<Result<typeof contract.startTotp>> {
  const member = await memberOf(context.db, context);
  const secret = newTotpSecret();
  const { count } = await context.db.member.updateMany({
    where: { id: member.id, totpConfirmedAt: null },
    data: { totpSecret: sealTotp(context.settings, member.id, secret), totpLastStep: null },
  });
  if (count === 0) throw conflict("Two-step verification is already on. Turn it off first");
  return { data: { secret, uri: totpUri(secret, member.email) } };
}

export async function confirmTotp(
  context: Context,
  { body }: Input<typeof contract.confirmTotp>,
): Promise<Result<typeof contract.confirmTotp>> {
  const { sessionId } = sessionOf(context);
  const attempt = await startAttempt(context, knownClient(sessionId));
  const answer = await inTransaction(context.db, async (db) => {
    const member = await memberOf(db, context);
    if (hasTotp(member)) throw conflict("Two-step verification is already on");
    if (!(await acceptTotp(db, context.settings, member, body.code, context.now))) throw wrong("code");
    await db.member.update({ where: { id: member.id }, data: { totpConfirmedAt: context.now } });
    await recordChange(db, context, { action: "member.enable_totp", target: target(member) });
    return { data: { recovery_codes: await replaceRecoveryCodes(db, member) } };
  });
  await endAttempt(context, attempt);
  return answer;
}

export async function removeOwnTotp(context: Context): Promise<Result<typeof contract.deleteTotp>> {
  return inTransaction(context.db, async (db) => {
    const member = await memberOf(db, context);
    if (!(await removeTotp(db, member.id))) throw notFound();
    if (hasTotp(member)) await recordChange(db, context, { action: "member.disable_totp", target: target(member) });
    return { deleted: true as const };
  });
}

export async function createRecoveryCodes(context: Context): Promise<Result<typeof contract.createRecoveryCodes>> {
  return inTransaction(context.db, async (db) => {
    const member = await memberOf(db, context);
    if (!hasTotp(member)) throw conflict("Two-step verification is off. Turn it on first");
    const recovery_codes = await replaceRecoveryCodes(db, member);
    await recordChange(db, context, { action: "member.create_recovery_codes", target: target(member) });
    return { data: { recovery_codes } };
  });
}

async function replaceRecoveryCodes(db: Database, { id: memberId }: MemberRow): Promise<string[]> {
  const codes = newRecoveryCodes();
  await db.recoveryCode.deleteMany({ where: { memberId } });
  await db.recoveryCode.createMany({
    data: codes.map((code) => ({ memberId, codeHash: sha256(plainRecoveryCode(code)) })),
  });
  return codes;
}

export const reauthenticationOptions = (
  context: Context,
): Promise<Result<typeof contract.createReauthenticationOptions>> =>
  answerOptions(context, { purpose: "reauthenticate", memberId: sessionOf(context).userId });

/**
 * Any one factor is enough, because the session already proved all of them. A session of a provider proved none of them: where members
 * must sign in with it, they confirm their identity there.
 */
export async function reauthenticate(
  context: Context,
  { body: { password, code, passkey } }: Input<typeof contract.reauthenticate>,
): Promise<Result<typeof contract.reauthenticate>> {
  const { sessionId, userId, organizationId } = sessionOf(context);
  const { db, settings, now } = context;
  const member = await memberOf(db, context);
  if ((await db.session.count({ where: { id: sessionId, connectionId: { not: null } } })) > 0)
    await passwordAction(db, member);
  const attempt = await startAttempt(context, knownClient(sessionId));
  const isProved = async () => {
    if (password !== undefined) return verifyPassword(member.passwordHash, password);
    if (code !== undefined) return acceptCode(db, settings, member, code, now);
    return (
      passkey !== undefined &&
      (await verifyAnswer(context, { purpose: "reauthenticate", memberId: userId }, passkey)) !== null
    );
  };
  if (!(await isProved())) {
    recordRefusal(context, {
      action: "session.reject",
      organizationId,
      actor: { type: "member", id: userId, name: member.email },
      target: target(member),
    });
    throw wrong(password === undefined ? (code === undefined ? "passkey" : "code") : "password");
  }
  await endAttempt(context, attempt);
  await inTransaction(db, async (transaction) => {
    await transaction.session.updateMany({ where: { id: sessionId }, data: { authenticatedAt: now } });
    await recordChange(transaction, context, { action: "session.reauthenticate", target: target(member) });
  });
  return { data: { authenticated_at: now.toISOString() } };
}

const wrong = (field: "password" | "code" | "passkey") =>
  invalid([{ path: [field], message: "is not correct", code: `wrong_${field}` }]);

const target = ({ id, email }: MemberRow) => ({ type: "member", id, name: email });
