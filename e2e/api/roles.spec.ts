import type { Permission } from "../../lib/platform/permissions";
import { PERMISSION_NAMES } from "../../lib/platform/permissions";
import { addGroupMembers, createGroup, updateGroup } from "../../lib/records/groups/contract";
import { getAccountPermissions, getMemberPermissions } from "../../lib/records/groups/permissions-contract";
import { createGuardrail, getGuardrail, listGuardrails } from "../../lib/records/guardrails/contract";
import { createKey, updateKey } from "../../lib/records/keys/contract";
import { listMembers, updateMember } from "../../lib/records/members/contract";
import { createRole, deleteRole, listRoles, updateRole } from "../../lib/records/roles/contract";
import { BUILT_IN_ROLES, ROLES } from "../../lib/records/roles/vocabulary";
import { alternatives, operations } from "../../lib/server/operations";
import type { Api } from "../api-client";
import { forEachOperation } from "../each-operation";
import { expect, test } from "../fixtures";
import { acceptable, operationsOnOneThing } from "../unknown-things";
import { createWorld, unique } from "../world";

const guarded = [...operations, ...alternatives].flatMap((operation) =>
  operation.permission === undefined ? [] : [{ operation, permission: operation.permission }],
);

/** Creates a management key with a role. */
const keyOf = async (api: Api, role: string, workspace_roles: { workspace_id: string; role: string }[] = []) =>
  api.call(createKey, { body: { name: unique("role"), kind: "management", role, workspace_roles } });

const permits = (role: (typeof ROLES)[number], permission: Permission) =>
  (BUILT_IN_ROLES[role].permissions as readonly string[]).includes(permission);

for (const role of ROLES)
  test(`a management key with ${role} gets a 403 exactly where the role lacks the permission`, async ({ api }) => {
    const { key } = await keyOf(api, role);
    const refused = guarded.filter(({ permission }) => !permits(role, permission));
    const denied = refused.map(({ operation }) => operation);
    expect(denied.length > 0).toBe(role !== "org:owner");
    for (const operation of denied) {
      const { message, metadata } = await api.refuse(operation, 403, acceptable(operation), { as: key });
      expect(metadata["permission"], operation.id).toBe(operation.permission);
      expect(message, operation.id).toContain(operation.permission);
    }
    // Only reads and requests about objects that don't exist, because the others change what other tests use.
    const harmless = guarded.filter(
      ({ operation, permission }) =>
        permits(role, permission) && (operation.method === "GET" || operationsOnOneThing.includes(operation)),
    );
    await forEachOperation(
      harmless.map(({ operation }) => operation),
      async (operation) => {
        const { status } = await api.send(operation, acceptable(operation), { as: key });
        expect(status, operation.id).not.toBe(403);
      },
    );
  });

test("a key explains its permissions, and a member's name roles and groups", async ({ api, world }) => {
  const { key, data } = await keyOf(api, "org:billing");
  const { data: own } = await api.as(key).call(getAccountPermissions, {});
  expect(own.subject).toEqual({ type: "key", id: data.id, name: data.name });
  const held = own.permissions.filter(({ sources }) => sources.length > 0).map(({ permission }) => permission);
  expect(held).toEqual(PERMISSION_NAMES.filter((permission) => permits("org:billing", permission)));

  const member = await world.member();
  const { data: group } = await api.call(createGroup, { body: { name: unique("group"), role: "org:analyst" } });
  await api.call(addGroupMembers, { params: { id: group.id }, body: { user_ids: [member.id] } });
  const { data: theirs } = await api.call(getMemberPermissions, { params: { user_id: member.id } });
  const [source] = theirs.permissions.find(({ permission }) => permission === "analytics:read")?.sources ?? [];
  expect(source).toMatchObject({ role: "org:analyst", group: { id: group.id, name: group.name }, workspace: null });
});

test("a change of a role acts within a second; a role in use stays", async ({ api }) => {
  const { data: role } = await api.call(createRole, { body: { name: unique("role"), permissions: ["members:read"] } });
  const { key, data } = await keyOf(api, role.id);
  await api.as(key).call(listMembers, {});
  await api.call(updateRole, { params: { id: role.id }, body: { permissions: [] } });
  await expect.poll(async () => (await api.send(listMembers, {}, { as: key })).status, { timeout: 2_000 }).toBe(403);
  await api.refuse(deleteRole, 409, { params: { id: role.id } });
  await api.call(updateKey, { params: { hash: data.hash }, body: { role: "org:analyst" } });
  await api.call(deleteRole, { params: { id: role.id } });
});

test("nobody gives more than they have", async ({ api, world }) => {
  const { data: role } = await api.call(createRole, {
    body: { name: unique("role"), permissions: ["roles:write", "members:write", "members:read", "keys:write"] },
  });
  const { key } = await keyOf(api, role.id);
  const own = api.as(key);
  const member = await world.member();
  const refused = async (answer: Promise<{ metadata: Record<string, unknown> }>, permission: Permission) =>
    expect((await answer).metadata["permission"]).toBe(permission);
  const body = { name: unique("role"), permissions: ["members:read", "audit:read"] as Permission[] };
  await refused(own.refuse(createRole, 403, { body }), "audit:read");
  const params = { user_id: member.id };
  await refused(own.refuse(updateMember, 403, { params, body: { role: "org:admin" } }), "presets:read");
  await refused(own.refuse(createKey, 403, { body: { name: unique("key"), kind: "management" } }), "guardrails:read");
  await refused(
    own.refuse(createGroup, 403, { body: { name: unique("group"), role: "org:auditor" } }),
    "guardrails:read",
  );
  const { data: group } = await own.call(createGroup, { body: { name: unique("group"), role: role.id } });
  await refused(
    own.refuse(updateGroup, 403, { params: { id: group.id }, body: { role: "org:owner" } }),
    "guardrails:read",
  );
  expect((await own.call(listRoles, {})).data.map(({ id }) => id)).toContain(role.id);
});

test("a role in a workspace reaches that workspace alone", async ({ api, world }) => {
  const other = await createWorld(api);
  const { data: nothing } = await api.call(createRole, { body: { name: unique("nothing"), permissions: [] } });
  const { key } = await keyOf(api, nothing.id, [{ workspace_id: world.workspaceId, role: "org:policy_editor" }]);
  const own = api.as(key);
  const [mine, foreign] = await Promise.all([world.guardrail(), other.guardrail()]);
  const { data } = await own.call(listGuardrails, { query: { workspace_id: "all" } });
  expect(data.map(({ workspace_id }) => workspace_id).every((id) => id === world.workspaceId)).toBe(true);
  await own.call(getGuardrail, { params: { id: mine.id } });
  await own.refuse(getGuardrail, 404, { params: { id: foreign.id } });
  await own.call(createGuardrail, { body: { name: unique("own"), workspace_id: world.workspaceId } });
  await own.refuse(createGuardrail, 400, { body: { name: unique("theirs"), workspace_id: other.workspaceId } });
  await own.refuse(createGuardrail, 403, { body: { name: unique("default") } });
  // Concerns the whole organization.
  await own.refuse(listMembers, 403, {});
});
