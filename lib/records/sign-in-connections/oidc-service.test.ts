import { randomUUID } from "node:crypto";
import { beforeAll, afterAll, describe, expect, it } from "vitest";
import { drained } from "../../platform/database/batcher";
import { findSession } from "../members/session-store";
import { sealFlow } from "./flow";
import type { Context } from "../../platform/context";
import { failure } from "../../testing/expect-failure";
import { createMember } from "../../testing/factories";
import { startHostileProvider, type HostileProvider, type Hostility } from "../../testing/hostile-provider";
import {
  signInAt,
  signOutAt,
  startIdentityProvider,
  type IdentityProvider,
  type Jar,
} from "../../testing/identity-provider";
import { begun, connected, end, queryOf, SECRET } from "../../testing/oidc-sign-in";
import { begin, refusalOf, requestOf, type Connected } from "../../testing/sign-in-requests";
import { upstreamServer } from "../../testing/upstream-server";
import { backChannelLogout, frontChannelLogout } from "./oidc-service";
import { update } from "./service";
import { signOut } from "./sign-out-service";
import * as tests from "./tests-service";

const LOGOUT_EVENT = { "http://schemas.openid.net/event/backchannel-logout": {} };

const callbackOf = ({ connectionId }: Connected) =>
  `http://signalbox.test/session/connections/${connectionId}/callback`;

const logout = (world: Connected, logout_token: string) =>
  backChannelLogout(requestOf(world.context), {
    params: { id: world.connectionId },
    query: {},
    body: { logout_token },
  });

