import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { failure } from "../../testing/expect-failure";
import { createMember, keyCaller, memberCaller, roleGrants } from "../../testing/factories";
import { uuidv7 } from "../../platform/ids";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { SavedView } from "./contract";
import * as views from "./service";

const asMember = (world: World, userId: string, role: "admin" | "member" = "member"): Context => ({
  ...world.context,
  caller: memberCaller(world, userId, { grants: roleGrants(role) }),
});
const body = { page: "generations", name: "Blocked", query: "status=blocked", is_shared: false } as const;
const create = (context: Context, fields: object = {}) =>
  views.create(context, { params: {}, query: {}, body: { ...body, ...fields } });
const names = async (context: Context) =>
  (
    await views.list(context, { params: {}, query: { offset: 0, limit: 50, page: "generations" }, body: undefined })
  ).data.map(({ name }) => name);
const update = (context: Context, id: string, changes: object) =>
  views.update(context, { params: { id }, query: {}, body: changes });
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

  it("are changed by their owner, and shared ones by an admin", async () => {
    const world = await testWorld();
    const [ada, bob] = [asMember(world, await createMember(world)), asMember(world, await createMember(world))];
    const admin = asMember(world, world.adminId, "admin");
    const { id } = (await create(ada, { name: "Mine" })).data;
    for (const other of [bob, admin, (await testWorld()).context])
      expect((await failure(update(other, id, { name: "Theirs" }))).status).toBe(404);
    expect((await update(ada, id, { name: "Ours", is_shared: true })).data).toMatchObject({
      name: "Ours",
      query: body.query,
      is_shared: true,
    });
    expect((await failure(update(bob, id, { name: "Theirs" }))).status, "visible, not theirs").toBe(404);
    expect((await update(admin, id, { query: "status=failed" })).data).toMatchObject({
      name: "Ours",
      query: "status=failed",
    });
    expect(await names(bob)).toEqual(["Ours"]);
    const events = await world.context.db.auditEvent.findMany({
      where: { organizationId: world.organizationId, action: "saved_view.update" },
      orderBy: { createdAt: "asc" },
    });
    expect(events).toHaveLength(2);
  });

  it("stay shared if no member owns them, and don't take a name of their owner's views", async () => {
    const world = await testWorld();
    const byKey = { ...world.context, caller: { ...keyCaller(world, uuidv7(NOW), "management"), userId: null } };
    const { id } = (await create(byKey, { name: "By a key", is_shared: true })).data;
    expect(await failure(update(byKey, id, { is_shared: false }))).toMatchObject({ status: 400 });
    const ada = asMember(world, await createMember(world));
    await create(ada, { name: "First" });
    const second = (await create(ada, { name: "Second", is_shared: true })).data.id;
    expect(await failure(update(ada, second, { name: "First" }))).toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["name"], message: "You already have a view named First" }] },
    });
    expect(await failure(update(asMember(world, world.adminId, "admin"), second, { name: "First" }))).toMatchObject({
      metadata: { issues: [{ message: "The view's owner already has a view named First" }] },
    });
    expect((await update(ada, second, { name: "Second" })).data.name, "the same name again").toBe("Second");
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
