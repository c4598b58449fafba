import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { decrypt, encrypt, secretKeyId, secretKeysOf, sha256 } from "../../platform/secrets";
import { acceptedStep, plainRecoveryCode } from "./totp";

const PURPOSE = "totp";

/** Encrypts a member's TOTP secret. */
export const sealTotp = ({ secretKey }: Env, memberId: string, secret: string): string =>
  encrypt(secretKey, PURPOSE, memberId, secret);

const openTotp = (settings: Env, memberId: string, sealed: string): string =>
  decrypt(secretKeysOf(settings), PURPOSE, memberId, sealed);

export const hasTotp = ({ totpConfirmedAt }: Pick<MemberRow, "totpConfirmedAt">): boolean => totpConfirmedAt !== null;

/** Accepts a code of the member's authenticator app once, even if two requests send it concurrently. */
export async function acceptTotp(
  db: Database,
  settings: Env,
  { id, totpSecret, totpLastStep }: MemberRow,
  code: string,
  now: Date,
): Promise<boolean> {
  if (totpSecret === null) return false;
  const step = acceptedStep(openTotp(settings, id, totpSecret), code, now, totpLastStep);
  if (step === null) return false;
  const { count } = await db.member.updateMany({
    where: { id, totpSecret, OR: [{ totpLastStep: null }, { totpLastStep: { lt: step } }] },
    data: { totpLastStep: step },
  });
  return count === 1;
}

/** Accepts a code of the authenticator app or a recovery code. */
export async function acceptCode(
  db: Database,
  settings: Env,
  member: MemberRow,
  code: string,
  now: Date,
): Promise<boolean> {
  if (!hasTotp(member)) return false;
  if (/^\d{6}$/.test(code)) return acceptTotp(db, settings, member, code, now);
  const { count } = await db.recoveryCode.updateMany({
    where: { memberId: member.id, codeHash: sha256(plainRecoveryCode(code)), usedAt: null },
    data: { usedAt: now },
  });
  return count === 1;
}

/** Deletes the member's second factor; returns whether there was one. */
export async function removeTotp(db: Database, memberId: string): Promise<boolean> {
  await db.recoveryCode.deleteMany({ where: { memberId } });
  const { count } = await db.member.updateMany({
    where: { id: memberId, totpSecret: { not: null } },
    data: { totpSecret: null, totpConfirmedAt: null, totpLastStep: null },
  });
  return count === 1;
}

/** Re-encrypts every TOTP secret with the current secret after a rotation. Idempotent. */
export async function resealTotp(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const { id, totpSecret } of await db.member.findMany({ where: { totpSecret: { not: null } } })) {
    if (totpSecret === null || totpSecret.split(".")[1] === secretKeyId(settings.secretKey)) continue;
    await db.member.updateMany({
      where: { id, totpSecret },
      data: { totpSecret: sealTotp(settings, id, openTotp(settings, id, totpSecret)) },
    });
  }
}
