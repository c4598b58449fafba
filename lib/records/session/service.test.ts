import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import type { ApiError } from "../../platform/api-error";
import { drained } from "../../platform/database/batcher";
import { networkOf } from "../../platform/http/client-network.mjs";
import { uuidv7 } from "../../platform/ids";
import * as members from "../members/service";
import { sha256 } from "../../platform/secrets";
import { duringChange } from "../../testing/during-change";
import { failure } from "../../testing/expect-failure";
import { createKey, keyCaller } from "../../testing/factories";
import { processorTime } from "../../testing/processor-time";
import { NOW, testWorld, type World } from "../../testing/test-context";
import type { AcceptInvitationBody } from "./contract";
import { findSession } from "../members/session-store";
import { cookieToken } from "./browser-cookies";
import { changePassword } from "./account-service";
import { signOut } from "../sign-in-connections/sign-out-service";
import * as session from "./service";

const PASSWORD = "correct horse";
const status = (code: number): unknown => expect.objectContaining({ status: code });
const noInput = { params: {}, query: {} };

let addresses = 0;
/** Returns an address in a separate network. */
const newAddress = () => `2001:db8:${(addresses >> 16).toString(16)}:${(addresses++ & 0xffff).toString(16)}::1`;

/** Creates a context for a separate request with its own headers and address. */
const request = (context: Context, overrides: Partial<Context> = {}): Context => ({
  ...context,
  headers: new Headers(),
  ip: newAddress(),
  ...overrides,
});
const signIn = (context: Context, email: string, password = PASSWORD) =>
  session.create(context, { ...noInput, body: { email, password } });
const accept = (context: Context, body: AcceptInvitationBody) =>
  session.acceptInvitation(request(context), { ...noInput, body });
const cookieOf = (cookie: "session" | "device", { headers }: Context) => {
  const sent = headers.getSetCookie().map((text) => text.split(";")[0]);
  return cookieToken(cookie, sent.join("; "), false) ?? "";
};
const tokenOf = (context: Context) => cookieOf("session", context);

async function account({ context }: World, password = PASSWORD) {
  const email = `${uuidv7(NOW)}@example.com`;
  return members.create(context, {
    ...noInput,
    body: { email, role: "org:member", first_name: "Grace", password: password || undefined },
  });
}

async function signedIn(context: Context, email: string): Promise<Context> {
  const answer = request(context);
  await signIn(answer, email);
  const session = await findSession(context.db, tokenOf(answer), NOW);
  if (!session) throw new Error("not signed in");
  return request(context, { caller: session.caller });
}

