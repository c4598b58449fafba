import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember, memberCaller } from "../../testing/factories";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { findKeyCaller } from "../keys/credentials-store";
import { grantsOf } from "../roles/grants";
import { handOver } from "./hand-over-service";
import * as members from "./service";
import { freeName } from "./view-name";

const give = (context: Context, user_id: string, to_user_id: string, key_hashes?: string[]) =>
  handOver(context, { params: { user_id }, query: {}, body: { to_user_id, ...(key_hashes && { key_hashes }) } });

const createView = ({ context, organizationId }: World, ownerId: string, name: string) =>
  context.db.savedView.create({
    data: { id: uuidv7(NOW), organizationId, ownerId, page: "generations", name, query: "", isShared: false },
  });

async function open() {
  const world = await testWorld();
  const [from, to] = [await createMember(world), await createMember(world)];
  return { world, from, to };
}

describe("handing over", () => {
  it("gives keys and saved views to another member, and records each", async () => {
    const { world, from, to } = await open();
    const { db } = world.context;
    const keys = [await createKey(world, { creatorUserId: from }), await createKey(world, { creatorUserId: from })];
    const others = await createKey(world);
    await createView(world, from, "Errors");
    await createView(world, from, "Mine");
    await createView(world, to, "Errors");
    expect((await give(world.context, from, to)).data).toEqual({ keys: 2, saved_views: 2 });
    for (const { id } of keys)
      expect(await db.key.findUniqueOrThrow({ where: { id } })).toMatchObject({ creatorUserId: to });
    expect(await db.key.findUniqueOrThrow({ where: { id: others.id } })).toMatchObject({
      creatorUserId: world.adminId,
    });
    const views = await db.savedView.findMany({ where: { ownerId: to }, orderBy: { name: "asc" } });
    expect(views.map(({ name }) => name)).toEqual(["Errors", `Errors (${from.toLowerCase()}@example.com)`, "Mine"]);
    const events = await db.auditEvent.findMany({ where: { organizationId: world.organizationId } });
    expect(events.map(({ action }) => action).sort()).toEqual(["key.update", "key.update", "member.hand_over"]);
    expect((await give(world.context, from, to)).data).toEqual({ keys: 0, saved_views: 0 });
  });

  it("of some keys leaves the rest", async () => {
    const { world, from, to } = await open();
    const [one, other] = [
      await createKey(world, { creatorUserId: from }),
      await createKey(world, { creatorUserId: from }),
    ];
    await createView(world, from, "Mine");
    expect((await give(world.context, from, to, [one.hash])).data).toEqual({ keys: 1, saved_views: 0 });
    const { status, metadata } = await failure(give(world.context, from, to, [other.hash, one.hash]));
    expect([status, metadata?.["issues"]]).toMatchObject([400, [{ path: ["key_hashes", 1] }]]);
  });

  it("makes keys of a deactivated member work again, and those of a removed one listed under the new owner", async () => {
    const { world, from, to } = await open();
    const { context } = world;
    const key = await createKey(world, { creatorUserId: from });
    await members.update(context, { params: { user_id: from }, query: {}, body: { active: false } });
    await expect.poll(() => findKeyCaller(context.db, key.text, NOW)).toBeNull();
    await give(context, from, to);
    await expect.poll(() => findKeyCaller(context.db, key.text, NOW)).toMatchObject({ userId: to });
    await members.remove(context, { params: { user_id: to }, query: {}, body: undefined });
    expect((await give(context, to, world.adminId)).data).toMatchObject({ keys: 1 });
    expect(await context.db.key.findUniqueOrThrow({ where: { id: key.id } })).toMatchObject({
      creatorUserId: world.adminId,
      disabled: true,
    });
  });

  it("needs an active member, who has the permissions of management keys", async () => {
    const { world, from, to } = await open();
    const { context } = world;
    await createKey(world, { kind: "management", creatorUserId: from });
    expect(await failure(give(context, from, to))).toMatchObject({ status: 400 });
    expect(await failure(give(context, from, from))).toMatchObject({ status: 409 });
    expect((await give(context, from, world.adminId)).data).toMatchObject({ keys: 1 });
    await members.update(context, { params: { user_id: to }, query: {}, body: { active: false } });
    expect(await failure(give(context, from, to))).toMatchObject({ status: 400 });
    const other = await testWorld();
    expect(await failure(give(context, from, other.adminId))).toMatchObject({ status: 400 });
    expect(await failure(give(context, other.adminId, to))).toMatchObject({ status: 404 });
  });
});

it("of keys needs the permission to change keys, and of views only doesn't", async () => {
  const { world, from, to } = await open();
  const grants = grantsOf([{ role: null, permissions: ["members:read", "members:write"], workspace: null }]);
  const context = { ...world.context, caller: memberCaller(world, to, { grants }) };
  await createView(world, from, "Mine");
  expect((await give(context, from, to)).data).toEqual({ keys: 0, saved_views: 1 });
  const key = await createKey(world, { creatorUserId: from });
  expect(await failure(give(context, from, to))).toEqual({ status: 403, metadata: { permission: "keys:write" } });
  expect(await world.context.db.key.findUniqueOrThrow({ where: { id: key.id } })).toMatchObject({
    creatorUserId: from,
  });
});

it("finds a free name within its length", () => {
  expect(freeName("A", new Set(), "Grace")).toBe("A");
  expect(freeName("A", new Set(["A", "A (Grace)"]), "Grace")).toBe("A (Grace, 2)");
  expect(freeName("A".repeat(100), new Set(["A".repeat(100)]), "Grace")).toHaveLength(100);
  expect(freeName("A", new Set(["A"]), "x".repeat(120))).toBe("View 1");
});
