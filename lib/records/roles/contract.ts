import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { newName } from "../../platform/name-contract";
import { PERMISSION_NAMES } from "../../platform/permissions";
import { MOST_WORKSPACE_ROLES, ROLES } from "./vocabulary";

/** A role on the wire: the slug of a built-in one, or the id of a custom one. */
export const RoleReference = z
  .union([z.enum(ROLES), Uuid])
  .meta({ id: "RoleReference", description: "The slug of a built-in role, or the ID of a custom one" });
export type RoleReference = z.output<typeof RoleReference>;

export const PermissionName = z.enum(PERMISSION_NAMES).meta({ id: "Permission" });

export const WorkspaceRole = z
  .strictObject({ workspace_id: Uuid, role: RoleReference })
  .meta({ id: "WorkspaceRole", description: "A role in one workspace" });
export type WorkspaceRole = z.output<typeof WorkspaceRole>;

/** Roles in single workspaces, in addition to the role for the organization. */
export const WorkspaceRoles = z
  .array(WorkspaceRole)
  .max(MOST_WORKSPACE_ROLES)
  .refine(
    (roles) => new Set(roles.map(({ workspace_id }) => workspace_id)).size === roles.length,
    "must have at most one role for each workspace",
  )
  .meta({ description: "Roles in single workspaces, in addition to the role for the organization" });

const RoleFields = z.object({
  name: newName(100),
  description: z.string().trim().max(500).nullable(),
  permissions: z
    .array(PermissionName)
    .max(PERMISSION_NAMES.length)
    .refine((names) => new Set(names).size === names.length, "must not contain duplicates"),
});

export const Role = RoleFields.extend({
  id: RoleReference,
  name: z.string(),
  description: z.string().nullable(),
  is_built_in: z.boolean().meta({ description: "Built-in roles can't be changed or deleted" }),
  holders: z
    .number()
    .int()
    .min(0)
    .meta({ description: "Number of members, groups and management keys that have the role, in a workspace included" }),
  created_at: Timestamp.nullable(),
  updated_at: Timestamp.nullable(),
}).meta({ id: "Role" });
export type Role = z.output<typeof Role>;

export const CreateRoleBody = z.strictObject({
  ...RoleFields.shape,
  description: RoleFields.shape.description.default(null),
});
export type CreateRoleBody = z.input<typeof CreateRoleBody>;
export const UpdateRoleBody = z.strictObject(RoleFields.partial().shape);
export type UpdateRoleBody = z.output<typeof UpdateRoleBody>;

const RoleParams = z.object({ id: RoleReference });
const roles = { tag: "Roles", access: "management" } as const;

export const listRoles = operation({
  ...roles,
  id: "listOrganizationRoles",
  permission: "members:read",
  method: "GET",
  path: "/organization/roles",
  summary: "List the built-in and custom roles",
  status: 200,
  result: z.object({ data: z.array(Role) }),
});

export const createRole = operation({
  ...roles,
  id: "createOrganizationRole",
  permission: "roles:write",
  recentSignIn: true,
  method: "POST",
  path: "/organization/roles",
  summary: "Create a role with permissions that the caller has",
  body: CreateRoleBody,
  status: 201,
  result: envelope(Role),
  errors: [409],
  idempotent: true,
  example: {
    body: { name: "Dashboard", description: "Usage in a dashboard", permissions: ["analytics:read", "budgets:read"] },
  },
});

export const getRole = operation({
  ...roles,
  id: "getOrganizationRole",
  permission: "members:read",
  method: "GET",
  path: "/organization/roles/{id}",
  summary: "Get a role by its slug or ID",
  params: RoleParams,
  status: 200,
  result: envelope(Role),
});

export const updateRole = operation({
  ...roles,
  id: "updateOrganizationRole",
  permission: "roles:write",
  recentSignIn: true,
  method: "PATCH",
  path: "/organization/roles/{id}",
  summary: "Update the given fields of a custom role; whoever has it has the new permissions within a second",
  params: IdParams,
  body: UpdateRoleBody,
  status: 200,
  result: envelope(Role),
  errors: [409],
  example: { body: { permissions: ["analytics:read", "budgets:read", "keys:read"] } },
});

export const deleteRole = operation({
  ...roles,
  id: "deleteOrganizationRole",
  permission: "roles:write",
  recentSignIn: true,
  method: "DELETE",
  path: "/organization/roles/{id}",
  summary: "Delete a custom role that nobody has",
  params: IdParams,
  status: 200,
  result: Deleted,
  errors: [409],
});
