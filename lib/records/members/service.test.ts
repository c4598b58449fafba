import { describe, expect, it } from "vitest";
import type { Caller, Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { findKeyCaller } from "../keys/credentials-store";
import { sha256 } from "../../platform/secrets";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember } from "../../testing/factories";
import { NOW, testWorld, type World } from "../../testing/test-context";
import type { CreateMemberBody, UpdateMemberBody } from "./contract";
import * as members from "./service";
import { findMember, isLastOwner } from "./store";

const status = (code: number): unknown => expect.objectContaining({ status: code });
const create = (context: Context, body: Partial<CreateMemberBody> = {}) =>
  members.create(context, {
    params: {},
    query: {},
    body: { email: `${uuidv7(NOW)}@example.com`, role: "org:member", ...body },
  });
const update = (context: Context, user_id: string, body: UpdateMemberBody) =>
  members.update(context, { params: { user_id }, query: {}, body });
const get = (context: Context, user_id: string) =>
  members.get(context, { params: { user_id }, query: {}, body: undefined });
const remove = (context: Context, user_id: string) =>
  members.remove(context, { params: { user_id }, query: {}, body: undefined });
type ListQuery = Parameters<typeof members.list>[1]["query"];
const list = (context: Context, query: Partial<ListQuery> = {}) =>
  members.list(context, { params: {}, query: { offset: 0, limit: 50, ...query }, body: undefined });
const reset = (context: Context, user_id: string) =>
  members.resetPassword(context, { params: { user_id }, query: {}, body: undefined });
const endSessions = (context: Context, user_id: string) =>
  members.endSessions(context, { params: { user_id }, query: {}, body: undefined });

async function addSession({ context }: World, memberId: string, id = uuidv7(NOW)): Promise<string> {
  await context.db.session.create({
    data: { id, tokenHash: sha256(id), memberId, lastSeenAt: NOW, expiresAt: new Date(NOW.getTime() + 1000) },
  });
  return id;
}

describe("adding a member", () => {
  it("with a password is active immediately, without a link", async () => {
    const { context } = await testWorld();
    const answer = await create(context, {
      email: `Grace-${uuidv7(NOW)}@Example.com`,
      first_name: "Grace",
      password: "correct horse",
    });
    expect(answer.data).toMatchObject({
      first_name: "Grace",
      last_name: null,
      role: "org:member",
      status: "active",
      created_at: NOW.toISOString(),
    });
    expect(answer.invite_url).toBeUndefined();
    expect(answer.data.email).toBe(answer.data.email.toLowerCase());
    const row = await context.db.member.findUniqueOrThrow({ where: { id: answer.data.id } });
    expect(row.passwordHash).toMatch(/^\$argon2id\$/);
  });

  it("without a password is invited with a link of which only the hash is stored", async () => {
    const { context } = await testWorld({ origin: "https://signalbox.example" });
    const { data, invite_url } = await create(context);
    expect(data.status).toBe("invited");
    const token = /^https:\/\/signalbox\.example\/invite\/([0-9A-Za-z]{43})$/.exec(invite_url ?? "")?.[1] ?? "";
    const invitation = await context.db.invitation.findUniqueOrThrow({ where: { tokenHash: sha256(token) } });
    expect(invitation).toMatchObject({
      memberId: data.id,
      usedAt: null,
      expiresAt: new Date("2026-11-27T10:00:00.000Z"),
    });
  });

  it("rejects an email address in use, in any case, and allows it again after removal", async () => {
    const { context } = await testWorld();
    const email = `${uuidv7(NOW)}@example.com`;
    const { data } = await create(context, { email });
    await expect(create(context, { email: email.toUpperCase() })).rejects.toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["email"] }] },
    });
    await remove(context, data.id);
    expect((await create(context, { email })).data.id).not.toBe(data.id);
  });
});

