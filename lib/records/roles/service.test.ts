import { beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import type { Permission } from "../../platform/permissions";
import { createKey, createMember, createWorkspace, keyCaller, memberCaller } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import { findKeyCaller } from "../keys/credentials-store";
import * as keys from "../keys/service";
import * as members from "../members/service";
import { NOW } from "../../testing/test-context";
import { CreateKeyBody } from "../keys/contract";
import { CreateMemberBody } from "../members/contract";
import { grantsOf } from "./grants";
import { loadGrants } from "./assign-store";
import * as roles from "./service";

const none = { params: {}, query: {} };

let world: World;
beforeEach(async () => {
  world = await testWorld();
});

/** The context of a member with these permissions. */
async function having(...permissions: Permission[]): Promise<Context & { userId: string }> {
  const userId = await createMember(world);
  const grants = grantsOf([{ role: null, permissions, workspace: null }]);
  return { ...world.context, caller: memberCaller(world, userId, { grants }), userId };
}

const create = (context: Context, name: string, permissions: Permission[]) =>
  roles.create(context, { ...none, body: { name, description: null, permissions } }).then(({ data }) => data);

const lacking = (permission: Permission) =>
  expect.objectContaining({ status: 403, metadata: { permission } }) as unknown as Error;

const updateMember = (context: Context, user_id: string, body: Parameters<typeof members.update>[1]["body"]) =>
  members.update(context, { params: { user_id }, query: {}, body });

describe("custom roles", () => {
  it("are created, listed after the built-in ones, changed and deleted", async () => {
    const { context } = world;
    const role = await create(context, "Dashboard", ["analytics:read"]);
    expect(role).toMatchObject({ name: "Dashboard", is_built_in: false, holders: 0 });
    const { data } = await roles.list(context);
    expect(data.map(({ id }) => id)).toEqual([
      "org:owner",
      "org:admin",
      "org:policy_editor",
      "org:member",
      "org:analyst",
      "org:auditor",
      "org:billing",
      role.id,
    ]);
    expect(data[0]).toMatchObject({ name: "Owner", is_built_in: true, holders: 1 });
    const params = { id: role.id };
    const changed = await roles.update(context, { params, query: {}, body: { permissions: ["budgets:read"] } });
    expect(changed.data).toMatchObject({ name: "Dashboard", permissions: ["budgets:read"] });
    expect(await roles.remove(context, { params, query: {}, body: undefined })).toEqual({ deleted: true });
    await expect(roles.get(context, { params, query: {}, body: undefined })).rejects.toMatchObject({ status: 404 });
  });

  it("have unique names", async () => {
    await create(world.context, "Dashboard", []);
    await expect(create(world.context, "Dashboard", [])).rejects.toMatchObject({ status: 409 });
  });

  it("are not deleted while somebody has them", async () => {
    const { context } = world;
    const role = await create(context, "Dashboard", ["analytics:read"]);
    const id = await createMember(world);
    await updateMember(context, id, { role: role.id });
    const input = { params: { id: role.id }, query: {}, body: undefined };
    await expect(roles.remove(context, input)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("1 member") as string,
      metadata: { holders: { members: 1, groups: 0, keys: 0, workspace_roles: 0 } },
    });
    await updateMember(context, id, { role: "org:member" });
    expect(await roles.remove(context, input)).toEqual({ deleted: true });
  });

  it("are deleted when only removed members, deleted keys and deleted workspaces had them", async () => {
    const { context } = world;
    const role = await create(context, "Dashboard", ["analytics:read"]);
    const deleted = await createWorkspace(world);
    const inWorkspace = (workspace_id: string) => [{ workspace_id, role: role.id }];
    const [gone, stays] = [await createMember(world), await createMember(world)];
    await updateMember(context, gone, { workspace_roles: inWorkspace(world.workspaceId) });
    await updateMember(context, stays, { workspace_roles: inWorkspace(deleted) });
    const body = CreateKeyBody.parse({
      name: "Key",
      kind: "management",
      role: "org:member",
      workspace_roles: inWorkspace(world.workspaceId),
    });
    const key = await keys.create(context, { ...none, body });
    const input = { params: { id: role.id }, query: {}, body: undefined };
    await expect(roles.remove(context, input)).rejects.toMatchObject({
      metadata: { holders: { members: 0, groups: 0, keys: 0, workspace_roles: 3 } },
    });
    await members.remove(context, { params: { user_id: gone }, query: {}, body: undefined });
    await keys.remove(context, { params: { hash: key.data.hash }, query: {}, body: undefined });
    expect(await context.db.workspaceRole.count({ where: { customRoleId: role.id } })).toBe(1);
    await context.db.workspace.update({ where: { id: deleted }, data: { deletedAt: NOW } });
    expect((await loadGrants(context.db, { memberId: stays })).workspaces.size).toBe(0);
    expect((await roles.get(context, input)).data.holders).toBe(0);
    expect(await roles.remove(context, input)).toEqual({ deleted: true });
  });

  it("of another organization don't exist", async () => {
    const other = await testWorld();
    const role = await create(other.context, "Theirs", []);
    const id = await createMember(world);
    await expect(updateMember(world.context, id, { role: role.id })).rejects.toMatchObject({ status: 400 });
    const input = { params: { id: role.id }, query: {}, body: {} };
    await expect(roles.update(world.context, input)).rejects.toMatchObject({ status: 404 });
  });
});

