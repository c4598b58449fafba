import { z } from "zod";
import { envelope, operation, Uuid } from "../../platform/http/operation";

import { UserParams } from "../members/contract";
import { PermissionName, RoleReference } from "../roles/contract";

/** A way in which somebody has a permission. */
const PermissionSource = z
  .object({
    role: RoleReference,
    role_name: z.string(),
    group: z
      .object({ id: Uuid, name: z.string() })
      .nullable()
      .meta({ description: "The group that has the role; null for the member's or key's own" }),
    workspace: z
      .object({ id: Uuid, name: z.string() })
      .nullable()
      .meta({ description: "The workspace that the role is for; null for the whole organization" }),
  })
  .meta({ id: "PermissionSource" });
export type PermissionSource = z.output<typeof PermissionSource>;

export const HeldPermissions = z
  .object({
    subject: z.object({ type: z.enum(["member", "key"]), id: z.string(), name: z.string() }),
    permissions: z.array(
      z.object({
        permission: PermissionName,
        description: z.string(),
        sources: z.array(PermissionSource).meta({ description: "Empty for a permission that is missing" }),
      }),
    ),
  })
  .meta({ id: "HeldPermissions" });
export type HeldPermissions = z.output<typeof HeldPermissions>;

export const getAccountPermissions = operation({
  tag: "Account",
  access: "any",
  id: "getAccountPermissions",
  method: "GET",
  path: "/account/permissions",
  summary: "Get the permissions of the calling member or management key, and the roles that give them",
  status: 200,
  result: envelope(HeldPermissions),
});

export const getMemberPermissions = operation({
  tag: "Members",
  access: "management",
  id: "getOrganizationMemberPermissions",
  permission: "members:read",
  method: "GET",
  path: "/organization/members/{user_id}/permissions",
  summary: "Get the permissions of a member, and the roles and groups that give them",
  params: UserParams,
  status: 200,
  result: envelope(HeldPermissions),
});
