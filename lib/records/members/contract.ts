import { z } from "zod";
import { Deleted, envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { Email, Password } from "../../platform/account-contract";
import { listQuery, page } from "../../platform/http/pagination";
import { RangeSpend, SpendRange } from "../generations/spend-contract";
import { TagFilter, Tags } from "../tags/contract";
import { RoleReference, WorkspaceRoles } from "../roles/contract";
import { MEMBER_SORTS, MEMBER_STATUSES } from "./vocabulary";
import { newName } from "../../platform/name-contract";

/** The fields that an admin sets. */
const MemberFields = z.object({
  first_name: newName(100, 0).nullable(),
  last_name: newName(100, 0).nullable(),
  role: RoleReference,
  tags: Tags,
});

/** A member's identity. */
export const MemberProfile = z
  .object({
    id: z.string(),
    email: z.string(),
    ...MemberFields.shape,
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    status: z.enum(MEMBER_STATUSES).meta({
      description:
        "invited: has no password yet, or it was reset, and hasn't signed in with an identity provider; deactivated: keeps everything, but neither the member nor their keys have access",
    }),
    external_id: z.string().nullable().meta({ description: "Id of the member in the directory" }),
    is_provisioned: z.boolean().meta({ description: "Whether a directory decides about the member by SCIM" }),
    created_at: Timestamp,
  })
  .meta({ id: "MemberProfile" });

/** A member with role, assignments and keys. */
export const Member = MemberProfile.extend({
  role_name: z.string(),
  workspace_roles: WorkspaceRoles,
  groups: z.array(z.object({ id: Uuid, name: z.string() })).meta({ description: "Groups of the member, by name" }),
  guardrails: z
    .array(z.object({ workspace_id: Uuid, guardrail_id: Uuid, guardrail_name: z.string() }))
    .meta({ description: "Guardrails assigned to the member, at most one per workspace" }),
  active_keys: z.number().int().min(0).meta({ description: "Number of keys that removing the member would disable" }),
  totp_enabled: z.boolean().meta({ description: "Whether sign-in with a password requires a code" }),
  passkeys: z.number().int().min(0).meta({ description: "Number of passkeys that the member can sign in with" }),
  open_sessions: z.number().int().min(0).meta({ description: "Number of browsers the member is signed in with" }),
  range_spend: RangeSpend.optional().meta({ description: "Of the member's keys; in lists with a `range`" }),
}).meta({ id: "Member" });
export type Member = z.output<typeof Member>;

export const CreateMemberBody = z.strictObject({
  ...MemberFields.partial().shape,
  role: MemberFields.shape.role,
  workspace_roles: WorkspaceRoles.optional(),
  email: Email,
  password: Password.optional().meta({
    description:
      "Must be changed at first sign-in. Without a password, the response contains an invitation link, unless members sign in with an identity provider",
  }),
});
export type CreateMemberBody = z.output<typeof CreateMemberBody>;

export const UpdateMemberBody = z.strictObject({
  ...MemberFields.partial().shape,
  workspace_roles: WorkspaceRoles.optional(),
  active: z.boolean().optional().meta({
    description:
      "false ends the member's sessions and stops their keys until it is true again. Not for members of a directory",
  }),
  password: Password.optional().meta({
    description: "Must be changed at the next sign-in. Not for the caller's own password",
  }),
});
export type UpdateMemberBody = z.output<typeof UpdateMemberBody>;

/** Name fields that members may change. */
export const PersonNames = MemberFields.omit({ role: true, tags: true }).partial();

export const UserParams = z.object({ user_id: z.string().regex(/^user_[0-9A-Za-z]{1,64}$/) });
const management = { tag: "Members", access: "management" } as const;

export const ListMembersQuery = listQuery(MEMBER_SORTS, "Search text in name and email address").extend({
  role: RoleReference.optional(),
  status: z.enum(MEMBER_STATUSES).optional(),
  tag: TagFilter.meta({ description: "Members with this tag" }),
  range: SpendRange,
});

export const listMembers = operation({
  ...management,
  id: "listOrganizationMembers",
  permission: "members:read",
  method: "GET",
  path: "/organization/members",
  summary: "List the members of the organization, newest first",
  query: ListMembersQuery,
  status: 200,
  result: page(Member),
});

const Emailed = z.boolean().meta({ description: "Whether the member gets an email: needs a mail server" });

export const createMember = operation({
  ...management,
  id: "createOrganizationMember",
  permission: "members:write",
  recentSignIn: true,
  method: "POST",
  path: "/organization/members",
  summary: "Add a member, with a password or with a one-time invitation link",
  body: CreateMemberBody,
  inspected: true,
  status: 201,
  result: envelope(Member).extend({
    invite_url: z.url().optional().meta({
      description:
        "Works once within 7 days; shown only in this response. Absent if the member can sign in only with an identity provider",
    }),
    emailed: Emailed,
  }),
  idempotent: true,
  example: { body: { email: "grace@example.com", first_name: "Grace", last_name: "Hopper", role: "org:member" } },
});

export const getMember = operation({
  ...management,
  id: "getOrganizationMember",
  permission: "members:read",
  method: "GET",
  path: "/organization/members/{user_id}",
  summary: "Get a member",
  params: UserParams,
  status: 200,
  result: envelope(Member),
});

export const updateMember = operation({
  ...management,
  id: "updateOrganizationMember",
  permission: "members:write",
  recentSignIn: true,
  method: "PATCH",
  path: "/organization/members/{user_id}",
  summary: "Update the given fields; a new role or password ends the member's other sessions, deactivation all of them",
  params: UserParams,
  body: UpdateMemberBody,
  inspected: true,
  status: 200,
  result: envelope(Member),
  errors: [409],
  example: { body: { role: "org:admin" } },
});

export const deleteMember = operation({
  ...management,
  id: "deleteOrganizationMember",
  permission: "members:write",
  recentSignIn: true,
  method: "DELETE",
  path: "/organization/members/{user_id}",
  summary: "Remove a member: ends their sessions and assignments and disables their keys",
  params: UserParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

export const resetMemberPassword = operation({
  ...management,
  id: "resetOrganizationMemberPassword",
  permission: "members:write",
  recentSignIn: true,
  method: "POST",
  path: "/organization/members/{user_id}/password-reset",
  summary: "Reset a member's password: returns a one-time link, and ends their password, sessions and earlier links",
  params: UserParams,
  status: 200,
  result: envelope(Member).extend({
    reset_url: z.url().meta({ description: "Works once within 7 days; shown only in this response" }),
    emailed: Emailed,
  }),
  errors: [409],
});

export const resetSecondFactor = operation({
  ...management,
  id: "resetOrganizationMemberSecondFactor",
  permission: "members:write",
  recentSignIn: true,
  method: "DELETE",
  path: "/organization/members/{user_id}/second-factor",
  summary: "Remove a member's authenticator app, recovery codes and passkeys, and sign them out everywhere",
  params: UserParams,
  status: 200,
  result: envelope(Member),
  errors: [409],
});

export const endMemberSessions = operation({
  ...management,
  id: "endOrganizationMemberSessions",
  permission: "members:write",
  method: "DELETE",
  path: "/organization/members/{user_id}/sessions",
  summary: "Sign a member out everywhere, except the session of this request",
  params: UserParams,
  status: 200,
  result: z.object({ ended_count: z.number().int().min(0) }),
});