describe("signing in", () => {
  it("returns the member and sets a cookie of which only the hash is stored", async () => {
    const world = await testWorld();
    const { data: member } = await account(world);
    const context = request(world.context);
    const { data } = await signIn(context, member.email.toUpperCase());
    expect(data).toMatchObject({
      user: { id: member.id, email: member.email, first_name: "Grace", role: "org:member" },
      organization: { id: world.organizationId, name: "Test" },
      workspace_id: world.workspaceId,
      zdr_vendors: ["anthropic", "openai", "google"],
    });
    expect(context.headers.getSetCookie()[0]).toMatch(
      /^signalbox_session=\w{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    );
    const row = await world.context.db.session.findFirstOrThrow({ where: { memberId: member.id } });
    expect(row.tokenHash).toBe(sha256(tokenOf(context)));
  });

  it("sets a Secure cookie over https", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const context = request(world.context, { origin: "https://signalbox.example" });
    await signIn(context, data.email);
    expect(context.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-signalbox_session=\w{43}; Path=\/; .*; Secure$/),
      expect.stringMatching(/^__Host-signalbox_device=\S+; Path=\/; .*; Secure$/),
    ]);
  });

  it("ends the session that the browser had, also another member's", async () => {
    const world = await testWorld();
    const [first, second] = [await account(world), await account(world)];
    const before = request(world.context);
    await signIn(before, first.data.email);
    const planted = tokenOf(before);
    await signIn(request(world.context, { sessionToken: planted }), second.data.email);
    expect(await findSession(world.context.db, planted, NOW)).toBeNull();
  });

  it("starts a new session with a new token every time", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const [first, second] = [request(world.context), request(world.context)];
    await signIn(first, data.email);
    await signIn(second, data.email);
    expect(tokenOf(first)).not.toBe(tokenOf(second));
    expect(await world.context.db.session.count({ where: { memberId: data.id } })).toBe(2);
  });

  it("reveals neither by message nor by timing whether an account exists", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const reject = (email: string) =>
      expect(signIn(request(world.context), email, "wrong horse")).rejects.toMatchObject({
        status: 401,
        message: "Invalid email or password",
      });
    await reject("warm-up@example.com");
    let attempts = 0;
    const known = await processorTime(() => reject(data.email), 5);
    const unknown = await processorTime(() => reject(`${attempts++}@example.com`), 5);
    expect(unknown / known).toBeGreaterThan(0.25);
    expect(unknown / known).toBeLessThan(4);
  });

  it.each([
    ["changed", "another hash"],
    ["reset", null],
  ])("is refused with a password that is %s before the session starts", async (_, passwordHash) => {
    const world = await testWorld();
    const { data: member } = await account(world);
    const { db } = world.context;
    const attempt = await duringChange(
      world,
      () => failure(signIn(request(world.context), member.email)),
      (transaction) => transaction.member.update({ where: { id: member.id }, data: { passwordHash } }),
    );
    expect(attempt).toMatchObject({ status: 401 });
    expect(await db.session.count({ where: { memberId: member.id } })).toBe(0);
  });

  it("rejects an invited and a removed member like an unknown one", async () => {
    const world = await testWorld();
    const invited = await account(world, "");
    const removed = await account(world);
    await members.remove(world.context, { params: { user_id: removed.data.id }, query: {}, body: undefined });
    for (const { data } of [invited, removed])
      await expect(signIn(request(world.context), data.email)).rejects.toEqual(status(401));
  });
});

describe("a deactivated member", () => {
  const setActive = ({ context }: World, user_id: string, active: boolean) =>
    members.update(context, { params: { user_id }, query: {}, body: { active } });
  const deactivated = { status: 401, metadata: { reason: "member_deactivated" } };

  it("can't sign in, by password or link, until they are reactivated", async () => {
    const world = await testWorld();
    const { context, organizationId } = world;
    const { data: member } = await account(world);
    await setActive(world, member.id, false);
    await expect(signIn(request(context), member.email)).rejects.toMatchObject(deactivated);
    await expect(signIn(request(context), member.email, "wrong password")).rejects.toMatchObject({
      message: "Invalid email or password",
    });
    await drained(context.db);
    expect(await context.db.auditEvent.count({ where: { organizationId, action: "session.reject" } })).toBeGreaterThan(
      0,
    );
    const params = { user_id: member.id };
    const { reset_url } = await members.resetPassword(context, { params, query: {}, body: undefined });
    const token = new URL(reset_url).pathname.split("/").at(-1) ?? "";
    await expect(accept(context, { token, password: "another horse" })).rejects.toMatchObject(deactivated);
    expect(await context.db.session.count({ where: { memberId: member.id } })).toBe(0);
    await setActive(world, member.id, true);
    await accept(context, { token, password: "another horse" });
    await signIn(request(context), member.email, "another horse");
  });
});

