import { z } from "zod";
import { Deleted, envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page } from "../../platform/http/pagination";
import { MEMBER_SORTS, MEMBER_STATUSES, ROLES } from "./vocabulary";

export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address");
export const Password = z.string().min(8, "must have at least 8 characters").max(200);

/** The fields that an admin sets. */
const MemberFields = z.object({
  first_name: z.string().trim().max(100).nullable(),
  last_name: z.string().trim().max(100).nullable(),
  role: z.enum(ROLES),
});

/** Who a member is. */
export const MemberProfile = z
  .object({
    id: z.string(),
    email: z.string(),
    ...MemberFields.shape,
    status: z.enum(MEMBER_STATUSES).meta({ description: "invited = has no password, or none any more" }),
    created_at: Timestamp,
  })
  .meta({ id: "MemberProfile" });

/** With what they may and own. */
export const Member = MemberProfile.extend({
  guardrails: z
    .array(z.object({ workspace_id: Uuid, guardrail_id: Uuid, guardrail_name: z.string() }))
    .meta({ description: "The guardrails assigned to the member, at most one a workspace" }),
  active_keys: z.number().int().min(0).meta({ description: "Keys that removing the member would disable" }),
  open_sessions: z.number().int().min(0).meta({ description: "Browsers in which the member is signed in" }),
}).meta({ id: "Member" });
export type Member = z.output<typeof Member>;

export const CreateMemberBody = z.strictObject({
  ...MemberFields.partial().shape,
  role: MemberFields.shape.role,
  email: Email,
  password: Password.optional().meta({ description: "Without one the answer carries an invitation link" }),
});
export type CreateMemberBody = z.output<typeof CreateMemberBody>;

export const UpdateMemberBody = z.strictObject({ ...MemberFields.partial().shape, password: Password.optional() });
export type UpdateMemberBody = z.output<typeof UpdateMemberBody>;

/** Names that a person gives themselves. */
export const PersonNames = MemberFields.omit({ role: true }).partial();

const UserParams = z.object({ user_id: z.string().regex(/^user_[0-9A-Za-z]{1,64}$/) });
const management = { tag: "Members", access: "management" } as const;

export const ListMembersQuery = listQuery(MEMBER_SORTS, "Part of the name or e-mail address").extend({
  role: z.enum(ROLES).optional(),
  status: z.enum(MEMBER_STATUSES).optional(),
});

export const listMembers = operation({
  ...management,
  id: "listOrganizationMembers",
  method: "GET",
  path: "/organization/members",
  summary: "List the members of the organization, newest first",
  query: ListMembersQuery,
  status: 200,
  result: page(Member),
});

export const createMember = operation({
  ...management,
  id: "createOrganizationMember",
  method: "POST",
  path: "/organization/members",
  summary: "Add a member, with a password or with a one-time invitation link",
  body: CreateMemberBody,
  status: 201,
  result: envelope(Member).extend({
    invite_url: z.url().optional().meta({ description: "Opens once, within 7 days; shown in this answer only" }),
  }),
  idempotent: true,
  example: { body: { email: "grace@example.com", first_name: "Grace", last_name: "Hopper", role: "org:member" } },
});

export const getMember = operation({
  ...management,
  id: "getOrganizationMember",
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
  method: "PATCH",
  path: "/organization/members/{user_id}",
  summary: "Change the fields sent; a new role or password ends the member's other sessions",
  params: UserParams,
  body: UpdateMemberBody,
  status: 200,
  result: envelope(Member),
  errors: [409],
  example: { body: { role: "org:admin" } },
});

export const deleteMember = operation({
  ...management,
  id: "deleteOrganizationMember",
  method: "DELETE",
  path: "/organization/members/{user_id}",
  summary: "Remove a member: sessions and assignments end, their keys are disabled",
  params: UserParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

export const resetMemberPassword = operation({
  ...management,
  id: "resetOrganizationMemberPassword",
  method: "POST",
  path: "/organization/members/{user_id}/password-reset",
  summary:
    "Make a one-time link to choose a password; the old one and every session of the member end, as do older links",
  params: UserParams,
  status: 200,
  result: envelope(Member).extend({
    reset_url: z.url().meta({ description: "Opens once, within 7 days; shown in this answer only" }),
  }),
  errors: [409],
});

export const endMemberSessions = operation({
  ...management,
  id: "endOrganizationMemberSessions",
  method: "DELETE",
  path: "/organization/members/{user_id}/sessions",
  summary: "Sign a member out everywhere, except in the session of this request",
  params: UserParams,
  status: 200,
  result: z.object({ ended_count: z.number().int().min(0) }),
});
