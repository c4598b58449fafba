import { describe, expect, it } from "vitest";
import type { ScimContext } from "../../platform/context";
import { newUserId, uuidv7 } from "../../platform/ids";
import * as entra from "../../testing/entra-requests";
import { failure } from "../../testing/expect-failure";
import { inTransaction } from "../../platform/database/transaction";
import { createMember } from "../../testing/factories";
import { somethingWaits } from "../../testing/locks";
import * as okta from "../../testing/okta-requests";
import { scimContext } from "../../testing/scim";
import { NOW, testWorld, type World } from "../../testing/test-context";
import * as members from "../members/service";
import { lockMember } from "../members/store";
import type { ListQuery } from "./contract";
import * as groups from "./groups-service";

const create = (context: ScimContext, body: Record<string, unknown>) =>
  groups.create(context, { params: {}, query: {}, body });
const get = (context: ScimContext, id: string, query: { excludedAttributes?: string } = {}) =>
  groups.get(context, { params: { id }, query, body: undefined });
const put = (context: ScimContext, id: string, body: Record<string, unknown>) =>
  groups.replace(context, { params: { id }, query: {}, body });
const patch = (context: ScimContext, id: string, body: { Operations: { op: string }[] }) =>
  groups.patch(context, { params: { id }, query: {}, body });
const remove = (context: ScimContext, id: string) =>
  groups.remove(context, { params: { id }, query: {}, body: undefined });
const list = (context: ScimContext, query: Partial<ListQuery> = {}) =>
  groups.list(context, { params: {}, query: { startIndex: 1, count: 100, ...query }, body: undefined });

async function open() {
  const world = await testWorld();
  const ids = await Promise.all([createMember(world), createMember(world), createMember(world)]);
  return { world, scim: scimContext(world), ids: ids.sort() };
}

const membersOf = async (context: ScimContext, id: string) =>
  (await get(context, id)).members?.map(({ value }) => value ?? "").sort();