describe("guessing passwords", () => {
  const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
  const statusOf = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (error: unknown) => (error as ApiError).status,
    );
  const guess = (world: World, email: string, overrides: Partial<Context> = {}) =>
    statusOf(signIn(request(world.context, overrides), email, "wrong horse"));
  const guesses = async (count: number, run: (i: number) => Promise<number>) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push(await run(i));
    return statuses;
  };
  const failed = (count: number) => Array<number>(count).fill(401);

  it("is delayed more with each failure, by account and network, in any spelling of the address", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const network = newAddress().replace(/1$/, "");
    const from = (i: number) => ({ ip: `${network}${i + 1}` });
    expect(await guesses(6, (i) => guess(world, data.email, from(i)))).toEqual([...failed(5), 429]);
    const rejected = signIn(request(world.context, from(9)), data.email.toUpperCase());
    await expect(rejected).rejects.toMatchObject({
      status: 429,
      metadata: { retry_after: 1 },
      headers: { "retry-after": "1" },
    });
    expect(await guess(world, data.email, { ...from(1), now: later(1) })).toBe(401);
    expect(await guess(world, data.email, { ...from(1), now: later(2) })).toBe(429);
    expect(await guess(world, data.email, { ...from(1), now: later(3) })).toBe(401);
  });

  it("doesn't exceed the limit when guesses are parallel", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const ip = newAddress();
    const statuses = await Promise.all(Array.from({ length: 12 }, () => guess(world, data.email, { ip })));
    expect(statuses.sort()).toEqual([...failed(5), ...Array<number>(7).fill(429)]);
  });

  it("is delayed for a network that tries many accounts", async () => {
    const world = await testWorld();
    const ip = newAddress();
    const statuses = await guesses(31, (i) => guess(world, `${i}-${uuidv7(NOW)}@example.com`, { ip }));
    expect(statuses).toEqual([...failed(30), 429]);
  });

  it("never locks the owner out: another network and a known browser get in, also after a hundred guesses", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const [ip, first] = [newAddress(), request(world.context)];
    await signIn(first, data.email);
    for (let i = 0; i < 100; i++) await guess(world, data.email);
    await guesses(2, () => guess(world, data.email, { ip }));
    expect(await statusOf(signIn(request(world.context, { ip }), data.email)), "the guesser's network").toBe(429);
    const known = { ip, deviceToken: cookieOf("device", first) };
    expect(await statusOf(signIn(request(world.context, known), data.email)), "a known browser").toBe(200);
    expect(await statusOf(signIn(request(world.context), data.email)), "another network").toBe(200);
  });

  it("is delayed in a known browser too, and another member's token makes none known", async () => {
    const world = await testWorld();
    const [{ data }, other] = [await account(world), await account(world)];
    const first = request(world.context);
    await signIn(first, data.email);
    const deviceToken = cookieOf("device", first);
    expect(await guesses(6, () => guess(world, data.email, { deviceToken }))).toEqual([...failed(5), 429]);
    const ip = newAddress();
    expect(await guesses(6, () => guess(world, other.data.email, { ip, deviceToken }))).toEqual([...failed(5), 429]);
  });

  it("counts nothing for a right password", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const ip = newAddress();
    const right = () => statusOf(signIn(request(world.context, { ip }), data.email));
    expect(await guesses(4, () => guess(world, data.email, { ip }))).toEqual(failed(4));
    expect(await guesses(40, right)).toEqual(Array<number>(40).fill(200));
    expect(await guesses(4, () => guess(world, data.email, { ip }))).toEqual(failed(4));
  });

  it("is audited by network and account, without what was typed", async () => {
    const world = await testWorld();
    const { db } = world.context;
    const { data } = await account(world);
    const ip = newAddress();
    for (let i = 0; i < 3; i++) await guess(world, data.email, { ip });
    await drained(db);
    const events = await db.auditEvent.findMany({
      where: { organizationId: world.organizationId, action: "session.reject" },
    });
    expect(events).toMatchObject([
      { actorType: "anonymous", actorName: networkOf(ip), targetId: data.id, after: { count: 3 } },
    ]);
    expect(JSON.stringify(events)).not.toContain("wrong horse");
  });

  it("stores neither addresses nor accounts", async () => {
    const world = await testWorld();
    const email = `${uuidv7(NOW)}@example.com`;
    await guess(world, email);
    const rows = await world.context.db.signInFailure.findMany();
    expect(rows.every(({ key }) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
  });
});

