import { Secret, TOTP } from "otpauth";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { Authenticator } from "../../testing/authenticator";
import { duringChange } from "../../testing/during-change";
import { failure } from "../../testing/expect-failure";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { createKey, createMember, keyCaller, memberCaller } from "../../testing/factories";
import * as members from "../members/service";
import { hashPassword } from "../members/password";
import * as factors from "./factors-service";
import { resealTotp } from "./factors-store";
import * as passkeys from "./passkeys-service";
import * as session from "./service";

const PASSWORD = "correct horse battery";
const noInput = { params: {}, query: {} };
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const codeOf = (secret: string, at = NOW) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });

let networks = 0;

/** Creates a member with a password and a session in which they prove their identity. */
async function person(world: World) {
  const { db } = world.context;
  const userId = await createMember(world);
  const email = `${userId}@example.com`.toLowerCase();
  await db.member.update({ where: { id: userId }, data: { email, passwordHash: await hashPassword(PASSWORD) } });
  const sessionId = uuidv7(NOW);
  await db.session.create({
    data: { id: sessionId, tokenHash: sessionId, memberId: userId, lastSeenAt: NOW, expiresAt: later(3600) },
  });
  const context: Context = {
    ...world.context,
    headers: new Headers(),
    ip: `2001:db8:ffff:${(networks++).toString(16)}::1`,
    caller: memberCaller(world, userId, { sessionId, userName: email }),
  };
  const signIn = (code?: string, now = NOW, password = PASSWORD) =>
    session.create({ ...context, now, headers: new Headers() }, { ...noInput, body: { email, password, code } });
  return { userId, email, sessionId, context, signIn };
}

async function withTotp(world: World) {
  const grace = await person(world);
  const { secret } = (await factors.startTotp(grace.context)).data;
  const { data } = await factors.confirmTotp(grace.context, { ...noInput, body: { code: codeOf(secret) } });
  return { ...grace, secret, recoveryCodes: data.recovery_codes };
}

async function withPasskey(world: World) {
  const grace = await person(world);
  const authenticator = new Authenticator(world.context.origin);
  const add = async (name: string, device = authenticator) =>
    passkeys.register(grace.context, {
      ...noInput,
      body: { name, credential: device.create(await challengeOf(passkeys.registrationOptions(grace.context))) },
    });
  const { data } = await add("Laptop");
  const answer = async (context: Context = grace.context, device = authenticator) =>
    device.answer(await challengeOf(session.passkeyOptions(context)));
  const use = (passkey: ReturnType<Authenticator["answer"]>, context: Context = grace.context) =>
    session.createWithPasskey({ ...context, headers: new Headers() }, { ...noInput, body: { passkey } });
  return { ...grace, passkey: data, authenticator, add, answer, use };
}

/** Challenges are sent as base64url, as browsers return them. */
async function challengeOf(work: Promise<{ data: { challenge: string } }>) {
  const { challenge } = (await work).data;
  return { challenge };
}

