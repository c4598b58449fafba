import { expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { createKey, createMember, keyCaller, memberCaller } from "../../testing/factories";
import { NOW, testWorld, type World } from "../../testing/test-context";
import * as account from "./account-service";
import { hashPassword } from "../members/password";

const noInput = { params: {}, query: {}, body: undefined };
const status = (code: number): unknown => expect.objectContaining({ status: code });
const HOUR_MS = 3_600_000;

/** Signs a member in and returns the session's context. */
async function signedIn(
  world: World,
  userId: string,
  times: { lastSeenAt?: Date; expiresAt?: Date } = {},
): Promise<Context> {
  const id = uuidv7(NOW);
  await world.context.db.session.create({
    data: {
      id,
      tokenHash: id,
      memberId: userId,
      createdAt: NOW,
      lastSeenAt: NOW,
      expiresAt: new Date(NOW.getTime() + HOUR_MS),
      ip: "192.0.2.1",
      userAgent: "Browser",
      ...times,
    },
  });
  const caller = memberCaller(world, userId, { sessionId: id, userName: "Grace" });
  return { ...world.context, caller, headers: new Headers() };
}

const sessionId = ({ caller }: Context) => (caller.kind === "session" ? caller.sessionId : "");
const count = ({ context }: World, memberId: string) => context.db.session.count({ where: { memberId } });
const actions = async ({ context, organizationId }: World) =>
  (await context.db.auditEvent.findMany({ where: { organizationId }, orderBy: { id: "asc" } })).map(
    ({ action }) => action,
  );

it("lists the member's own active sessions, most recent first, and marks the calling one", async () => {
  const world = await testWorld();
  const [grace, other] = [await createMember(world), await createMember(world)];
  const current = await signedIn(world, grace, { lastSeenAt: new Date(NOW.getTime() - HOUR_MS) });
  const newer = await signedIn(world, grace);
  await signedIn(world, grace, { expiresAt: NOW });
  await signedIn(world, grace, { lastSeenAt: new Date(NOW.getTime() - 25 * HOUR_MS) });
  await signedIn(world, other);
  const { data } = await account.listOwn(current);
  expect(data.map(({ id, is_current }) => [id, is_current])).toEqual([
    [sessionId(newer), false],
    [sessionId(current), true],
  ]);
  expect(data[0]).toMatchObject({ ip: "192.0.2.1", user_agent: "Browser", last_seen_at: NOW.toISOString() });
});

it("ends one of the member's own sessions, nobody else's", async () => {
  const world = await testWorld();
  const [grace, other] = [await createMember(world), await createMember(world)];
  const [current, second, foreign] = [
    await signedIn(world, grace),
    await signedIn(world, grace),
    await signedIn(world, other),
  ];
  const remove = (id: string) => account.removeOwn(current, { ...noInput, params: { id } });
  await expect(remove(sessionId(foreign))).rejects.toEqual(status(404));
  expect(await remove(sessionId(second))).toEqual({ deleted: true });
  await expect(remove(sessionId(second))).rejects.toEqual(status(404));
  expect([await count(world, grace), await count(world, other)]).toEqual([1, 1]);
  expect(await actions(world)).toEqual(["session.revoke"]);
});

it("ends all other sessions and keeps the calling one", async () => {
  const world = await testWorld();
  const grace = await createMember(world);
  const current = await signedIn(world, grace);
  await signedIn(world, grace);
  await signedIn(world, grace, { expiresAt: NOW });
  expect(await account.removeOthers(current)).toEqual({ data: { sessions_ended: 1 } });
  expect((await account.listOwn(current)).data.map(({ id }) => id)).toEqual([sessionId(current)]);
  expect(await count(world, grace)).toBe(1);
});

it("requires the current password to change it, ends other sessions, and limits attempts", async () => {
  const world = await testWorld();
  const grace = await createMember(world);
  await world.context.db.member.update({
    where: { id: grace },
    data: { passwordHash: await hashPassword("correct horse") },
  });
  const current = await signedIn(world, grace);
  await signedIn(world, grace);
  const change = (current_password: string, new_password: string) =>
    account.changePassword(current, { ...noInput, body: { current_password, new_password } });
  await expect(change("wrong horse", "staple battery")).rejects.toMatchObject({
    status: 400,
    metadata: { issues: [{ path: ["current_password"] }] },
  });
  expect(await count(world, grace)).toBe(2);
  expect(await change("correct horse", "staple battery")).toEqual({ data: { sessions_ended: 1 } });
  await expect(change("correct horse", "another")).rejects.toEqual(status(400));
  expect(await count(world, grace)).toBe(1);
  expect(await actions(world)).toEqual(["member.change_password"]);
  expect(
    JSON.stringify(await world.context.db.auditEvent.findMany({ where: { organizationId: world.organizationId } })),
  ).not.toContain("staple");
  await Promise.allSettled(Array.from({ length: 10 }, () => change("wrong horse", "staple battery")));
  await expect(change("wrong horse", "staple battery")).rejects.toEqual(status(429));
});

it("changes only the member's own name", async () => {
  const world = await testWorld();
  const current = await signedIn(world, await createMember(world));
  const { data } = await account.update(current, { ...noInput, body: { first_name: "Grace", last_name: null } });
  expect(data).toMatchObject({ first_name: "Grace", last_name: null, role: "org:member" });
  expect((await account.update(current, { ...noInput, body: { last_name: "Hopper" } })).data).toMatchObject({
    first_name: "Grace",
    last_name: "Hopper",
  });
  expect(await actions(world)).toEqual(["member.update", "member.update"]);
});

it("requires a session: a key has no account", async () => {
  const world = await testWorld();
  const context = {
    ...world.context,
    caller: keyCaller(world, (await createKey(world, { kind: "management" })).id, "management"),
  };
  await expect(account.listOwn(context)).rejects.toEqual(status(403));
  await expect(account.removeOthers(context)).rejects.toEqual(status(403));
  await expect(account.update(context, { ...noInput, body: {} })).rejects.toEqual(status(403));
  await expect(
    account.changePassword(context, { ...noInput, body: { current_password: "a", new_password: "12345678" } }),
  ).rejects.toEqual(status(403));
  await expect(account.removeOwn(context, { ...noInput, params: { id: uuidv7(NOW) } })).rejects.toEqual(status(403));
});

it("lets an admin list and end the organization's sessions, but no others", async () => {
  const [world, elsewhere] = [await testWorld(), await testWorld()];
  const [ours, theirs] = [
    await signedIn(world, await createMember(world)),
    await signedIn(elsewhere, await createMember(elsewhere)),
  ];
  const { data, total_count } = await account.listAll(world.context, { ...noInput, query: { offset: 0, limit: 10 } });
  expect([data.map(({ id }) => id), total_count]).toEqual([[sessionId(ours)], 1]);
  expect(data[0]?.user.id).toBe(ours.caller.userId);
  await expect(account.removeAny(world.context, { ...noInput, params: { id: sessionId(theirs) } })).rejects.toEqual(
    status(404),
  );
  expect(await account.removeAny(world.context, { ...noInput, params: { id: sessionId(ours) } })).toEqual({
    deleted: true,
  });
  expect(await elsewhere.context.db.session.count({ where: { id: sessionId(theirs) } })).toBe(1);
});