describe("provisioning a group", () => {
  it("creates, renames and fills one as Entra ID asks", async () => {
    const { world, scim, ids } = await open();
    const [first, second, third] = ids;
    const created = await create(scim, entra.createGroup("Platform"));
    expect(created).toMatchObject({
      displayName: "Platform",
      externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
      members: [],
      meta: { resourceType: "Group", location: `http://signalbox.test/v1/scim/v2/Groups/${created.id}` },
    });
    const { id } = created;
    const versions = [scim.headers.get("etag")];
    for (const body of [
      entra.addMembers(...ids),
      entra.addMembers(first),
      entra.removeMember(first),
      entra.removeMembers(second, newUserId()),
      entra.renameGroup("Platform team"),
    ]) {
      await patch(scim, id, body);
      versions.push(scim.headers.get("etag"));
    }
    // Only the second body changed nothing.
    expect(new Set(versions).size).toBe(5);
    expect(await get(scim, id)).toMatchObject({
      displayName: "Platform team",
      members: [{ value: third, type: "User", $ref: `http://signalbox.test/v1/scim/v2/Users/${third}` }],
    });
    const events = await world.context.db.auditEvent.findMany({
      where: { organizationId: world.organizationId, targetId: id },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ action }) => action)).toEqual(["group.create", ...Array<string>(4).fill("group.update")]);
    expect(events[1]?.after).toMatchObject({ members_added: 3, added: ids });
  });

  it("changes one as Okta asks", async () => {
    const { scim, ids } = await open();
    const [first, second, third] = ids;
    const { id } = await create(scim, okta.createGroup("Ops"));
    await patch(scim, id, okta.replaceMembers(first, second));
    expect(await membersOf(scim, id)).toEqual([first, second]);
    await patch(scim, id, okta.changeMembers(first, third, "x"));
    expect(await membersOf(scim, id)).toEqual([second, third]);
    await patch(scim, id, okta.renameGroup(id, "Operations"));
    const members = [{ value: first }, { value: first }];
    expect(await put(scim, id, { displayName: "Operations", members })).toMatchObject({ members: [{ value: first }] });
    await put(scim, id, { displayName: "Operations" });
    expect(await membersOf(scim, id)).toEqual([first]);
    await remove(scim, id);
    expect(await failure(get(scim, id))).toMatchObject({ status: 404 });
  });

  it("refuses a name in use, unknown members and a version that has passed", async () => {
    const { world, scim, ids } = await open();
    const { organizationId } = world;
    await world.context.db.group.create({ data: { id: uuidv7(NOW), organizationId, name: "By hand" } });
    const { id, meta } = await create(scim, { displayName: "Named" });
    for (const displayName of ["Named", "By hand"])
      expect(await failure(create(scim, { displayName }))).toMatchObject({
        status: 409,
        metadata: { scim_type: "uniqueness" },
      });
    expect(await failure(patch(scim, id, entra.renameGroup("By hand")))).toMatchObject({ status: 409 });
    const stranger = await createMember(await testWorld());
    for (const unknown of [newUserId(), stranger])
      expect(await failure(patch(scim, id, entra.addMembers(ids[0], unknown)))).toMatchObject({ status: 400 });
    expect(await membersOf(scim, id)).toEqual([]);
    const stale = scimContext(world, { ifMatch: [Number(meta?.version?.replaceAll('"', "")) + 1] });
    for (const work of [
      () => put(stale, id, { displayName: "A" }),
      () => patch(stale, id, entra.addMembers(ids[0])),
      () => remove(stale, id),
    ])
      expect(await failure(work())).toMatchObject({ status: 412 });
  });

  it("refuses a name in use in another case, except its own", async () => {
    const { scim } = await open();
    const { id } = await create(scim, { displayName: "Ops_1" });
    expect(await failure(create(scim, { displayName: "OPS_1" }))).toMatchObject({ status: 409 });
    await create(scim, { displayName: "Ops11" });
    expect(await put(scim, id, { displayName: "ops_1" })).toMatchObject({ displayName: "ops_1" });
    expect(await create(scim, { displayName: "n".repeat(256) })).toMatchObject({ displayName: "n".repeat(256) });
  });

  it("leaves a stored name that would be refused", async () => {
    const { world, scim, ids } = await open();
    const { id } = await create(scim, { displayName: "Ops" });
    await world.context.db.group.update({ where: { id }, data: { name: "\u200fOps" } });
    await patch(scim, id, entra.addMembers(ids[0]));
    expect(await membersOf(scim, id)).toEqual([ids[0]]);
  });

  it("loses members that are removed, and ignores them afterwards", async () => {
    const { world, scim, ids } = await open();
    const { id } = await create(scim, { displayName: "G", members: ids.map((value) => ({ value })) });
    const later = { ...world.context, now: new Date(NOW.getTime() + 5) };
    await members.remove(later, { params: { user_id: ids[0] }, query: {}, body: undefined });
    expect(await membersOf(scim, id)).toEqual([ids[1], ids[2]]);
    await put(scim, id, okta.updateGroup(id, "G", ids[0], ids[1]));
    expect(await membersOf(scim, id)).toEqual([ids[1]]);
    await patch(scim, id, entra.addMembers(ids[0], ids[2]));
    expect(await membersOf(scim, id)).toEqual([ids[1], ids[2]]);
    expect(await failure(put(scim, id, okta.updateGroup(id, "G", newUserId())))).toMatchObject({ status: 400 });
  });

  it("changes while a member is being removed", async () => {
    const { world, scim, ids } = await open();
    const { id } = await create(scim, { displayName: "G", members: [{ value: ids[0] }] });
    const changed = await inTransaction(world.context.db, async (db) => {
      await lockMember(db, world.context, ids[0]);
      const result = patch(scim, id, entra.addMembers(...ids));
      result.catch(() => undefined);
      await somethingWaits(world);
      await members.remove({ ...world.context, db }, { params: { user_id: ids[0] }, query: {}, body: undefined });
      return { result };
    });
    await changed.result;
    expect(await membersOf(scim, id)).toEqual([ids[1], ids[2]]);
  });

  it("is invisible to another organization, and groups that admins created are invisible to directories", async () => {
    const { world, scim } = await open();
    const other = scimContext(await testWorld());
    const { id } = await create(scim, { displayName: "G" });
    const byHand = uuidv7(NOW);
    await world.context.db.group.create({
      data: { id: byHand, organizationId: world.organizationId, name: "By hand" },
    });
    for (const [context, unknown] of [
      [other, id],
      [scim, byHand],
    ] as const)
      for (const work of [
        () => get(context, unknown),
        () => put(context, unknown, { displayName: "X" }),
        () => patch(context, unknown, entra.renameGroup("X")),
        () => remove(context, unknown),
      ])
        expect(await failure(work())).toMatchObject({ status: 404 });
    expect((await list(other)).totalResults).toBe(0);
    expect((await list(scim)).Resources.map((group) => group.id)).toEqual([id]);
  });
});

