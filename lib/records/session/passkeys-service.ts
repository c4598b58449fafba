import "server-only";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { Member as MemberRow, Passkey as PasskeyRow } from "../../../prisma/generated/client";
import { z } from "zod";
import { jsonIn } from "../../platform/json-values";
import { conflict, invalid, notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context, PublicContext } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { randomBase62, secretKeysOf } from "../../platform/secrets";
import { nameOf } from "../members/name";
import { sessionOf } from "./account-service";
import { challengeEnd, newChallenge, type ChallengeUse } from "./challenge";
import type * as contract from "./factors-contract";
import { useOnce } from "./use-once-store";

const NONCE_LENGTH = 22;
const MAX_PASSKEYS = 20;

const toPasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): contract.Passkey => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

const relyingParty = ({ origin }: PublicContext) => new URL(origin).hostname;
const challengeFor = ({ settings, now }: PublicContext, use: ChallengeUse) =>
  newChallenge(settings.secretKey, use, randomBase62(NONCE_LENGTH), now);

export async function listOf(context: Context, memberId: string): Promise<contract.Passkey[]> {
  const rows = await context.db.passkey.findMany({
    where: { memberId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return rows.map(toPasskey);
}

export async function registrationOptions(context: Context): Promise<Result<typeof contract.createPasskeyOptions>> {
  const { userId } = sessionOf(context);
  const member = await context.db.member.findUniqueOrThrow({ where: { id: userId }, include: { passkeys: true } });
  const options = await generateRegistrationOptions({
    rpName: "Signalbox",
    rpID: relyingParty(context),
    userName: member.email,
    userDisplayName: nameOf(member),
    userID: new Uint8Array(Buffer.from(member.id)),
    challenge: challengeFor(context, { purpose: "register", memberId: userId }),
    excludeCredentials: member.passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { data: { ...options } };
}

/** The part of a response that contains its challenge. */
const ClientData = z.object({ challenge: z.string() });

/**
 * Returns the challenge of a response if it is accepted; null for another use's challenge, or one with an earlier
 * response.
 */
async function acceptedChallenge(
  { db, settings, now }: PublicContext,
  use: ChallengeUse,
  { clientDataJSON }: { clientDataJSON: string },
): Promise<string | null> {
  const { data } = ClientData.safeParse(jsonIn(Buffer.from(clientDataJSON, "base64url").toString()));
  if (!data) return null;
  const challenge = Buffer.from(data.challenge, "base64url").toString();
  const expiresAt = challengeEnd(secretKeysOf(settings), use, challenge, now);
  if (expiresAt === null) return null;
  return (await useOnce(db, challenge, expiresAt)) ? data.challenge : null;
}

export async function register(
  context: Context,
  { body }: Input<typeof contract.createPasskey>,
): Promise<Result<typeof contract.createPasskey>> {
  const { userId } = sessionOf(context);
  const use: ChallengeUse = { purpose: "register", memberId: userId };
  const expectedChallenge = await acceptedChallenge(context, use, body.credential.response);
  const verified =
    expectedChallenge !== null &&
    (await verifyRegistrationResponse({
      response: body.credential,
      expectedChallenge,
      expectedOrigin: context.origin,
      expectedRPID: relyingParty(context),
      requireUserVerification: true,
    }).catch(() => null));
  if (!verified || !verified.verified)
    throw invalid([
      { path: ["credential"], message: "is not a passkey created for this request", code: "invalid_passkey" },
    ]);
  const { credential } = verified.registrationInfo;
  return inTransaction(context.db, async (db) => {
    const member = await db.member.findUniqueOrThrow({ where: { id: userId } });
    if ((await db.passkey.count({ where: { memberId: userId } })) >= MAX_PASSKEYS)
      throw conflict(`A member has at most ${MAX_PASSKEYS} passkeys. Remove one first`);
    const row = await db.passkey.create({
      data: {
        id: uuidv7(context.now),
        memberId: userId,
        credentialId: credential.id,
        publicKey: credential.publicKey,
        counter: credential.counter,
        transports: credential.transports ?? [],
        name: body.name,
        createdAt: context.now,
      },
    });
    const after = toPasskey(row);
    await recordChange(db, context, { action: "member.add_passkey", target: target(member), after });
    return { data: after };
  });
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deletePasskey>,
): Promise<Result<typeof contract.deletePasskey>> {
  const { userId } = sessionOf(context);
  return inTransaction(context.db, async (db) => {
    const row = await db.passkey.findFirst({
      where: { id: params.id, memberId: userId },
      include: { member: true },
    });
    const { count } = row ? await db.passkey.deleteMany({ where: { id: row.id } }) : { count: 0 };
    if (!row || count === 0) throw notFound();
    await recordChange(db, context, {
      action: "member.remove_passkey",
      target: target(row.member),
      before: toPasskey(row),
    });
    return { deleted: true as const };
  });
}

/** Returns the options for a sign-in with any passkey of this site, or for a proof with one of the member's. */
export async function answerOptions(
  context: PublicContext,
  use: ChallengeUse,
): Promise<{ data: { challenge: string } }> {
  const passkeys = use.memberId === "" ? [] : await context.db.passkey.findMany({ where: { memberId: use.memberId } });
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(context),
    challenge: challengeFor(context, use),
    userVerification: "required",
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  return { data: { ...options } };
}

/** Returns the member whose passkey signed the challenge; null for any wrong response. */
export async function verifyAnswer(
  context: PublicContext,
  use: ChallengeUse,
  answer: contract.PasskeyAnswer,
): Promise<MemberRow | null> {
  const { db, now, origin } = context;
  const passkey = await db.passkey.findUnique({ where: { credentialId: answer.id }, include: { member: true } });
  if (!passkey || passkey.member.deletedAt || (use.memberId !== "" && passkey.memberId !== use.memberId)) return null;
  const expectedChallenge = await acceptedChallenge(context, use, answer.response);
  if (expectedChallenge === null) return null;
  const verified = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: relyingParty(context),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
      transports: passkey.transports,
    },
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return null;
  await db.passkey.updateMany({
    where: { id: passkey.id },
    data: { counter: verified.authenticationInfo.newCounter, lastUsedAt: now },
  });
  return passkey.member;
}

const target = ({ id, email }: MemberRow) => ({ type: "member", id, name: email });
