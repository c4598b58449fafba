import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page, PageQuery } from "../../platform/http/pagination";
import { newName } from "../../platform/name-contract";
import { MemberProfile } from "../members/contract";
import { RoleReference, WorkspaceRoles } from "../roles/contract";
import { GROUP_SORTS, GROUP_SOURCES, MAX_GROUP_NAME, MOST_CHANGED_MEMBERS } from "./vocabulary";

const GroupFields = z.object({
  name: newName(MAX_GROUP_NAME),
  role: RoleReference.nullable().meta({
    description: "Role of the members for the whole organization, in addition to their own",
  }),
  claim_value: z.string().trim().min(1).max(500).nullable().meta({
    description: "Value of an identity provider's groups claim that makes a member of the group at sign-in",
  }),
  workspace_roles: WorkspaceRoles,
});

export const Group = GroupFields.extend({
  id: Uuid,
  name: z.string(),
  source: z.enum(GROUP_SOURCES).meta({ description: "scim: a directory decides who is a member" }),
  external_id: z.string().nullable().meta({ description: "ID in the directory" }),
  claim_value: z.string().nullable(),
  role_name: z.string().nullable(),
  members: z.number().int().min(0).meta({ description: "Number of members" }),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
}).meta({ id: "Group" });
export type Group = z.output<typeof Group>;

export const CreateGroupBody = z.strictObject({
  ...GroupFields.shape,
  role: GroupFields.shape.role.default(null),
  claim_value: GroupFields.shape.claim_value.default(null),
  workspace_roles: WorkspaceRoles.default([]),
});
export type CreateGroupBody = z.input<typeof CreateGroupBody>;
export const UpdateGroupBody = z.strictObject(GroupFields.partial().shape);
export type UpdateGroupBody = z.output<typeof UpdateGroupBody>;

const GroupMembersBody = z.strictObject({
  user_ids: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(MOST_CHANGED_MEMBERS)
    .refine((ids) => new Set(ids).size === ids.length, "must not contain duplicates"),
});

const groups = { tag: "Groups", access: "management" } as const;
const changing = { ...groups, permission: "roles:write", recentSignIn: true } as const;

export const listGroups = operation({
  ...groups,
  id: "listOrganizationGroups",
  permission: "members:read",
  method: "GET",
  path: "/organization/groups",
  summary: "List the groups of the organization, newest first",
  query: listQuery(GROUP_SORTS, "Search text in the name"),
  status: 200,
  result: page(Group),
});

export const createGroup = operation({
  ...changing,
  id: "createOrganizationGroup",
  method: "POST",
  path: "/organization/groups",
  summary: "Create a group, with roles whose permissions the caller has",
  body: CreateGroupBody,
  status: 201,
  result: envelope(Group),
  errors: [409],
  idempotent: true,
  example: { body: { name: "Search team", role: "org:analyst" } },
});

export const getGroup = operation({
  ...groups,
  id: "getOrganizationGroup",
  permission: "members:read",
  method: "GET",
  path: "/organization/groups/{id}",
  summary: "Get a group",
  params: IdParams,
  status: 200,
  result: envelope(Group),
});

export const updateGroup = operation({
  ...changing,
  id: "updateOrganizationGroup",
  method: "PATCH",
  path: "/organization/groups/{id}",
  summary: "Update the given fields; of a group from a directory, only its roles",
  params: IdParams,
  body: UpdateGroupBody,
  status: 200,
  result: envelope(Group),
  errors: [409],
  example: { body: { role: "org:policy_editor" } },
});

export const deleteGroup = operation({
  ...changing,
  id: "deleteOrganizationGroup",
  method: "DELETE",
  path: "/organization/groups/{id}",
  summary: "Delete a group; its members lose its roles",
  params: IdParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

export const listGroupMembers = operation({
  ...groups,
  id: "listOrganizationGroupMembers",
  permission: "members:read",
  method: "GET",
  path: "/organization/groups/{id}/members",
  summary: "List the members of a group by email address",
  params: IdParams,
  query: PageQuery,
  status: 200,
  result: page(MemberProfile),
});

export const addGroupMembers = operation({
  ...changing,
  id: "addOrganizationGroupMembers",
  method: "POST",
  path: "/organization/groups/{id}/members",
  summary: "Add members to a group, all or nothing",
  params: IdParams,
  body: GroupMembersBody,
  status: 200,
  result: z.object({ added_count: z.number().int().min(0) }),
  errors: [409],
  example: { body: { user_ids: ["user_2dHFtVWx2n56w6HkM0000000000"] } },
});

export const removeGroupMembers = operation({
  ...changing,
  id: "removeOrganizationGroupMembers",
  method: "POST",
  path: "/organization/groups/{id}/members/remove",
  summary: "Remove members from a group",
  params: IdParams,
  body: GroupMembersBody,
  status: 200,
  result: z.object({ removed_count: z.number().int().min(0) }),
  errors: [409],
  example: { body: { user_ids: ["user_2dHFtVWx2n56w6HkM0000000000"] } },
});
