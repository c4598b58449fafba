import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { failure } from "../../testing/expect-failure";
import { createMember, memberCaller } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import { SavedView } from "./contract";
import * as views from "./service";

const asMember = (world: World, userId: string, role: "admin" | "member" = "member"): Context => ({
  ...world.context,
  caller: memberCaller(world, userId, { role }),
});
const body = { page: "generations", name: "Blocked", query: "status=blocked", is_shared: false } as const;
const create = (context: Context, fields: object = {}) =>
  views.create(context, { params: {}, query: {}, body: { ...body, ...fields } });
const names = async (context: Context) =>
  (
    await views.list(context, { params: {}, query: { offset: 0, limit: 50, page: "generations" }, body: undefined })
  ).data.map(({ name }) => name);
const remove = (context: Context, id: string) => views.remove(context, { params: { id }, query: {}, body: undefined });

describe("saved views", () => {
  it("are visible to their owner, or to everybody when shared", async () => {
    const world = await testWorld();
    const [ada, bob] = [asMember(world, await createMember(world)), asMember(world, await createMember(world))];
    const { data } = await create(ada, { name: "Mine" });
    expect(SavedView.parse(data)).toMatchObject({ name: "Mine", query: "status=blocked", is_deletable: true });
    await create(ada, { name: "Ours", is_shared: true });
    expect(await names(ada)).toEqual(["Mine", "Ours"]);
    expect(await names(bob)).toEqual(["Ours"]);
    expect(await names((await testWorld()).context)).toEqual([]);
  });

  it("are deleted by their owner, and shared ones by an admin", async () => {
    const world = await testWorld();
    const [ada, bob] = [asMember(world, await createMember(world)), asMember(world, await createMember(world))];
    const admin = asMember(world, world.adminId, "admin");
    const mine = (await create(ada, { name: "Mine" })).data.id;
    const ours = (await create(ada, { name: "Ours", is_shared: true })).data.id;
    for (const id of [mine, ours]) expect((await failure(remove(bob, id))).status).toBe(404);
    expect((await failure(remove(admin, mine))).status, "not visible, not deleted").toBe(404);
    expect((await failure(remove((await testWorld()).context, ours))).status).toBe(404);
    expect(await remove(admin, ours)).toEqual({ deleted: true });
    expect(await remove(ada, mine)).toEqual({ deleted: true });
    expect(
      await world.context.db.auditEvent.count({
        where: { organizationId: world.organizationId, action: { startsWith: "saved_view." } },
      }),
    ).toBe(4);
  });

  it("have unique names per person and a maximum number", async () => {
    const world = await testWorld();
    const ada = asMember(world, await createMember(world));
    await create(ada);
    expect(await failure(create(ada))).toMatchObject({ status: 409, metadata: { issues: [{ path: ["name"] }] } });
    for (let index = 1; index < 100; index++) await create(ada, { name: `View ${index}` });
    expect(await failure(create(ada, { name: "One too many" }))).toMatchObject({ status: 409 });
  });
});
