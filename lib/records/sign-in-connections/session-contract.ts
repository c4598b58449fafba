import { z } from "zod";
import { envelope, IdParams, operation, Uuid } from "../../platform/http/operation";
import { Email } from "../../platform/account-contract";
import { MAX_RETURN_PATH } from "./vocabulary";

const text = (most: number) => z.string().max(most).optional();

const Choice = z.object({ id: Uuid, name: z.string(), start_url: z.string() });

export const getSignInOptions = operation({
  tag: "Session",
  access: "public",
  id: "getSignInOptions",
  method: "GET",
  path: "/session/sign-in-options",
  summary: "Get whether the sign-in page asks for the address first, and the providers that it shows",
  status: 200,
  result: envelope(
    z.object({
      email_first: z.boolean(),
      connections: z.array(Choice).meta({ description: "Empty in an installation of several organizations" }),
    }),
  ),
});

export const chooseSignIn = operation({
  tag: "Session",
  access: "public",
  sameOrigin: true,
  id: "chooseSignIn",
  method: "POST",
  path: "/session/sign-in-options",
  summary: "Get the identity provider of an address's domain, whether or not the address has an account",
  body: z.strictObject({ email: Email }),
  status: 200,
  result: envelope(z.object({ connection: Choice.nullable() })),
  errors: [429],
  example: { body: { email: "ada@acme.com" } },
});

const connection = { tag: "Session", access: "public", params: IdParams, status: 200 } as const;
const redirect = { ...connection, method: "GET", redirects: true, result: z.undefined() } as const;

export const startSignIn = operation({
  ...redirect,
  id: "startSignIn",
  path: "/session/connections/{id}/start",
  summary: "Redirect to the identity provider",
  query: z.object({
    return_to: text(MAX_RETURN_PATH).meta({ description: "Path to open afterwards" }),
    test: Uuid.optional().meta({ description: "A test that this sign-in is for" }),
    confirm: z.literal("true").optional().meta({ description: "Confirms the identity of the signed-in member" }),
    email: z.string().max(254).optional().meta({ description: "Address that the provider's form shows" }),
  }),
  errors: [429],
});

export const finishSignIn = operation({
  ...redirect,
  id: "finishSignIn",
  path: "/session/connections/{id}/callback",
  summary: "Receive the provider's answer, and sign in",
  // Providers send parameters of their own.
  query: z.looseObject({
    code: text(4000),
    state: text(500),
    iss: text(2000),
    error: text(500),
    error_description: text(2000),
  }),
  errors: [429],
});

export const backChannelLogout = operation({
  ...connection,
  id: "backChannelLogout",
  method: "POST",
  path: "/session/connections/{id}/back-channel-logout",
  summary: "End the sessions that a provider's logout token names (OpenID Connect Back-Channel Logout 1.0)",
  form: true,
  body: z.object({ logout_token: z.string().min(1).max(12_000) }),
  result: z.object({ ended_count: z.number().int().min(0) }),
  errorFormat: "oauth",
  errors: [429],
});

export const frontChannelLogout = operation({
  ...connection,
  id: "frontChannelLogout",
  method: "GET",
  path: "/session/connections/{id}/front-channel-logout",
  summary: "End the sessions of a provider's session (OpenID Connect Front-Channel Logout 1.0)",
  query: z.looseObject({ iss: z.string().max(2000), sid: z.string().min(1).max(500) }),
  result: z.object({ ended_count: z.number().int().min(0) }),
  errors: [429],
});