describe("changing a member", () => {
  it("refuses the caller's own password, which would bypass the current one", async () => {
    const { context, adminId } = await testWorld();
    expect(await failure(update(context, adminId, { password: "stolen session" }))).toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["password"] }] },
    });
    expect((await context.db.member.findUniqueOrThrow({ where: { id: adminId } })).passwordHash).toBeNull();
  });

  it("ends the member's sessions when the role or password changes, but not the name", async () => {
    const world = await testWorld();
    const { context } = world;
    const id = await createMember(world);
    const sessions = () => context.db.session.count({ where: { memberId: id } });
    await addSession(world, id);
    expect((await update(context, id, { first_name: "Ada", role: "org:member" })).data.first_name).toBe("Ada");
    expect(await sessions()).toBe(1);
    await update(context, id, { role: "org:admin" });
    expect(await sessions()).toBe(0);
    await addSession(world, id);
    await update(context, id, { password: "correct horse" });
    expect(await sessions()).toBe(0);
    expect((await get(context, id)).data).toMatchObject({ role: "org:admin", status: "active" });
  });

  it("makes the only admin of an organization without owners its owner", async () => {
    const { context, adminId } = await testWorld();
    await context.db.member.update({ where: { id: adminId }, data: { role: "admin" } });
    expect(await failure(update(context, adminId, { role: "org:member" }))).toMatchObject({ status: 409 });
    expect((await update(context, adminId, { role: "org:owner" })).data.role).toBe("org:owner");
  });

  it("invalidates an open invitation when an admin sets a password", async () => {
    const { context } = await testWorld();
    const { data } = await create(context);
    await update(context, data.id, { password: "correct horse" });
    expect(await context.db.invitation.count({ where: { memberId: data.id } })).toBe(0);
  });
});

describe("reading members", () => {
  it("searches names and address, filters by role and status, and sorts", async () => {
    const world = await testWorld();
    const { context } = world;
    const unique = uuidv7(NOW);
    const grace = (
      await create(context, { first_name: "Grace", last_name: "Hopper", password: "correct horse", role: "org:admin" })
    ).data;
    const ada = (await create(context, { first_name: "Ada", last_name: "Lovelace", email: `${unique}@example.com` }))
      .data;
    const ids = async (query: Partial<ListQuery>) => (await list(context, query)).data.map(({ id }) => id);
    expect(await ids({ q: "hop grace" })).toEqual([grace.id]);
    expect(await ids({ q: unique.toUpperCase() })).toEqual([ada.id]);
    expect(await ids({ q: "grace lovelace" })).toEqual([]);
    expect(await ids({ role: "org:member" })).toEqual([ada.id]);
    expect(await ids({ q: "a", role: "org:admin", status: "active" })).toContain(grace.id);
    expect(await ids({ status: "invited" })).toContain(ada.id);
    await update(context, ada.id, { tags: ["team:search"] });
    expect(await ids({ tag: "team:search" })).toEqual([ada.id]);
    expect((await ids({ sort: "name" })).filter((id) => id !== world.adminId)).toEqual([ada.id, grace.id]);
    expect((await ids({ sort: "-name" })).filter((id) => id !== world.adminId)).toEqual([grace.id, ada.id]);
    expect((await ids({ sort: "role" })).at(-1)).toBe(ada.id);
  });

  it("returns guardrails, enabled keys and active sessions without a query for each", async () => {
    const world = await testWorld();
    const { context, organizationId, workspaceId } = world;
    const id = await createMember(world);
    const [key] = [await createKey(world, { creatorUserId: id }), await createKey(world, { creatorUserId: id })];
    await context.db.key.update({ where: { id: key.id }, data: { disabled: true } });
    await addSession(world, id);
    const guardrail = await context.db.guardrail.create({ data: { id: uuidv7(NOW), workspaceId, name: "People" } });
    await context.db.guardrailMemberAssignment.create({
      data: { id: uuidv7(NOW), organizationId, guardrailId: guardrail.id, workspaceId, userId: id },
    });
    expect((await get(context, id)).data).toMatchObject({
      guardrails: [{ workspace_id: workspaceId, guardrail_id: guardrail.id, guardrail_name: "People" }],
      active_keys: 1,
      open_sessions: 1,
    });
    expect((await get({ ...context, now: new Date(NOW.getTime() + 2000) }, id)).data.open_sessions).toBe(0);
  });
});