async function manyMembers({ context, organizationId }: World, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newUserId(),
    organizationId,
    email: `${organizationId}-${index}@example.com`,
  }));
  await context.db.member.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

describe("groups", () => {
  it("are found by filters, without their members if wanted", async () => {
    const { scim, ids } = await open();
    const { id } = await create(scim, { displayName: "Alpha", externalId: "A", members: [{ value: ids[0] }] });
    await create(scim, { displayName: "Beta" });
    const names = async (filter: string) =>
      (await list(scim, { filter })).Resources.map(({ displayName }) => displayName);
    expect(await names('displayName eq "alpha"')).toEqual(["Alpha"]);
    expect(await names('displayName eq "a_pha"')).toEqual([]);
    expect(await names('externalId eq "A" or displayName sw "B"')).toEqual(["Alpha", "Beta"]);
    expect(await names(`members[value eq "${ids[0]}"]`)).toEqual(["Alpha"]);
    expect(await names(`id eq "${id}" and members eq "${ids[0]}"`)).toEqual(["Alpha"]);
    expect(await names(`not (members.value eq "${ids[0]}")`)).toEqual(["Beta"]);
    expect(await names('id eq "nonsense"')).toEqual([]);
    expect(await get(scim, id, { excludedAttributes: "members" })).not.toHaveProperty("members");
    const [first] = (await list(scim, { excludedAttributes: "members" })).Resources;
    expect(first).not.toHaveProperty("members");
  });

  it("of 10,000 members are read and changed with few queries, and shorten a page", async () => {
    const { world, scim, ids } = await open();
    const [first, ...others] = await manyMembers(world, 10_001);
    const sizes: (number | undefined)[] = [];
    const fill = async (displayName: string) => {
      const { id } = await create(scim, { displayName });
      sizes.push((await put(scim, id, okta.updateGroup(id, displayName, ...others))).members?.length);
      return id;
    };
    const [id, other] = [await fill("Everybody"), await fill("Everybody else")];
    const started = performance.now();
    await patch(scim, id, entra.addMembers(ids[0]));
    await patch(scim, id, entra.removeMember(ids[0]));
    expect(performance.now() - started).toBeLessThan(5_000);
    await patch(scim, id, entra.addMembers(first ?? ""));
    sizes.push((await get(scim, id)).members?.length);
    expect(sizes).toEqual([10_000, 10_000, 10_001]);
    const page = await list(scim);
    expect(page).toMatchObject({ totalResults: 2, itemsPerPage: 1 });
    expect(await list(scim, { excludedAttributes: "members" })).toMatchObject({ itemsPerPage: 2 });
    const fewer = await put(scim, other, okta.updateGroup(other, "Everybody else", ...others.slice(1)));
    expect(fewer.members).toHaveLength(9_999);
  });
});