describe("two-step verification", () => {
  it("takes effect when a code confirms it, and then every sign-in needs one", async () => {
    const world = await testWorld();
    const grace = await person(world);
    const { secret, uri } = (await factors.startTotp(grace.context)).data;
    expect(uri).toContain(`secret=${secret}`);
    await grace.signIn();
    expect(await failure(factors.confirmTotp(grace.context, { ...noInput, body: { code: "000000" } }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["code"] }] },
    });
    const { data } = await factors.confirmTotp(grace.context, { ...noInput, body: { code: codeOf(secret) } });
    expect(data.recovery_codes).toHaveLength(10);
    expect((await factors.get(grace.context)).data).toMatchObject({ totp_enabled: true, recovery_codes_left: 10 });
    expect(await failure(grace.signIn())).toEqual({ status: 401, metadata: { reason: "second_factor_required" } });
    expect(await failure(grace.signIn("000000"))).toEqual({
      status: 401,
      metadata: { reason: "second_factor_invalid" },
    });
    expect((await grace.signIn(codeOf(secret, later(30)), later(30))).data.user.id).toBe(grace.userId);
    expect(await failure(factors.startTotp(grace.context))).toMatchObject({ status: 409 });
  });

  it("accepts a code once, also when it comes twice at the same time", async () => {
    const world = await testWorld();
    const grace = await withTotp(world);
    const code = codeOf(grace.secret, later(30));
    const results = await Promise.allSettled([1, 2, 3].map(() => grace.signIn(code, later(30))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is guarded by the throttle, which a right password doesn't reset", async () => {
    const world = await testWorld();
    const grace = await withTotp(world);
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      expect((await failure(grace.signIn())).status).toBe(i < 5 ? 401 : 429);
      statuses.push((await failure(grace.signIn("000000"))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it("accepts each recovery code once, in any spelling, and stores only its hash", async () => {
    const world = await testWorld();
    const { recoveryCodes, ...grace } = await withTotp(world);
    const [code = ""] = recoveryCodes;
    await grace.signIn(code.toUpperCase().replaceAll("-", " "));
    expect((await failure(grace.signIn(code))).status).toBe(401);
    expect((await factors.get(grace.context)).data.recovery_codes_left).toBe(9);
    const { db } = world.context;
    const stored = JSON.stringify([
      await db.recoveryCode.findMany({ where: { memberId: grace.userId } }),
      await db.member.findUnique({ where: { id: grace.userId } }),
    ]);
    for (const secret of [grace.secret, code, code.replaceAll("-", "")]) expect(stored).not.toContain(secret);
    const fresh = (await factors.createRecoveryCodes(grace.context)).data.recovery_codes;
    expect((await failure(grace.signIn(recoveryCodes[1]))).status).toBe(401);
    await grace.signIn(fresh[0]);
  });

  it("isn't bypassed by a password reset", async () => {
    const world = await testWorld();
    const grace = await withTotp(world);
    const { reset_url } = await members.resetPassword(world.context, {
      params: { user_id: grace.userId },
      query: {},
      body: undefined,
    });
    const accept = (code?: string, now = NOW) =>
      session.acceptInvitation(
        { ...grace.context, now, headers: new Headers() },
        {
          ...noInput,
          body: { token: /invite\/(\w+)/.exec(reset_url)?.[1] ?? "", password: "staple battery horse", code },
        },
      );
    expect(await failure(accept())).toMatchObject({ status: 401, metadata: { reason: "second_factor_required" } });
    for (const status of [401, 401, 401, 401, 401, 429])
      expect((await failure(accept("000000"))).status, "guesses are delayed").toBe(status);
    await accept(codeOf(grace.secret, later(60)), later(60));
  });

  it("is turned off by its member, or reset by an admin, not by the admin for themselves", async () => {
    const world = await testWorld();
    const [grace, ada] = [await withTotp(world), await withTotp(world)];
    expect(await factors.removeOwnTotp(grace.context)).toEqual({ deleted: true });
    await grace.signIn();
    const reset = (user_id: string) =>
      members.resetSecondFactor(world.context, { params: { user_id }, query: {}, body: undefined });
    expect((await reset(ada.userId)).data).toMatchObject({ totp_enabled: false, passkeys: 0, open_sessions: 0 });
    await ada.signIn();
    expect((await failure(reset(world.adminId))).status).toBe(409);
    const actions = await world.context.db.auditEvent.findMany({ where: { organizationId: world.organizationId } });
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["member.enable_totp", "member.disable_totp", "member.reset_second_factor"]),
    );
  });

  it("survives a rotation of the secret key", async () => {
    const world = await testWorld();
    const grace = await withTotp(world);
    const { db, settings } = world.context;
    const rotated = { ...settings, secretKey: Buffer.alloc(32, 9), previousSecretKeys: [settings.secretKey] };
    const signIn = (at: Date, current: Context["settings"]) =>
      session.create(
        { ...grace.context, settings: current, now: at, headers: new Headers() },
        { ...noInput, body: { email: grace.email, password: PASSWORD, code: codeOf(grace.secret, at) } },
      );
    await signIn(later(30), rotated);
    await resealTotp(db, rotated);
    await signIn(later(60), { ...rotated, previousSecretKeys: [] });
    await resealTotp(db, { ...settings, previousSecretKeys: [rotated.secretKey] });
  });
});

describe("a passkey", () => {
  it("signs its member in without password and code, each answer once", async () => {
    const world = await testWorld();
    const grace = await withPasskey(world);
    expect(grace.passkey).toMatchObject({ name: "Laptop", last_used_at: null });
    const answer = await grace.answer();
    expect((await grace.use(answer)).data.user.id).toBe(grace.userId);
    expect((await failure(grace.use(answer))).status, "replayed").toBe(401);
    expect((await factors.get(grace.context)).data.passkeys).toMatchObject([
      { id: grace.passkey.id, last_used_at: NOW.toISOString() },
    ]);
  });

  it("is refused when unknown, without a verified user, late, for another site, or for another purpose", async () => {
    const world = await testWorld();
    const grace = await withPasskey(world);
    const statusOf = async (work: Promise<unknown>) => (await failure(work)).status;
    expect(await statusOf(grace.use(await grace.answer(grace.context, new Authenticator(world.context.origin))))).toBe(
      401,
    );
    const careless = new Authenticator(world.context.origin, false);
    expect(await statusOf(grace.add("Key", careless))).toBe(400);
    expect(await statusOf(grace.use(await grace.answer(), { ...grace.context, now: later(301) }))).toBe(401);
    const elsewhere = new Authenticator("https://evil.example");
    expect(await statusOf(grace.add("Evil", elsewhere))).toBe(400);
    const otherPurpose = grace.authenticator.answer(await challengeOf(factors.reauthenticationOptions(grace.context)));
    expect(await statusOf(grace.use(otherPurpose))).toBe(401);
    const forged = await grace.answer();
    const client = JSON.parse(Buffer.from(forged.response.clientDataJSON, "base64url").toString()) as object;
    const clientDataJSON = Buffer.from(JSON.stringify({ ...client, challenge: "Zm9yZ2Vk" })).toString("base64url");
    expect(await statusOf(grace.use({ ...forged, response: { ...forged.response, clientDataJSON } }))).toBe(401);
  });

  it("isn't refused because the database fails", async () => {
    const world = await testWorld();
    const grace = await withPasskey(world);
    const answer = await grace.answer();
    const failed = new Error("the connection was lost");
    const createMany = vi.spyOn(world.context.db.usedChallenge, "createMany").mockRejectedValue(failed);
    onTestFinished(() => createMany.mockRestore());
    await expect(grace.use(answer)).rejects.toThrow(failed);
    await expect(grace.add("Phone", new Authenticator(world.context.origin))).rejects.toThrow(failed);
  });

  it("signs nobody in whose password is reset meanwhile", async () => {
    const world = await testWorld();
    const grace = await withPasskey(world);
    const answer = await grace.answer();
    const attempt = await duringChange(
      world,
      () => failure(grace.use(answer)),
      (db) =>
        members.resetPassword(
          { ...world.context, db },
          { ...noInput, params: { user_id: grace.userId }, body: undefined },
        ),
    );
    expect(attempt).toMatchObject({ status: 401 });
    expect(await world.context.db.session.count({ where: { memberId: grace.userId } })).toBe(0);
  });

  it("can't be added twice, and ends when it is removed, with the member, or with the password", async () => {
    const world = await testWorld();
    const grace = await withPasskey(world);
    await expect(grace.add("Again")).rejects.toThrow();
    const remove = (id: string, context = grace.context) =>
      passkeys.remove(context, { params: { id }, query: {}, body: undefined });
    const other = await person(world);
    expect((await failure(remove(grace.passkey.id, other.context))).status, "another member's").toBe(404);
    const params = { params: { user_id: grace.userId }, query: {}, body: undefined };
    await members.resetPassword(world.context, params);
    expect((await failure(grace.use(await grace.answer()))).status, "after a reset").toBe(401);
    await world.context.db.member.update({
      where: { id: grace.userId },
      data: { passwordHash: await hashPassword(PASSWORD) },
    });
    await grace.use(await grace.answer());
    expect(await remove(grace.passkey.id)).toEqual({ deleted: true });
    expect((await failure(grace.use(await grace.answer()))).status, "after removal").toBe(401);
  });
});

describe("re-authentication", () => {
  const prove = (context: Context, body: Parameters<typeof factors.reauthenticate>[1]["body"]) =>
    factors.reauthenticate(context, { ...noInput, body });

  it("isn't confirmed by a password or passkey where members must sign in with the session's provider", async () => {
    const world = await testWorld();
    const grace = await withPasskey(world);
    const { db } = world.context;
    const connection = await db.signInConnection.create({
      data: { id: uuidv7(NOW), organizationId: world.organizationId, name: "Okta", protocol: "oidc", claimNames: {} },
    });
    await db.session.update({ where: { id: grace.sessionId }, data: { connectionId: connection.id } });
    await prove(grace.context, { password: PASSWORD });
    await db.organization.update({
      where: { id: world.organizationId },
      data: { passwordSignIn: "break_glass_only", breakGlassMemberId: world.adminId },
    });
    expect(await failure(prove(grace.context, { password: PASSWORD }))).toMatchObject({
      status: 403,
      metadata: { reason: "identity_provider_required" },
    });
    await db.session.update({ where: { id: grace.sessionId }, data: { connectionId: null } });
    await prove(grace.context, { password: PASSWORD });
  });
  const authenticatedAt = async ({ context, sessionId }: Awaited<ReturnType<typeof person>>) =>
    (await context.db.session.findUniqueOrThrow({ where: { id: sessionId } })).authenticatedAt;

  it("accepts the password, a code or a passkey, for this session only", async () => {
    const world = await testWorld();
    const grace = await withTotp(world);
    for (const [seconds, body] of [
      [600, { password: PASSWORD }],
      [1200, { code: codeOf(grace.secret, later(1200)) }],
      [1800, { code: grace.recoveryCodes[0] }],
    ] as const) {
      const { data } = await prove({ ...grace.context, now: later(seconds) }, body);
      expect(data.authenticated_at).toBe(later(seconds).toISOString());
      expect(await authenticatedAt(grace)).toEqual(later(seconds));
    }
    const ada = await withPasskey(world);
    const passkey = ada.authenticator.answer(await challengeOf(factors.reauthenticationOptions(ada.context)));
    await prove({ ...ada.context, now: later(60) }, { passkey });
    expect(await authenticatedAt(ada)).toEqual(later(60));
    expect((await failure(prove(grace.context, { passkey: await ada.answer() }))).status, "another's").toBe(400);
  });

  it("delays guesses, and changes nothing for wrong ones", async () => {
    const world = await testWorld();
    const grace = await person(world);
    const before = await authenticatedAt(grace);
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await failure(prove({ ...grace.context, now: NOW }, { password: "wrong" }))).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    expect(await authenticatedAt(grace)).toEqual(before);
  });

  it("doesn't exist for a key", async () => {
    const world = await testWorld();
    const { id } = await createKey(world, { kind: "management" });
    const context = { ...world.context, caller: keyCaller(world, id, "management") };
    for (const operation of [factors.get, factors.startTotp, passkeys.registrationOptions])
      expect((await failure(operation(context))).status).toBe(403);
    expect((await failure(prove(context, { password: "x" }))).status).toBe(403);
  });
});