describe("resetting a password", () => {
  it("ends the password, sessions and earlier links, and is audited", async () => {
    const world = await testWorld({ origin: "https://signalbox.example" });
    const { context } = world;
    const { data } = await create(context, { password: "correct horse" });
    await addSession(world, data.id);
    const first = await reset(context, data.id);
    expect(first.data).toMatchObject({ status: "invited", open_sessions: 0 });
    const token =
      /^https:\/\/signalbox\.example\/invite\/([0-9A-Za-z]{43})\?for=reset$/.exec(first.reset_url)?.[1] ?? "";
    expect(
      await context.db.invitation.count({ where: { tokenHash: sha256(token), memberId: data.id, usedAt: null } }),
    ).toBe(1);
    await reset(context, data.id);
    expect(await context.db.invitation.count({ where: { tokenHash: sha256(token) } })).toBe(0);
    expect(await context.db.auditEvent.count({ where: { targetId: data.id, action: "member.reset_password" } })).toBe(
      2,
    );
  });

  it("of an invited member creates a new invitation", async () => {
    const { context } = await testWorld();
    const { data, invite_url } = await create(context);
    const { reset_url } = await reset(context, data.id);
    expect(reset_url).toMatch(/\/invite\/[0-9A-Za-z]{43}$/);
    expect(reset_url).not.toBe(invite_url);
    expect(await context.db.invitation.count({ where: { memberId: data.id } })).toBe(1);
  });

  it("works for the last owner with the key of an owner, and never for oneself", async () => {
    const world = await testWorld();
    const { context, adminId } = world;
    await expect(reset(context, adminId)).rejects.toEqual(status(409));
    const key = await createKey(world, { kind: "management" });
    const callerNow = async () => (await findKeyCaller(context.db, key.text, NOW)) as Caller;
    await expect(reset({ ...context, caller: await callerNow() }, adminId)).rejects.toEqual(status(403));
    await context.db.key.update({ where: { id: key.id }, data: { role: "owner" } });
    await expect
      .poll(async () => (await callerNow()).grants.organization.has("sign_in:write"), { timeout: 5_000 })
      .toBe(true);
    expect((await reset({ ...context, caller: await callerNow() }, adminId)).data.role).toBe("org:owner");
  });
});

describe("signing a member out everywhere", () => {
  it("ends their sessions except the calling one, and returns the number", async () => {
    const world = await testWorld();
    const { context, adminId } = world;
    const id = await createMember(world);
    await addSession(world, id);
    await addSession(world, id);
    expect(await endSessions(context, id)).toEqual({ ended_count: 2 });
    expect(await endSessions(context, id)).toEqual({ ended_count: 0 });
    expect(await context.db.auditEvent.count({ where: { targetId: id, action: "member.end_sessions" } })).toBe(1);
    await addSession(world, adminId, (context.caller as Extract<Caller, { kind: "session" }>).sessionId);
    await addSession(world, adminId);
    expect(await endSessions(context, adminId)).toEqual({ ended_count: 1 });
  });
});

