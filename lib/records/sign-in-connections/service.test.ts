import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { PERMISSION_NAMES } from "../../platform/permissions";
import { TEST_SETTINGS } from "../../testing/context";
import { duringChange } from "../../testing/during-change";
import { failure } from "../../testing/expect-failure";
import { createMember, memberCaller, roleGrants } from "../../testing/factories";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { hashPassword } from "../members/password";
import * as members from "../members/service";
import { sha256 } from "../../platform/secrets";
import { acceptInvitation, create as signIn } from "../session/service";
import { CreateSignInConnectionBody, UpdateSignInConnectionBody } from "./contract";
import * as identities from "./identities-service";
import { resealSignIn } from "./rotation-store";
import { openSecret } from "./secret-rows";
import { create, get, list, remove, update } from "./service";
import * as settings from "./settings-service";
import { choose, options } from "./start-service";

const PASSWORD = "correct horse battery";
const domainOf = () => `${randomUUID()}.example`;

const add = async ({ context }: World, fields: object = {}) => {
  const body = CreateSignInConnectionBody.parse({
    name: "Okta",
    protocol: "oidc",
    domains: [domainOf()],
    oidc: { issuer: "https://acme.okta.com", client_id: "one", client_secret: "a secret" },
    ...fields,
  });
  return (await create(context, { params: {}, query: {}, body })).data;
};

const change = async ({ context }: World, id: string, body: z.input<typeof UpdateSignInConnectionBody>) =>
  (await update(context, { params: { id }, query: {}, body: UpdateSignInConnectionBody.parse(body) })).data;

/** Marks a connection as tested, and turns it on. */
async function turnOn(world: World, id: string) {
  await world.context.db.signInConnection.update({ where: { id }, data: { testedAt: NOW } });
  return change(world, id, { enabled: true });
}

