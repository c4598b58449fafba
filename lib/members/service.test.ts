import { describe, expect, it } from "vitest";
import type { Caller, Context } from "../context";
import { uuidv7 } from "../ids";
import { findKeyCaller } from "../keys/credentials";
import { sha256 } from "../secrets";
import { createKey, createMember } from "../testing/factories";
import { NOW, testWorld, type World } from "../testing/test-context";
import type { CreateMemberBody, UpdateMemberBody } from "./contract";
import * as members from "./service";

const status = (code: number): unknown => expect.objectContaining({ status: code });
const create = (context: Context, body: Partial<CreateMemberBody> = {}) =>
  members.create(context, { params: {}, query: {}, body: { email: `${uuidv7(NOW)}@example.com`, role: "org:member", ...body } });
const update = (context: Context, user_id: string, body: UpdateMemberBody) => members.update(context, { params: { user_id }, query: {}, body });
const get = (context: Context, user_id: string) => members.get(context, { params: { user_id }, query: {}, body: undefined });
const remove = (context: Context, user_id: string) => members.remove(context, { params: { user_id }, query: {}, body: undefined });
const list = (context: Context) => members.list(context, { params: {}, query: { offset: 0, limit: 50 }, body: undefined });

async function addSession({ context }: World, memberId: string, id = uuidv7(NOW)): Promise<string> {
  await context.db.session.create({ data: { id, tokenHash: sha256(id), memberId, lastSeenAt: NOW, expiresAt: new Date(NOW.getTime() + 1000) } });
  return id;
}

describe("adding a member", () => {
  it("with a password is active at once and gets no link", async () => {
    const { context } = await testWorld();
    const answer = await create(context, { email: `Grace-${uuidv7(NOW)}@Example.com`, first_name: "Grace", password: "correct horse" });
    expect(answer.data).toMatchObject({ first_name: "Grace", last_name: null, role: "org:member", status: "active", created_at: NOW.toISOString() });
    expect(answer.invite_url).toBeUndefined();
    expect(answer.data.email).toBe(answer.data.email.toLowerCase());
    const row = await context.db.member.findUniqueOrThrow({ where: { id: answer.data.id } });
    expect(row.passwordHash).toMatch(/^\$argon2id\$/);
  });

  it("without one is invited over a link of which only the hash is kept", async () => {
    const { context } = await testWorld({ origin: "https://signalbox.example" });
    const { data, invite_url } = await create(context);
    expect(data.status).toBe("invited");
    const token = /^https:\/\/signalbox\.example\/invite\/([0-9A-Za-z]{43})$/.exec(invite_url ?? "")?.[1] ?? "";
    const invitation = await context.db.invitation.findUniqueOrThrow({ where: { tokenHash: sha256(token) } });
    expect(invitation).toMatchObject({ memberId: data.id, usedAt: null, expiresAt: new Date("2026-11-27T10:00:00.000Z") });
  });

  it("refuses an e-mail address that a living member has, whatever its case, and frees it with removal", async () => {
    const { context } = await testWorld();
    const email = `${uuidv7(NOW)}@example.com`;
    const { data } = await create(context, { email });
    await expect(create(context, { email: email.toUpperCase() })).rejects.toEqual(status(409));
    await remove(context, data.id);
    expect((await create(context, { email })).data.id).not.toBe(data.id);
  });
});

describe("changing a member", () => {
  it("ends the member's sessions when the role or password changes, not when the name does", async () => {
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

  it("keeps the session in which a member changes their own password", async () => {
    const world = await testWorld();
    const caller = world.context.caller as Extract<Caller, { kind: "session" }>;
    await addSession(world, world.adminId, caller.sessionId);
    await addSession(world, world.adminId);
    await update(world.context, world.adminId, { password: "correct horse" });
    const left = await world.context.db.session.findMany({ where: { memberId: world.adminId } });
    expect(left.map(({ id }) => id)).toEqual([caller.sessionId]);
  });

  it("makes an open invitation worthless when an admin sets a password", async () => {
    const { context } = await testWorld();
    const { data } = await create(context);
    await update(context, data.id, { password: "correct horse" });
    expect(await context.db.invitation.count({ where: { memberId: data.id } })).toBe(0);
  });
});

describe("the last admin", () => {
  it("can be neither demoted nor removed", async () => {
    const world = await testWorld();
    await createMember(world);
    await expect(update(world.context, world.adminId, { role: "org:member" })).rejects.toEqual(status(409));
    await expect(remove(world.context, world.adminId)).rejects.toEqual(status(409));
    expect((await update(world.context, world.adminId, { role: "org:admin", last_name: "L" })).data.role).toBe("org:admin");
  });

  it("remains when two admins are demoted at the same moment", async () => {
    const world = await testWorld();
    const other = await createMember(world, "admin");
    const results = await Promise.allSettled([
      update(world.context, world.adminId, { role: "org:member" }),
      update(world.context, other, { role: "org:member" }),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await list(world.context)).data.filter(({ role }) => role === "org:admin")).toHaveLength(1);
  });
});

describe("removing a member", () => {
  it("ends sessions, invitations and assignments, and disables the keys they created", async () => {
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

  it("is refused when it would disable the key of the request", async () => {
    const world = await testWorld();
    const id = await createMember(world, "admin");
    const key = await createKey(world, { kind: "management", creatorUserId: id });
    const caller = (await findKeyCaller(world.context.db, key.text, NOW)) as Caller;
    await expect(remove({ ...world.context, caller }, id)).rejects.toEqual(status(409));
    expect((await get(world.context, id)).data.id).toBe(id);
  });
});

it("answers a member of another organization like a missing one", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  const id = await createMember(world);
  await expect(get(other.context, id)).rejects.toEqual(status(404));
  await expect(update(other.context, id, { first_name: "x" })).rejects.toEqual(status(404));
  await expect(remove(other.context, id)).rejects.toEqual(status(404));
  expect((await list(other.context)).data.map(({ id }) => id)).toEqual([other.adminId]);
});