describe("a console session", () => {
  it("returns itself and ends on sign-out", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const context = await signedIn(world.context, data.email);
    expect((await session.get(context)).data.user.email).toBe(data.email);
    expect(await signOut(context)).toEqual({ deleted: true, sign_out_url: null });
    expect(context.headers.get("set-cookie")).toMatch(/^signalbox_session=; Path=\/; Max-Age=0;/);
    expect(await world.context.db.session.count({ where: { memberId: data.id } })).toBe(0);
  });

  it("expires after 14 days, or after 24 hours without a request", async () => {
    const world = await testWorld();
    const { data } = await account(world);
    const context = request(world.context);
    await signIn(context, data.email);
    const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
    const find = (at: Date) => findSession(world.context.db, tokenOf(context), at);
    expect(await find(hours(24.1))).toBeNull();
    for (let hour = 0; hour < 14 * 24; hour += 23) expect(await find(hours(hour)), `hour ${hour}`).not.toBeNull();
    expect(await find(hours(14 * 24))).toBeNull();
  });

  it("doesn't exist for a key", async () => {
    const world = await testWorld();
    const { id } = await createKey(world);
    const caller = keyCaller(world, id);
    for (const run of [session.get, signOut])
      await expect(run(request(world.context, { caller }))).rejects.toEqual(status(403));
  });
});

describe("a password that an admin chose", () => {
  it("must be changed, to another one, by its member", async () => {
    const world = await testWorld();
    const { db } = world.context;
    const { data } = await account(world);
    const answer = request(world.context);
    expect((await signIn(answer, data.email)).data.must_change_password).toBe(true);
    const mustChange = async () => (await findSession(db, tokenOf(answer), NOW))?.mustChangePassword;
    expect(await mustChange()).toBe(true);
    const session = await findSession(db, tokenOf(answer), NOW);
    if (!session) throw new Error("not signed in");
    const context = request(world.context, { caller: session.caller });
    const change = (new_password: string) =>
      changePassword(context, { ...noInput, body: { current_password: PASSWORD, new_password } });
    await expect(change(PASSWORD)).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["new_password"], code: "same_password" }] },
    });
    await change("staple battery");
    expect(await mustChange()).toBe(false);
    await members.update(world.context, {
      params: { user_id: data.id },
      query: {},
      body: { password: "chosen by an admin" },
    });
    expect((await signIn(request(world.context), data.email, "chosen by an admin")).data.must_change_password).toBe(
      true,
    );
  });
});

describe("an invitation", () => {
  const invite = async (world: World) => {
    const { data, invite_url } = await account(world, "");
    return { member: data, token: invite_url?.split("/").at(-1) ?? "" };
  };

  it("sets the password, signs in, and works once", async () => {
    const world = await testWorld();
    const { member, token } = await invite(world);
    const { data } = await accept(world.context, { token, password: PASSWORD, last_name: "Hopper" });
    expect(data.user).toMatchObject({ id: member.id, first_name: "Grace", last_name: "Hopper" });
    expect(data.must_change_password).toBe(false);
    await expect(accept(world.context, { token, password: "another horse" })).rejects.toEqual(status(404));
    expect((await signIn(request(world.context), member.email)).data.user.id).toBe(member.id);
  });

  it("works once when accepted twice concurrently", async () => {
    const world = await testWorld();
    const { token } = await invite(world);
    const results = await Promise.allSettled([1, 2].map(() => accept(world.context, { token, password: PASSWORD })));
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("expires after 7 days, and ends with the member", async () => {
    const world = await testWorld();
    const late = { ...world.context, now: new Date(NOW.getTime() + 7 * 86_400_000) };
    await expect(accept(late, { token: (await invite(world)).token, password: PASSWORD })).rejects.toEqual(status(404));
    const { member, token } = await invite(world);
    await members.remove(world.context, { params: { user_id: member.id }, query: {}, body: undefined });
    await expect(accept(world.context, { token, password: PASSWORD })).rejects.toEqual(status(404));
  });
});
