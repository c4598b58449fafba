import { z } from "zod";
import { Deleted, envelope, operation, Uuid } from "../../platform/http/operation";
import { KeySelfService } from "../keys/contract";
import { PermissionName } from "../roles/contract";
import { Member, PersonNames } from "../members/contract";
import { Password } from "../../platform/account-contract";
import { PASSWORD_SIGN_IN } from "../sign-in-connections/vocabulary";
import { PasskeyAnswer, PasskeyOptions, SecondFactorCode } from "./factors-contract";

/** The signed-in member, and the install settings that the console needs. */
export const Session = z
  .object({
    user: Member.pick({ id: true, email: true, first_name: true, last_name: true, role: true, role_name: true }),
    permissions: z.array(PermissionName).meta({ description: "Permissions for the whole organization" }),
    workspace_permissions: z
      .array(z.object({ workspace_id: Uuid, permissions: z.array(PermissionName) }))
      .meta({ description: "Further permissions in single workspaces" }),
    organization: z.object({ id: Uuid, name: z.string() }),
    workspace_id: Uuid.meta({ description: "The default workspace" }),
    connection: z.object({ id: Uuid, name: z.string() }).nullable().meta({
      description: "The identity provider that the member signed in with; null: by password or passkey",
    }),
    password_sign_in: z.enum(PASSWORD_SIGN_IN).meta({ description: "Who of the organization may sign in by password" }),
    must_change_password: z.boolean().meta({
      description: "The password was chosen by somebody else: every other operation is refused until it is changed",
    }),
    key_self_service: KeySelfService.nullable().meta({
      description: "Caps within which a member creates their own keys; null: members can't",
    }),
    zdr_vendors: z
      .array(z.string())
      .length(3)
      .meta({ description: "Vendors of the zero data retention switches a, b and c" }),
  })
  .meta({ id: "Session" });
export type Session = z.output<typeof Session>;

export const CreateSessionBody = z.strictObject({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(200),
  code: SecondFactorCode.optional().meta({
    description: "Required with two-step verification: 401 with `reason` `second_factor_required` without it",
  }),
});
export type CreateSessionBody = z.output<typeof CreateSessionBody>;

export const AcceptInvitationBody = z.strictObject({
  token: z.string().regex(/^[0-9A-Za-z]{43}$/, "is not a valid invitation"),
  password: Password,
  code: SecondFactorCode.optional().meta({ description: "Required to reset a password with two-step verification" }),
  ...PersonNames.shape,
});
export type AcceptInvitationBody = z.output<typeof AcceptInvitationBody>;

/** Sign-in has no credential yet, so only the console's own pages may call it. */
const signIn = { tag: "Session", access: "public", method: "POST", status: 200, sameOrigin: true } as const;
const signedIn = {
  tag: "Session",
  access: "session",
  path: "/session",
  status: 200,
  allowsFirstPassword: true,
} as const;

export const createSession = operation({
  ...signIn,
  id: "createSession",
  path: "/session",
  summary: "Sign in to the console; sets the session cookie",
  body: CreateSessionBody,
  result: envelope(Session),
  errors: [401, 429],
  example: { body: { email: "admin@localhost", password: "correct horse battery" } },
});

export const acceptInvitation = operation({
  ...signIn,
  id: "acceptInvitation",
  path: "/session/invitation",
  summary: "Accept an invitation by choosing a password, and sign in",
  body: AcceptInvitationBody,
  inspected: true,
  result: envelope(Session),
  errors: [401, 404, 429],
  example: { body: { token: "T0k3nT0k3nT0k3nT0k3nT0k3nT0k3nT0k3nT0k3nT0k", password: "correct horse battery" } },
});

export const createPasskeySignInOptions = operation({
  ...signIn,
  id: "createPasskeySignInOptions",
  path: "/session/passkey/options",
  summary: "Get the options for signing in with a passkey",
  result: envelope(PasskeyOptions),
});

export const createPasskeySession = operation({
  ...signIn,
  id: "createPasskeySession",
  path: "/session/passkey",
  summary: "Sign in to the console with a passkey, without password and code",
  body: z.strictObject({ passkey: PasskeyAnswer }),
  result: envelope(Session),
  errors: [401, 429],
});

export const getSession = operation({
  ...signedIn,
  id: "getSession",
  method: "GET",
  summary: "Get the signed-in member",
  result: envelope(Session),
});

export const deleteSession = operation({
  ...signedIn,
  id: "deleteSession",
  method: "DELETE",
  summary: "Sign out",
  result: Deleted.extend({
    sign_out_url: z.url().nullable().meta({
      description: "Address to open next, where the identity provider ends its session; null: there is none",
    }),
  }),
});