describe("a connection", () => {
  it("has addresses for the provider, and never shows its secret", async () => {
    const world = await testWorld();
    const connection = await add(world);
    expect(connection).toMatchObject({
      enabled: false,
      oidc: { issuer: "https://acme.okta.com", client_id: "one", has_client_secret: true },
      saml: null,
      claims: { email: "email", groups: "groups" },
      addresses: {
        callback_url: `http://signalbox.test/session/connections/${connection.id}/callback`,
        metadata_url: null,
      },
    });
    const { db } = world.context;
    const row = await db.signInConnection.findUniqueOrThrow({ where: { id: connection.id } });
    const events = await db.auditEvent.findMany({ where: { organizationId: world.organizationId } });
    expect(JSON.stringify([connection, row, events])).not.toContain("a secret");
    expect(openSecret("clientSecret", TEST_SETTINGS, row, row.clientSecretCiphertext ?? "")).toBe("a secret");
  });

  it("is re-encrypted with a new secret key", async () => {
    const world = await testWorld();
    const { id } = await add(world);
    const { db } = world.context;
    const rotated = {
      ...TEST_SETTINGS,
      secretKey: Buffer.alloc(32, 8),
      previousSecretKeys: [TEST_SETTINGS.secretKey],
    };
    await resealSignIn(db, rotated);
    const row = await db.signInConnection.findUniqueOrThrow({ where: { id } });
    const alone = { ...rotated, previousSecretKeys: [] };
    expect(openSecret("clientSecret", alone, row, row.clientSecretCiphertext ?? "")).toBe("a secret");
  });

  it("is turned on after a test with its current settings", async () => {
    const world = await testWorld();
    const { id } = await add(world);
    expect(await failure(change(world, id, { enabled: true }))).toMatchObject({
      status: 409,
      metadata: { reason: "test_required" },
    });
    expect((await turnOn(world, id)).enabled).toBe(true);
    const { claims } = await change(world, id, { trust_email: false });
    expect((await change(world, id, { claims })).tested_at).not.toBeNull();
    expect(await change(world, id, { oidc: { client_secret: "new" } })).toMatchObject({
      tested_at: null,
      enabled: true,
    });
    await change(world, id, { enabled: false });
    expect(await failure(change(world, id, { enabled: true }))).toMatchObject({ status: 409 });
  });

  it("has its domains for itself while it is on", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const domains = [domainOf()];
    const first = await add(world, { domains });
    const second = await add(other, { domains });
    await turnOn(world, first.id);
    const { context } = world;
    const chosen = async (email: string) =>
      (await choose(context, { params: {}, query: {}, body: { email } })).data.connection;
    expect(await chosen(`nobody@${domains[0]?.toUpperCase()}`)).toMatchObject({ id: first.id, name: "Okta" });
    expect(await chosen("nobody@unknown.example")).toBeNull();
    expect(await failure(turnOn(other, second.id))).toMatchObject({ status: 409 });
    await change(world, first.id, { enabled: false });
    expect((await turnOn(other, second.id)).enabled).toBe(true);
    expect((await options(context)).data).toEqual({ email_first: true, connections: [] });
  });

  it("keeps its provider while it is on, and forgets its people with another one", async () => {
    const world = await testWorld();
    const { id } = await add(world);
    const { db } = world.context;
    await turnOn(world, id);
    const memberId = await createMember(world);
    await db.memberIdentity.create({ data: { connectionId: id, subject: "ada", memberId, lastSignInAt: NOW } });
    const issuer = "https://other.example";
    expect(await failure(change(world, id, { oidc: { issuer } }))).toMatchObject({ metadata: { reason: "enabled" } });
    await change(world, id, { enabled: false, oidc: { issuer } }).catch(() => undefined);
    await change(world, id, { enabled: false });
    await change(world, id, { oidc: { issuer } });
    expect(await db.memberIdentity.count({ where: { connectionId: id } })).toBe(0);
  });

  it.each([
    ["a private issuer", { oidc: { issuer: "https://127.0.0.1" } }],
    ["settings of the other protocol", { protocol: "oidc", saml: { entity_id: "urn:x" } }],
  ])("is inspected for %s", (_, body) => {
    expect(create.inspect(body, { ...TEST_SETTINGS, allowPrivateUpstreams: false })).toHaveLength(1);
  });

  it.each([
    { domains: [] },
    { domains: ["acme"] },
    { domains: ["acme.com", "ACME.com"] },
    { domains: ["https://acme.com"] },
    { oidc: { issuer: "https://a.example/?x=1" } },
    { oidc: { issuer: "ftp://a.example" } },
    { oidc: { scopes: ["email"] } },
    { oidc: { scopes: ["openid email"] } },
    { default_role: "org:admin" },
    { default_role: "org:owner" },
    { max_session_hours: 0 },
    { saml: { certificates: ["not a certificate"] }, protocol: "saml" },
    { claims: { email: "" } },
    { enabled: true },
  ])("isn't created with %j", (fields) => {
    const body = { name: "Okta", protocol: "oidc", domains: ["acme.com"], ...fields };
    expect(CreateSignInConnectionBody.safeParse(body).success).toBe(false);
  });

  it("has a name of its own, is limited in number, and belongs to its organization", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const { id } = await add(world);
    expect(await failure(add(world))).toMatchObject({ status: 409 });
    for (let nth = 2; nth <= 20; nth += 1) await add(world, { name: `Number ${nth}` });
    expect(await failure(add(world, { name: "Number 21" }))).toMatchObject({ status: 409 });
    expect((await list(world.context)).data).toHaveLength(20);
    expect((await list(other.context)).data).toEqual([]);
    for (const call of [get, remove])
      expect(await failure(call(other.context, { params: { id }, query: {}, body: undefined }))).toMatchObject({
        status: 404,
      });
    expect(await failure(change(other, id, { name: "Theirs" }))).toMatchObject({ status: 404 });
  });
});