describe("with a real provider", () => {
  let provider: IdentityProvider;
  beforeAll(async () => {
    provider = await startIdentityProvider({});
  });
  afterAll(() => provider.close());

  async function registered(fields: object = {}, backchannel_logout_uri?: string): Promise<Connected> {
    const world = await connected(provider.issuer, fields);
    await provider.register({
      client_id: "signalbox",
      client_secret: SECRET,
      redirect_uris: [callbackOf(world)],
      post_logout_redirect_uris: ["http://signalbox.test/sign-in"],
      ...(backchannel_logout_uri !== undefined && { backchannel_logout_uri }),
    });
    provider.people.set("ada", {
      email: `ada@${world.domain}`,
      email_verified: true,
      given_name: "Ada",
      family_name: "Lovelace",
      groups: ["engineers"],
    });
    return world;
  }

  async function signIn(world: Connected, jar: Jar = new Map(), query: object = {}) {
    const { url, flow } = await begin(world, query);
    const callback = await signInAt(jar, url, "ada", callbackOf(world));
    return { ...(await end(world, queryOf(callback), { flow })), callback, flow };
  }

  it("signs a new person in, with name, role and groups, and to the page that they wanted", async () => {
    const world = await registered({ default_role: "org:analyst" });
    const { db } = world.context;
    const group = (name: string, claimValue: string | null) =>
      db.group.create({ data: { id: randomUUID(), organizationId: world.organizationId, name, claimValue } });
    const [engineers, admins] = [await group("Engineers", "engineers"), await group("Admins", "admins")];
    const { location, session } = await signIn(world, new Map(), { return_to: "/keys?q=1" });
    expect(location).toBe("/keys?q=1");
    const found = await findSession(db, session ?? "", new Date());
    const member = await db.member.findUniqueOrThrow({ where: { id: found?.caller.userId ?? "" } });
    expect(member).toMatchObject({
      email: `ada@${world.domain}`,
      firstName: "Ada",
      lastName: "Lovelace",
      role: "analyst",
      passwordHash: null,
      organizationId: world.organizationId,
    });
    const memberships = () => db.groupMember.findMany({ where: { memberId: member.id } });
    expect(await memberships()).toMatchObject([{ groupId: engineers.id }]);
    provider.people.set("ada", { email: `ada@${world.domain}`, given_name: "Augusta", groups: ["admins"] });
    await signIn(world);
    expect(await memberships()).toMatchObject([{ groupId: admins.id }]);
    expect(await db.member.findUniqueOrThrow({ where: { id: member.id } })).toMatchObject({
      firstName: "Augusta",
      lastName: "Lovelace",
    });
    expect(await db.memberIdentity.count({ where: { connectionId: world.connectionId } })).toBe(1);
    const actions = (await db.auditEvent.findMany({ where: { organizationId: world.organizationId } })).map(
      ({ action }) => action,
    );
    for (const action of ["member.create", "member.follow_groups", "member.update", "session.create"])
      expect(actions).toContain(action);
  });

  it("links a member by address once, and then finds them by subject", async () => {
    const world = await registered();
    const { db } = world.context;
    const id = await createMember(world);
    await db.member.update({ where: { id }, data: { email: `ada@${world.domain}` } });
    await signIn(world);
    await db.member.update({ where: { id }, data: { email: `other@${world.domain}` } });
    const { session } = await signIn(world);
    expect((await findSession(db, session ?? "", new Date()))?.caller.userId).toBe(id);
  });

  it.each([
    ["unverified_email", {}, { email_verified: false }],
    ["address_in_use", { trust_email: false }, {}],
  ])("refuses to link a member: %s", async (expected, fields, person) => {
    const world = await registered(fields);
    const id = await createMember(world);
    const email = `ada@${world.domain}`;
    await world.context.db.member.update({ where: { id }, data: { email } });
    provider.people.set("ada", { email, ...person });
    const { location, session } = await signIn(world);
    expect([refusalOf(location), session]).toEqual([expected, null]);
    expect(await world.context.db.memberIdentity.count({ where: { memberId: id } })).toBe(0);
  });

  it("refuses a deactivated member", async () => {
    const world = await registered();
    await signIn(world);
    await world.context.db.member.updateMany({
      where: { email: `ada@${world.domain}` },
      data: { deactivatedAt: new Date() },
    });
    expect(refusalOf((await signIn(world)).location)).toBe("deactivated");
  });

  it("accepts a callback once, in the browser that began it", async () => {
    const world = await registered();
    const { callback, flow, session } = await signIn(world);
    expect(session).not.toBeNull();
    const again = await end(world, queryOf(callback), { flow });
    expect([refusalOf(again.location), again.session]).toEqual(["lost", null]);
    const { url } = await begin(world);
    const other = await signInAt(new Map(), url, "ada", callbackOf(world));
    for (const cookie of [null, (await begin(world)).flow])
      expect(refusalOf((await end(world, queryOf(other), { flow: cookie })).location)).toBe("lost");
  });

  it("refuses a code that was used in another sign-in", async () => {
    const world = await registered();
    const { callback } = await signIn(world);
    const { url, flow } = await begin(world);
    const state = new URL(url).searchParams.get("state") ?? "";
    const { location } = await end(world, { ...queryOf(callback), state }, { flow });
    expect(refusalOf(location)).toBe("provider");
  });

  it("accepts new keys of the provider at once", async () => {
    const world = await registered();
    await signIn(world);
    await provider.rotateKeys();
    expect((await signIn(world)).session).not.toBeNull();
  });

  it("tells admins why somebody was refused, and the person a request", async () => {
    const world = await registered();
    const { db } = world.context;
    provider.people.set("ada", { email: "ada@evil.example" });
    for (let nth = 0; nth < 2; nth += 1)
      expect((await signIn(world)).location).toBe("/sign-in?refusal=other_domain&request=req-test");
    await drained(db);
    const events = await db.auditEvent.findMany({
      where: { organizationId: world.organizationId, action: "session.reject" },
    });
    expect(events).toMatchObject([
      {
        targetType: "sign_in_connection",
        targetId: world.connectionId,
        requestId: "req-test",
        after: { count: 2, reason: "ada@evil.example isn't in a domain of the connection" },
      },
    ]);
  });

  it("says that a person cancelled", async () => {
    const world = await registered();
    const { url, flow } = await begin(world);
    const callback = await signInAt(new Map(), url, "nobody", callbackOf(world));
    expect(refusalOf((await end(world, queryOf(callback), { flow })).location)).toBe("cancelled");
  });

  it("never opens another site", async () => {
    const world = await registered();
    for (const return_to of [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "/%2fevil.example",
      "keys",
      `/${"é".repeat(900)}`,
    ])
      expect((await signIn(world, new Map(), { return_to })).location).toBe("/");
  });

  it("tests without signing in, and shows the claims", async () => {
    const world = await registered();
    const { db } = world.context;
    await db.signInConnection.update({ where: { id: world.connectionId }, data: { enabled: false, testedAt: null } });
    const params = { id: world.connectionId };
    const { data: test } = await tests.start(world.context, { params, query: {}, body: undefined });
    const read = async () =>
      (
        await tests.get(requestOf(world.context), {
          params: { ...params, test_id: test.id },
          query: {},
          body: undefined,
        })
      ).data;
    expect(await read()).toMatchObject({ status: "pending", claims: null });
    const { session, location } = await signIn(world, new Map(), { test: test.id });
    expect([session, location]).toEqual([null, "/sign-in/done?for=test"]);
    expect(await read()).toMatchObject({
      status: "succeeded",
      error: null,
      join: "creates",
      person: { subject: "ada", email: `ada@${world.domain}`, groups: ["engineers"] },
      claims: { iss: provider.issuer, aud: "signalbox" },
    });
    expect(await db.member.count({ where: { email: `ada@${world.domain}` } })).toBe(0);
    expect(refusalOf((await begin(world, { test: test.id })).url)).toBe("lost");
    expect(refusalOf((await begin(world)).url)).toBe("disabled");
    const body = { enabled: true };
    expect((await update(world.context, { params, query: {}, body })).data.enabled).toBe(true);
  });

  it("ends the session when the person signs out at the provider", async () => {
    const ended: number[] = [];
    const registrations: Connected[] = [];
    const { url } = await upstreamServer((request, response) => {
      void (async () => {
        let body = "";
        for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
        const token = new URLSearchParams(body).get("logout_token") ?? "";
        for (const registration of registrations) {
          ended.push((await logout(registration, token)).ended_count);
          expect(await failure(logout(registration, token))).toMatchObject({ status: 400 });
        }
        response.writeHead(200).end();
      })();
    });
    const world = await registered({}, `${url}/logout`);
    registrations.push(world);
    const jar: Jar = new Map();
    const { session } = await signIn(world, jar);
    const found = await findSession(world.context.db, session ?? "", new Date());
    const caller = found?.caller as Context["caller"];
    const signedOut = await signOut({ ...requestOf(world.context), caller });
    const other = await signIn(world, jar);
    await signOutAt(jar, signedOut.sign_out_url ?? "");
    expect(ended).toEqual([1]);
    expect(await findSession(world.context.db, other.session ?? "", new Date())).toBeNull();
  });

  it("confirms the identity of the same member only", async () => {
    const world = await registered();
    const { session } = await signIn(world);
    const { db } = world.context;
    const stored = await db.session.findFirstOrThrow({ where: { connectionId: world.connectionId } });
    await db.session.update({ where: { id: stored.id }, data: { authenticatedAt: new Date(0) } });
    provider.people.set("eve", { email: `eve@${world.domain}` });
    const confirmAs = async (login: string) => {
      const { url, flow } = await begin(world, { confirm: "true" }, session);
      expect(new URL(url).searchParams.get("prompt")).toBe("login");
      const callback = await signInAt(new Map(), url, login, callbackOf(world));
      return (await end(world, queryOf(callback), { flow, session })).location;
    };
    expect(refusalOf(await confirmAs("eve"))).toBe("other_person");
    expect((await db.session.findUniqueOrThrow({ where: { id: stored.id } })).authenticatedAt).toEqual(new Date(0));
    expect(await confirmAs("ada")).toBe("/sign-in/done?for=confirm");
    expect((await db.session.findUniqueOrThrow({ where: { id: stored.id } })).authenticatedAt > new Date(0)).toBe(true);
    expect(refusalOf((await begin(world, { confirm: "true" })).url)).toBe("lost");
  });

  it("asks nobody for a first password who signs in with a provider", async () => {
    const world = await registered();
    const { session } = await signIn(world);
    const { db } = world.context;
    await db.member.updateMany({ where: { email: `ada@${world.domain}` }, data: { mustChangePassword: true } });
    const found = await findSession(db, session ?? "", new Date());
    expect(found?.mustChangePassword).toBe(false);
  });

  it("limits the session to the connection's longest", async () => {
    const world = await registered({ max_session_hours: 2 });
    await signIn(world);
    const { createdAt, expiresAt } = await world.context.db.session.findFirstOrThrow({
      where: { connectionId: world.connectionId },
    });
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(2 * 3_600_000);
  });
});

