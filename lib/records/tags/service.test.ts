import { expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createKey, createMember, memberCaller } from "../../testing/factories";
import { NOW, testWorld } from "../../testing/test-context";
import * as tags from "./service";

const list = async (context: Context, query: { q?: string; limit?: number; offset?: number } = {}) =>
  tags.list(context, { params: {}, query: { limit: 50, offset: 0, ...query }, body: undefined });

it("lists the tags of an organization's keys and members, and their own to members", async () => {
  const world = await testWorld();
  const { context, adminId } = world;
  const userId = await createMember(world, "member", ["office:oslo"]);
  await context.db.member.update({ where: { id: adminId }, data: { tags: ["a_b"] } });
  await createKey(world, { tags: ["team:search", "a_b"] });
  await createKey(world, { tags: ["team:search"], creatorUserId: userId });
  const { id } = await createKey(world, { tags: ["gone"] });
  await context.db.key.update({ where: { id }, data: { deletedAt: NOW } });
  await createKey(await testWorld(), { tags: ["foreign"] });

  const [plain, office, team] = [
    { tag: "a_b", keys: 1, members: 1 },
    { tag: "office:oslo", keys: 0, members: 1 },
    { tag: "team:search", keys: 2, members: 0 },
  ];
  expect(await list(context)).toEqual({ data: [plain, office, team], total_count: 3 });
  expect(await list(context, { limit: 1, offset: 1 })).toEqual({ data: [office], total_count: 3 });
  expect(await list(context, { q: "SEARCH" })).toEqual({ data: [team], total_count: 1 });
  expect(await list(context, { q: "_" })).toEqual({ data: [plain], total_count: 1 });

  const member: Context = { ...context, caller: memberCaller(world, userId) };
  expect(await list(member)).toEqual({ data: [office, { ...team, keys: 1 }], total_count: 2 });
});