describe("sign-in by password", () => {
  const password = (world: World, email: string) =>
    signIn(
      { ...world.context, headers: new Headers() },
      { params: {}, query: {}, body: { email, password: PASSWORD } },
    );

  async function withBreakGlass() {
    const world = await testWorld();
    const { db } = world.context;
    const [breakGlass, other] = [world.adminId, await createMember(world)];
    const passwordHash = await hashPassword(PASSWORD);
    await db.member.updateMany({ where: { id: { in: [breakGlass, other] } }, data: { passwordHash } });
    const emailOf = async (id: string) => (await db.member.findUniqueOrThrow({ where: { id } })).email;
    return { world, breakGlass, other, emails: { breakGlass: await emailOf(breakGlass), other: await emailOf(other) } };
  }

  const switchOff = ({ context }: World, break_glass_member_id: string | null) =>
    settings.update(context, {
      params: {},
      query: {},
      body: { password_sign_in: "break_glass_only", break_glass_member_id },
    });

  it("is switched off for everybody but the break-glass member, whose sign-in has its own action", async () => {
    const { world, breakGlass, other, emails } = await withBreakGlass();
    const { db } = world.context;
    const { id } = await add(world);
    expect(await failure(switchOff(world, breakGlass))).toMatchObject({ metadata: { reason: "connection_required" } });
    await turnOn(world, id);
    for (const nobody of [null, "user_unknown", await createMember(world), other])
      expect(await failure(switchOff(world, nobody))).toMatchObject({ status: 400 });
    await password(world, emails.other);
    await switchOff(world, breakGlass);
    expect(await db.session.count({ where: { memberId: other } })).toBe(0);
    expect(await failure(password(world, emails.other))).toMatchObject({
      status: 403,
      metadata: { reason: "identity_provider_required" },
    });
    await password(world, emails.breakGlass);
    expect(
      await db.auditEvent.count({ where: { organizationId: world.organizationId, action: "session.break_glass" } }),
    ).toBe(1);
    const token = "a".repeat(43);
    await db.invitation.create({
      data: { tokenHash: sha256(token), memberId: other, expiresAt: new Date(NOW.getTime() + 60_000) },
    });
    const invited = { params: {}, query: {}, body: { token, password: "another good password" } };
    expect(await failure(acceptInvitation(world.context, invited))).toMatchObject({ status: 403 });
    expect((await db.invitation.findUniqueOrThrow({ where: { tokenHash: sha256(token) } })).usedAt).toBeNull();
  });

  it("has a break-glass member who is an owner by their own role, which nobody takes from them", async () => {
    const { world, other } = await withBreakGlass();
    const { db } = world.context;
    await turnOn(world, (await add(world)).id);
    const { organizationId } = world;
    const roleId = randomUUID();
    await db.customRole.create({
      data: { id: roleId, organizationId, name: "All", permissions: [...PERMISSION_NAMES] },
    });
    await db.member.update({ where: { id: other }, data: { customRoleId: roleId } });
    const refused = { status: 400, metadata: { issues: [{ message: "must be an owner with a password" }] } };
    expect(await failure(switchOff(world, other))).toMatchObject(refused);
    const group = { id: randomUUID(), organizationId, name: "Owners", role: "owner" as const };
    await db.group.create({ data: { ...group, members: { create: { memberId: other } } } });
    await db.member.update({ where: { id: other }, data: { customRoleId: null, role: "admin" } });
    expect(await failure(switchOff(world, other))).toMatchObject(refused);
    await db.member.update({ where: { id: other }, data: { role: "owner" } });
    await switchOff(world, other);
  });

  it("ends the sessions of the former break-glass member", async () => {
    const { world, breakGlass, other, emails } = await withBreakGlass();
    const { db } = world.context;
    await turnOn(world, (await add(world)).id);
    await db.member.update({ where: { id: other }, data: { role: "owner" } });
    await switchOff(world, breakGlass);
    await password(world, emails.breakGlass);
    await switchOff(world, other);
    expect(await db.session.count({ where: { memberId: breakGlass } })).toBe(0);
    await password(world, emails.other);
  });

  it("is refused if it is switched off during the sign-in, whose session it couldn't end", async () => {
    const { world, breakGlass, emails } = await withBreakGlass();
    await turnOn(world, (await add(world)).id);
    const attempt = await duringChange(
      world,
      () => failure(password(world, emails.other)),
      (transaction) => switchOff({ ...world, context: { ...world.context, db: transaction } }, breakGlass),
    );
    expect(attempt).toMatchObject({ status: 403 });
  });

  it("keeps a way in: the last connection, the break-glass member and an owner's identity stay", async () => {
    const { world, breakGlass, other } = await withBreakGlass();
    const { id } = await add(world);
    await turnOn(world, id);
    await switchOff(world, breakGlass);
    const params = { id };
    expect(await failure(change(world, id, { enabled: false }))).toMatchObject({
      metadata: { reason: "passwords_off" },
    });
    expect(await failure(remove(world.context, { params, query: {}, body: undefined }))).toMatchObject({ status: 409 });
    await world.context.db.member.update({ where: { id: other }, data: { role: "admin" } });
    const context = { ...world.context, caller: memberCaller(world, other, { grants: roleGrants("owner") }) };
    const input = { params: { user_id: breakGlass }, query: {} };
    expect(await failure(members.remove(context, { ...input, body: undefined }))).toMatchObject({ status: 409 });
    expect(await failure(members.resetPassword(context, { ...input, body: undefined }))).toMatchObject({ status: 409 });
    expect(await failure(members.update(context, { ...input, body: { password: "another good one" } }))).toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["password"], message: expect.stringContaining("break-glass") }] },
    });
    const owner = await createMember(world, "owner");
    const identity = { connectionId: id, subject: "owner", memberId: owner, lastSignInAt: NOW };
    await world.context.db.memberIdentity.create({ data: identity });
    expect(await failure(members.update(context, { ...input, body: { role: "org:admin" } }))).toMatchObject({
      status: 409,
      metadata: { issues: [{ message: expect.stringContaining("break-glass") }] },
    });
    await world.context.db.member.update({ where: { id: breakGlass }, data: { passwordHash: null } });
    await settings.update(world.context, { params: {}, query: {}, body: { password_sign_in: "allowed" } });
    const user = { user_id: owner, connection_id: id };
    for (const end of [
      () => change(world, id, { enabled: false }),
      () => remove(world.context, { params, query: {}, body: undefined }),
      () => identities.remove(world.context, { params: user, query: {}, body: undefined }),
    ])
      expect(await failure(end())).toMatchObject({ status: 409, metadata: { reason: "owner_needed" } });
    await world.context.db.member.update({ where: { id: owner }, data: { passwordHash: "set" } });
    await remove(world.context, { params, query: {}, body: undefined });
    expect((await settings.get(world.context)).data).toEqual({
      password_sign_in: "allowed",
      break_glass_member_id: breakGlass,
    });
  });
});

