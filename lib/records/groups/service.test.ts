import { beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createMember, createWorkspace, memberCaller, roleGrants } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import { loadGrants } from "../roles/assign-store";
import { grantsOf } from "../roles/grants";
import { CreateGroupBody, type UpdateGroupBody } from "./contract";
import * as permissions from "./permissions-service";
import * as groups from "./service";

const none = { params: {}, query: {} };

let world: World;
beforeEach(async () => {
  world = await testWorld();
});

const create = (context: Context, fields: Partial<CreateGroupBody> = {}) =>
  groups
    .create(context, { ...none, body: CreateGroupBody.parse({ name: "Team", ...fields }) })
    .then(({ data }) => data);
const update = (context: Context, id: string, body: UpdateGroupBody) =>
  groups.update(context, { params: { id }, query: {}, body }).then(({ data }) => data);
const add = (context: Context, id: string, ...user_ids: string[]) =>
  groups.addMembers(context, { params: { id }, query: {}, body: { user_ids } });
const membersOf = async (id: string) =>
  (await groups.listMembers(world.context, { params: { id }, query: { offset: 0, limit: 50 }, body: undefined })).data;

describe("groups", () => {
  it("give their roles to their members", async () => {
    const { context } = world;
    const workspace_id = await createWorkspace(world);
    const group = await create(context, {
      role: "org:analyst",
      workspace_roles: [{ workspace_id, role: "org:policy_editor" }],
    });
    expect(group).toMatchObject({ source: "manual", role_name: "Analyst", members: 0 });
    const id = await createMember(world);
    expect(await add(context, group.id, id)).toEqual({ added_count: 1 });
    expect(await add(context, group.id, id)).toEqual({ added_count: 0 });
    expect((await membersOf(group.id)).map((member) => member.id)).toEqual([id]);
    const { organization, workspaces } = await loadGrants(context.db, { memberId: id });
    expect(organization.has("generations:read")).toBe(true);
    expect(workspaces.get(workspace_id)?.has("guardrails:write")).toBe(true);
    const body = { user_ids: [id] };
    expect(await groups.removeMembers(context, { params: { id: group.id }, query: {}, body })).toEqual({
      removed_count: 1,
    });
    expect((await loadGrants(context.db, { memberId: id })).organization.has("generations:read")).toBe(false);
  });

  it("are listed, changed and deleted", async () => {
    const { context } = world;
    const group = await create(context);
    await create(context, { name: "Other" });
    const query = { offset: 0, limit: 50, q: "tea", sort: undefined };
    expect((await groups.list(context, { params: {}, query, body: undefined })).data).toMatchObject([{ name: "Team" }]);
    expect(await update(context, group.id, { role: "org:billing", claim_value: "finance" })).toMatchObject({
      role: "org:billing",
      claim_value: "finance",
    });
    await expect(update(context, group.id, { name: "Other" })).rejects.toMatchObject({ status: 409 });
    const input = { params: { id: group.id }, query: {}, body: undefined };
    expect(await groups.remove(context, input)).toEqual({ deleted: true });
    await expect(groups.get(context, input)).rejects.toMatchObject({ status: 404 });
  });

  it("reject unknown and foreign members", async () => {
    const { id } = await create(world.context);
    const other = await testWorld();
    await expect(add(world.context, id, other.adminId)).rejects.toMatchObject({
      status: 400,
      metadata: { unknown: [other.adminId] },
    });
    await expect(add(other.context, id, other.adminId)).rejects.toMatchObject({ status: 404 });
  });

  it("from a directory keep its name and members, and get roles here", async () => {
    const { context } = world;
    const { id } = await create(context);
    await context.db.group.update({ where: { id }, data: { source: "scim", externalId: "7" } });
    const member = await createMember(world);
    await expect(add(context, id, member)).rejects.toMatchObject({ status: 409 });
    await expect(update(context, id, { name: "Mine" })).rejects.toMatchObject({ status: 409 });
    const input = { params: { id }, query: {}, body: undefined };
    await expect(groups.remove(context, input)).rejects.toMatchObject({ status: 409 });
    await expect(update(context, id, { claim_value: "team" })).rejects.toMatchObject({ status: 409 });
    const same = { name: "Team", claim_value: null };
    expect(await update(context, id, { ...same, role: "org:analyst" })).toMatchObject({ role: "org:analyst" });
  });

  it("aren't changed by callers who lack their permissions", async () => {
    const { context } = world;
    const { id } = await create(context, { role: "org:owner" });
    const userId = await createMember(world, "admin");
    const admin = { ...context, caller: memberCaller(world, userId, { grants: roleGrants("admin") }) };
    const missing = { status: 403, metadata: { permission: "sign_in:write" } };
    await expect(add(admin, id, userId)).rejects.toMatchObject(missing);
    await expect(update(admin, id, { claim_value: "everybody" })).rejects.toMatchObject(missing);
    await expect(create(admin, { name: "Mine", role: "org:owner" })).rejects.toMatchObject(missing);
    const own = await create(admin, { name: "Mine", role: "org:admin" });
    expect(await add(admin, own.id, userId)).toEqual({ added_count: 1 });
  });
});

describe("permissions", () => {
  it("name the role, the group and the workspace that give them", async () => {
    const { context } = world;
    const workspace_id = await createWorkspace(world);
    const id = await createMember(world);
    const group = await create(context, { workspace_roles: [{ workspace_id, role: "org:auditor" }] });
    await add(context, group.id, id);
    const { data } = await permissions.getOfMember(context, { params: { user_id: id }, query: {}, body: undefined });
    const sourcesOf = (name: string) => data.permissions.find(({ permission }) => permission === name)?.sources;
    expect(sourcesOf("own_keys:write")).toEqual([
      { role: "org:member", role_name: "Developer", group: null, workspace: null },
    ]);
    expect(sourcesOf("contents:read")).toEqual([
      {
        role: "org:auditor",
        role_name: "Auditor",
        group: { id: group.id, name: "Team" },
        workspace: { id: workspace_id, name: "Other" },
      },
    ]);
    // Concerns the whole organization, so a role in a workspace doesn't give it.
    expect(sourcesOf("audit:read")).toEqual([]);
    const caller = memberCaller(world, id, { grants: grantsOf([]) });
    expect((await permissions.getOwn({ ...context, caller })).data.permissions).toEqual(data.permissions);
    const other = await testWorld();
    const foreign = { params: { user_id: id }, query: {}, body: undefined };
    await expect(permissions.getOfMember(other.context, foreign)).rejects.toMatchObject({ status: 404 });
  });
});