describe("with a hostile provider", () => {
  let provider: HostileProvider;
  beforeAll(async () => {
    provider = await startHostileProvider();
  });
  afterAll(() => provider.close());

  const second = () => Math.floor(Date.now() / 1000);
  const unsigned = (claims: object) =>
    `${[{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;
  const stripped = async (claims: object) => {
    const [header, payload] = (await provider.sign(claims as never)).split(".");
    return `${header}.${payload}.`;
  };

  it("accepts its honest answer", async () => {
    const world = await connected(provider.issuer);
    provider.be({ claims: { email: `ada@${world.domain}` } });
    const { flow, callback } = await begun(world);
    expect((await end(world, callback, { flow })).session).not.toBeNull();
  });

  it.each<[string, Hostility | (() => Hostility), RegExp]>([
    ["another issuer", { claims: { iss: "https://evil.example" } }, /another issuer/],
    ["another audience", { claims: { aud: "another client" } }, /another audience/],
    [
      "several audiences without being the party",
      { claims: { aud: ["signalbox", "evil"], azp: "evil" } },
      /audience|client|azp/,
    ],
    ["an expired token", () => ({ claims: { iat: second() - 600, exp: second() - 61 } }), /has expired/],
    ["a token of the future", () => ({ claims: { nbf: second() + 120 } }), /isn't valid yet/],
    ["no end", { claims: { exp: undefined } }, /exp/],
    ["another nonce", { claims: { nonce: "another" } }, /another nonce/],
    ["no nonce", { claims: { nonce: undefined } }, /nonce/],
    ["no subject", { claims: { sub: undefined } }, /sub/],
    ["another key", { hasOtherKey: true }, /signature/],
    ["an unsigned token", { forge: unsigned }, /isn't valid/],
    ["a stripped signature", { forge: stripped }, /signature/],
    ["a text instead of a token", { forge: () => "not-a-token" }, /JWT/],
    [
      "user info of another person",
      { claims: { email: undefined }, userInfo: { sub: "eve" } },
      /another issuer or person/,
    ],
    ["discovery of another issuer", { discovery: { issuer: "https://evil.example" } }, /issuer/],
    ["keys at a forbidden address", { discovery: { jwks_uri: "http://169.254.169.254/keys" } }, /link-local/],
    ["no address of keys", { discovery: { jwks_uri: undefined } }, /jwks_uri/],
  ])("refuses %s, in a test and in a sign-in", async (_, hostility, reason) => {
    const world = await connected(provider.issuer);
    const params = { id: world.connectionId };
    const { data: test } = await tests.start(world.context, { params, query: {}, body: undefined });
    for (const query of [{ test: test.id }, {}]) {
      provider.be({ claims: { email: `ada@${world.domain}` } });
      const { flow, callback } = await begun(world, query);
      const chosen = typeof hostility === "function" ? hostility() : hostility;
      provider.be({ ...chosen, claims: { email: `ada@${world.domain}`, ...chosen.claims } });
      const { location, session } = await end(world, callback, { flow });
      expect([refusalOf(location), session]).toEqual(["provider", null]);
    }
    const { data } = await tests.get(world.context, {
      params: { ...params, test_id: test.id },
      query: {},
      body: undefined,
    });
    expect(data).toMatchObject({ status: "failed", person: null });
    expect(data.error).toMatch(reason);
    expect(await world.context.db.member.count({ where: { email: `ada@${world.domain}` } })).toBe(0);
  });

  it("keeps the sign-ins of two connections apart", async () => {
    const other = await startHostileProvider();
    try {
      const world = await connected(provider.issuer);
      const second = await connected(other.issuer);
      provider.be({ claims: { email: `ada@${world.domain}` } });
      const { flow, callback } = await begun(world);
      const mixed = await end(world, callback, { flow }, second.connectionId);
      expect([refusalOf(mixed.location), mixed.session]).toEqual(["lost", null]);
    } finally {
      other.close();
    }
  });

  it("refuses a flow that another key sealed", async () => {
    const world = await connected(provider.issuer);
    const { callback } = await begun(world);
    const flow = sealFlow(
      { secretKey: Buffer.alloc(32, 9), previousSecretKeys: [] },
      {
        connectionId: world.connectionId,
        state: callback.state,
        returnTo: "/",
        testId: null,
        memberId: null,
        secrets: {},
        endsAt: Date.now() + 60_000,
      },
    );
    expect(refusalOf((await end(world, callback, { flow })).location)).toBe("lost");
  });

  async function signedIn() {
    const world = await connected(provider.issuer);
    provider.be({ claims: { email: `ada@${world.domain}`, sid: "session-1" } });
    const { flow, callback } = await begun(world);
    const { session } = await end(world, callback, { flow });
    const isOpen = async () => (await findSession(world.context.db, session ?? "", new Date())) !== null;
    const token = (claims: object = {}) =>
      provider.sign({
        iss: provider.issuer,
        aud: "signalbox",
        iat: second(),
        exp: second() + 120,
        jti: randomUUID(),
        sub: "ada",
        sid: "session-1",
        events: LOGOUT_EVENT,
        ...claims,
      });
    return { world, isOpen, token };
  }

  it.each<[string, object]>([
    ["another audience", { aud: "another" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["an expired token", { iat: 1000, exp: 1100 }],
    ["a token of an hour ago", { iat: Math.floor(Date.now() / 1000) - 3600 }],
    ["no event", { events: {} }],
    ["a text instead of events", { events: "logout" }],
    ["a nonce, as ID tokens have", { nonce: "n" }],
    ["no identifier of the token", { jti: undefined }],
    ["neither session nor subject", { sid: undefined, sub: undefined }],
  ])("ends no session for a logout token with %s", async (_, claims) => {
    const { world, isOpen, token } = await signedIn();
    expect(await failure(logout(world, await token(claims)))).toMatchObject({ status: 400 });
    expect(await isOpen()).toBe(true);
  });

  it("ends no session for an unsigned logout token, or one of another session or person", async () => {
    const { world, isOpen, token } = await signedIn();
    const payload = JSON.parse(Buffer.from((await token()).split(".")[1] ?? "", "base64url").toString()) as object;
    expect(await failure(logout(world, unsigned(payload)))).toMatchObject({ status: 400 });
    for (const claims of [{ sid: "session-2" }, { sub: "eve", sid: undefined }, { sub: "eve" }])
      expect(await logout(world, await token(claims))).toEqual({ ended_count: 0 });
    expect(await isOpen()).toBe(true);
  });

  it.each<[string, object]>([
    ["its session", {}],
    ["its subject", { sid: undefined }],
    ["its session alone", { sub: undefined }],
  ])("ends a session by %s", async (_, claims) => {
    const { world, isOpen, token } = await signedIn();
    expect(await logout(world, await token(claims))).toEqual({ ended_count: 1 });
    expect(await isOpen()).toBe(false);
  });

  it("ends a session when a logout token is sent again after a failure", async () => {
    const { world, isOpen, token } = await signedIn();
    const logout_token = await token();
    const failing = { ...requestOf(world.context), requestId: "can't be stored: \0" };
    const input = { params: { id: world.connectionId }, query: {}, body: { logout_token } };
    await expect(backChannelLogout(failing, input)).rejects.toThrow();
    expect(await isOpen()).toBe(true);
    expect(await logout(world, logout_token)).toEqual({ ended_count: 1 });
  });

  it("ends a session by the front channel", async () => {
    const { world, isOpen } = await signedIn();
    const leave = (query: { iss: string; sid: string }) =>
      frontChannelLogout(requestOf(world.context), { params: { id: world.connectionId }, query, body: undefined });
    expect(await failure(leave({ iss: "https://evil.example", sid: "session-1" }))).toMatchObject({ status: 404 });
    expect(await leave({ iss: provider.issuer, sid: "session-2" })).toEqual({ ended_count: 0 });
    expect(await isOpen()).toBe(true);
    expect(await leave({ iss: provider.issuer, sid: "session-1" })).toEqual({ ended_count: 1 });
    expect(await isOpen()).toBe(false);
  });
});