describe("the last owner", () => {
  it("can't be demoted or removed", async () => {
    const world = await testWorld();
    await createMember(world);
    await expect(update(world.context, world.adminId, { role: "org:member" })).rejects.toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["role"] }] },
    });
    await expect(remove(world.context, world.adminId)).rejects.toEqual(status(409));
    expect((await update(world.context, world.adminId, { role: "org:owner", last_name: "L" })).data.role).toBe(
      "org:owner",
    );
  });

  it("is the one who can sign in, not one whose identity provider is off", async () => {
    const world = await testWorld();
    const { context, adminId, organizationId } = world;
    await context.db.member.update({ where: { id: adminId }, data: { passwordHash: "set" } });
    const other = await createMember(world, "owner");
    await context.db.member.update({ where: { id: other }, data: { providerSignInAt: NOW } });
    const connectionId = uuidv7(NOW);
    const connection = { id: connectionId, organizationId, name: "Okta", protocol: "oidc" as const, claimNames: {} };
    await context.db.signInConnection.create({ data: connection });
    const identity = { connectionId, subject: "other", memberId: other, lastSignInAt: NOW };
    await context.db.memberIdentity.create({ data: identity });
    await expect(update(context, adminId, { role: "org:member" })).rejects.toMatchObject({ status: 409 });
    await expect(remove(context, adminId)).rejects.toEqual(status(409));
    await context.db.signInConnection.update({ where: { id: connectionId }, data: { enabled: true } });
    expect((await update(context, adminId, { role: "org:member" })).data.role).toBe("org:member");
  });

  it("is the one with a password while passwords are off, only if they are the break-glass member", async () => {
    const world = await testWorld();
    const { context, adminId: breakGlassMemberId, organizationId } = world;
    const other = await createMember(world, "owner");
    const ids = [breakGlassMemberId, other];
    await context.db.member.updateMany({ where: { id: { in: ids } }, data: { passwordHash: "set" } });
    const off = { passwordSignIn: "break_glass_only", breakGlassMemberId } as const;
    await context.db.organization.update({ where: { id: organizationId }, data: off });
    expect(await isLastOwner(context.db, context, await findMember(context.db, context, breakGlassMemberId))).toBe(
      true,
    );
    expect(await isLastOwner(context.db, context, await findMember(context.db, context, other))).toBe(false);
  });

  it("remains when two owners are demoted concurrently", async () => {
    const world = await testWorld();
    const other = await createMember(world, "owner");
    const results = await Promise.allSettled([
      update(world.context, world.adminId, { role: "org:member" }),
      update(world.context, other, { role: "org:member" }),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await list(world.context)).data.filter(({ role }) => role === "org:owner")).toHaveLength(1);
  });
});

describe("removing a member", () => {
  it("ends sessions, invitations and assignments, and disables keys they created", async () => {
    const world = await testWorld();
    const { context, organizationId, workspaceId } = world;
    const id = await createMember(world);
    const key = await createKey(world, { creatorUserId: id });
    await addSession(world, id);
    const guardrail = await context.db.guardrail.create({ data: { id: uuidv7(NOW), workspaceId, name: "G" } });
    await context.db.guardrailMemberAssignment.create({
      data: { id: uuidv7(NOW), organizationId, guardrailId: guardrail.id, workspaceId, userId: id },
    });
    await remove(context, id);
    await expect(get(context, id)).rejects.toEqual(status(404));
    expect(await context.db.session.count({ where: { memberId: id } })).toBe(0);
    expect(await context.db.guardrailMemberAssignment.count({ where: { userId: id } })).toBe(0);
    expect(await findKeyCaller(context.db, key.text, NOW)).toBeNull();
    const events = await context.db.auditEvent.findMany({ where: { organizationId }, orderBy: { action: "asc" } });
    expect(events.map(({ action, targetId }) => [action, targetId])).toEqual([
      ["key.update", key.id],
      ["member.delete", id],
    ]);
  });

  it("is rejected when it would disable the key of the request", async () => {
    const world = await testWorld();
    const id = await createMember(world, "admin");
    const key = await createKey(world, { kind: "management", creatorUserId: id });
    const caller = (await findKeyCaller(world.context.db, key.text, NOW)) as Caller;
    await expect(remove({ ...world.context, caller }, id)).rejects.toEqual(status(409));
    expect((await get(world.context, id)).data.id).toBe(id);
  });
});

it("answers a member of another organization as missing", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  const id = await createMember(world);
  await expect(get(other.context, id)).rejects.toEqual(status(404));
  await expect(update(other.context, id, { first_name: "x" })).rejects.toEqual(status(404));
  await expect(remove(other.context, id)).rejects.toEqual(status(404));
  await expect(reset(other.context, id)).rejects.toEqual(status(404));
  await expect(endSessions(other.context, id)).rejects.toEqual(status(404));
  expect((await list(other.context)).data.map(({ id }) => id)).toEqual([other.adminId]);
});