it("lists and unlinks a member's identities, which ends their sessions", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  const { db } = world.context;
  const { id } = await add(world);
  const memberId = await createMember(world);
  await db.memberIdentity.create({ data: { connectionId: id, subject: "ada", memberId, lastSignInAt: NOW } });
  await db.session.create({
    data: {
      tokenHash: randomUUID(),
      id: randomUUID(),
      memberId,
      connectionId: id,
      lastSeenAt: NOW,
      expiresAt: new Date(NOW.getTime() + 60_000),
    },
  });
  const params = { user_id: memberId };
  expect((await identities.list(world.context, { params, query: {}, body: undefined })).data).toMatchObject([
    { connection_id: id, connection_name: "Okta", subject: "ada" },
  ]);
  const unlink = ({ context }: World) =>
    identities.remove(context, { params: { ...params, connection_id: id }, query: {}, body: undefined });
  expect(await failure(unlink(other))).toMatchObject({ status: 404 });
  await db.memberIdentity.create({ data: { connectionId: id, subject: "ada 2", memberId, lastSignInAt: NOW } });
  await db.member.update({ where: { id: memberId }, data: { role: "owner" } });
  const caller = memberCaller(world, await createMember(world), { grants: roleGrants("admin") });
  expect(await failure(unlink({ ...world, context: { ...world.context, caller } }))).toMatchObject({ status: 403 });
  await unlink(world);
  expect(await db.session.count({ where: { memberId } })).toBe(0);
  const unlinked = { organizationId: world.organizationId, action: "member.unlink_identity" };
  expect(await db.auditEvent.count({ where: unlinked })).toBe(2);
  expect(await failure(unlink(world))).toMatchObject({ status: 404 });
});