describe("nobody gives more than they have:", () => {
  it("a role", async () => {
    const editor = await having("roles:write", "analytics:read");
    await create(editor, "Analytics", ["analytics:read"]);
    await expect(create(editor, "Audit", ["analytics:read", "audit:read"])).rejects.toEqual(lacking("audit:read"));
    const role = await create(world.context, "Auditors", ["audit:read"]);
    const input = { params: { id: role.id }, query: {}, body: { permissions: [] } };
    await expect(roles.update(editor, input)).rejects.toEqual(lacking("audit:read"));
  });

  it("the role of a member", async () => {
    const editor = await having("roles:write", "members:write", "analytics:read", "presets:read", "own_keys:write");
    const id = await createMember(world);
    await expect(updateMember(editor, id, { role: "org:admin" })).rejects.toEqual(lacking("guardrails:read"));
    await expect(updateMember(editor, editor.userId, { role: "org:owner" })).rejects.toMatchObject({ status: 403 });
    const writer = await having("members:write", "presets:read", "own_keys:write", "analytics:read");
    const role = await create(world.context, "Analytics", ["analytics:read"]);
    await expect(updateMember(writer, id, { role: role.id })).rejects.toEqual(lacking("roles:write"));
    expect((await updateMember(editor, id, { role: role.id })).data).toMatchObject({
      role: role.id,
      role_name: "Analytics",
    });
    const body = CreateMemberBody.parse({ email: "ada@example.com", role: "org:admin" });
    await expect(members.create(editor, { ...none, body }, { passwordHash: null })).rejects.toMatchObject({
      status: 403,
    });
  });

  it("the password, second factor and removal of a member who may do more", async () => {
    const writer = await having("members:write");
    const admin = await createMember(world, "admin");
    const input = { params: { user_id: admin }, query: {}, body: undefined };
    await expect(members.resetPassword(writer, input)).rejects.toMatchObject({ status: 403 });
    await expect(members.resetSecondFactor(writer, input)).rejects.toMatchObject({ status: 403 });
    await expect(members.remove(writer, input)).rejects.toMatchObject({ status: 403 });
    await expect(updateMember(writer, admin, { password: "correct horse" })).rejects.toMatchObject({ status: 403 });
    expect((await updateMember(writer, admin, { first_name: "Ada" })).data.first_name).toBe("Ada");
  });

  it("the roles of a management key, and its text", async () => {
    const writer = await having("keys:write", "analytics:read");
    const body = CreateKeyBody.parse({ name: "Key", kind: "management" });
    await expect(keys.create(writer, { ...none, body })).rejects.toMatchObject({ status: 403 });
    const role = await create(world.context, "Analytics", ["analytics:read"]);
    const { data, key } = await keys.create(writer, { ...none, body: { ...body, role: role.id } });
    expect(data.role).toBe(role.id);
    const caller = await findKeyCaller(world.context.db, key, NOW);
    expect([...(caller?.grants.organization ?? [])]).toEqual(["analytics:read"]);
    const { hash } = await createKey(world, { kind: "management" });
    const rotation = { params: { hash }, query: {}, body: { grace_seconds: 0 } };
    await expect(keys.rotate(writer, rotation)).rejects.toMatchObject({ status: 403 });
    const change = { params: { hash: data.hash }, query: {}, body: { role: null } };
    await expect(keys.update(writer, change)).rejects.toMatchObject({ status: 403 });
  });
});

