import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { Member, MemberProfile, PersonNames } from "../members/contract";
import { Password } from "../../platform/account-contract";

/** A browser session. */
const SignedInBrowser = z.object({
  id: Uuid,
  created_at: Timestamp.meta({ description: "Time of sign-in" }),
  last_seen_at: Timestamp.meta({ description: "Time of its last request, accurate to five minutes" }),
  ip: z.string().nullable().meta({ description: "Address used to sign in" }),
  user_agent: z.string().nullable(),
  is_current: z.boolean().meta({ description: "Whether this is the session of the request" }),
});

export const AccountSession = SignedInBrowser.meta({ id: "AccountSession" });
export type AccountSession = z.output<typeof AccountSession>;

export const OrganizationSession = SignedInBrowser.extend({
  user: Member.pick({ id: true, email: true, first_name: true, last_name: true }),
}).meta({ id: "OrganizationSession" });
export type OrganizationSession = z.output<typeof OrganizationSession>;

export const UpdateAccountBody = z.strictObject(PersonNames.shape);

export const ChangePasswordBody = z.strictObject({
  current_password: z.string().min(1).max(200),
  new_password: Password,
});
export type ChangePasswordBody = z.output<typeof ChangePasswordBody>;

const SessionsEnded = z.object({
  sessions_ended: z.number().int().min(0).meta({ description: "Number of other sessions that were ended" }),
});

/** Operations on the signed-in member; keys have no account. */
const own = { tag: "Account", access: "session", status: 200 } as const;
const management = { tag: "Sessions", access: "management", status: 200 } as const;

export const updateAccount = operation({
  ...own,
  id: "updateAccount",
  method: "PATCH",
  path: "/account",
  summary: "Update the signed-in member's own name",
  body: UpdateAccountBody,
  result: envelope(MemberProfile),
  example: { body: { first_name: "Grace", last_name: "Hopper" } },
});

export const changePassword = operation({
  ...own,
  id: "changePassword",
  allowsFirstPassword: true,
  method: "POST",
  path: "/account/password",
  summary: "Change the signed-in member's own password; ends their other sessions",
  body: ChangePasswordBody,
  inspected: true,
  errors: [429],
  result: envelope(SessionsEnded),
  example: { body: { current_password: "correct horse battery", new_password: "staple battery horse" } },
});

export const listAccountSessions = operation({
  ...own,
  id: "listAccountSessions",
  method: "GET",
  path: "/account/sessions",
  summary: "List the signed-in member's sessions, most recent first, at most 100",
  result: z.object({ data: z.array(AccountSession) }),
});

export const deleteOtherAccountSessions = operation({
  ...own,
  id: "deleteOtherAccountSessions",
  method: "DELETE",
  path: "/account/sessions",
  summary: "Sign out everywhere else",
  result: envelope(SessionsEnded),
});

export const deleteAccountSession = operation({
  ...own,
  id: "deleteAccountSession",
  method: "DELETE",
  path: "/account/sessions/{id}",
  summary: "End one of the signed-in member's own sessions",
  params: IdParams,
  result: Deleted,
});

export const listOrganizationSessions = operation({
  ...management,
  id: "listOrganizationSessions",
  permission: "members:read",
  method: "GET",
  path: "/organization/sessions",
  summary: "List the members' sessions, most recent first",
  query: PageQuery,
  result: page(OrganizationSession),
});

export const deleteOrganizationSession = operation({
  ...management,
  id: "deleteOrganizationSession",
  permission: "members:write",
  method: "DELETE",
  path: "/organization/sessions/{id}",
  summary: "End a member's session",
  params: IdParams,
  result: Deleted,
});