describe("owners", () => {
  it("are made and removed by owners alone", async () => {
    const admin = {
      ...world.context,
      caller: memberCaller(world, await createMember(world, "admin"), {
        grants: grantsOf([{ role: "admin", permissions: null, workspace: null }]),
      }),
    };
    const id = await createMember(world);
    await expect(updateMember(admin, id, { role: "org:owner" })).rejects.toEqual(lacking("sign_in:write"));
    await updateMember(world.context, id, { role: "org:owner" });
    await expect(updateMember(admin, id, { role: "org:member" })).rejects.toEqual(lacking("sign_in:write"));
    await updateMember(world.context, id, { role: "org:member" });
  });

  it("don't exist in an organization that was updated: its admins may do what owners may, until there is one", async () => {
    const { context, adminId } = world;
    await context.db.member.update({ where: { id: adminId }, data: { role: "admin" } });
    const second = await createMember(world, "admin");
    await context.db.member.update({ where: { id: second }, data: { providerSignInAt: NOW } });
    const { id: keyId } = await createKey(world, { kind: "management" });
    const mayAll = async () => [
      (await loadGrants(context.db, { memberId: second })).organization.has("sign_in:write"),
      (await loadGrants(context.db, { keyId })).organization.has("sign_in:write"),
    ];
    expect(await mayAll()).toEqual([true, true]);
    const invited = await createMember(world);
    await updateMember(context, invited, { role: "org:owner" });
    expect(await mayAll()).toEqual([true, true]);
    await updateMember(context, adminId, { role: "org:owner" });
    expect(await mayAll()).toEqual([false, false]);
    await expect(updateMember(context, adminId, { role: "org:admin" })).rejects.toMatchObject({ status: 409 });
  });
});

describe("an owner whose password was reset", () => {
  it("remains the only owner: admins don't get an owner's permissions", async () => {
    const { context, adminId: owner } = world;
    await context.db.member.update({ where: { id: owner }, data: { passwordHash: "set", providerSignInAt: null } });
    const admin = await createMember(world, "admin");
    const { id: keyId } = await createKey(world, { kind: "management", role: "owner" });
    const caller = { ...keyCaller(world, keyId, "management"), grants: await loadGrants(context.db, { keyId }) };
    await members.resetPassword({ ...context, caller }, { params: { user_id: owner }, query: {}, body: undefined });
    const grants = await loadGrants(context.db, { memberId: admin });
    expect(grants.organization.has("sign_in:write")).toBe(false);
    const asAdmin = { ...context, caller: memberCaller(world, admin, { grants }) };
    await expect(updateMember(asAdmin, admin, { role: "org:owner" })).rejects.toEqual(lacking("sign_in:write"));
    await expect(updateMember(asAdmin, owner, { role: "org:member" })).rejects.toMatchObject({ status: 409 });
  });
});

describe("workspace roles", () => {
  it("are set for members and management keys, and must name workspaces and roles of the organization", async () => {
    const { context } = world;
    const workspace_id = await createWorkspace(world);
    const id = await createMember(world);
    const workspace_roles = [{ workspace_id, role: "org:admin" as const }];
    expect((await updateMember(context, id, { workspace_roles })).data.workspace_roles).toEqual(workspace_roles);
    const { workspaces } = await loadGrants(context.db, { memberId: id });
    expect(workspaces.get(workspace_id)?.has("guardrails:write")).toBe(true);
    expect(workspaces.get(workspace_id)?.has("members:write")).toBe(false);
    const other = await testWorld();
    const foreign = [{ workspace_id: other.workspaceId, role: "org:admin" as const }];
    await expect(updateMember(context, id, { workspace_roles: foreign })).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [expect.objectContaining({ path: ["workspace_roles", 0, "workspace_id"] })] },
    });
    const given = { name: "Key", kind: "management" as const, workspace_roles };
    expect(CreateKeyBody.safeParse(given).success).toBe(false);
    const body = CreateKeyBody.parse({ ...given, role: "org:member" });
    expect((await keys.create(context, { ...none, body })).data).toMatchObject({ role: "org:member", workspace_roles });
  });
});
