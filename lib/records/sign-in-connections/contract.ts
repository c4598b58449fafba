import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { newName } from "../../platform/name-contract";
import {
  FIRST_ROLES,
  JOINS,
  MAX_MESSAGE_BYTES,
  MAX_SESSION_HOURS,
  MOST_CERTIFICATES,
  MOST_DOMAINS,
  PASSWORD_SIGN_IN,
  PROTOCOLS,
  REFUSALS,
} from "./vocabulary";

const Address = z
  .url({ protocol: /^https?$/, error: "must be a URL that starts with https:// or http://" })
  .max(2000)
  .refine((url) => URL.parse(url)?.hash === "", "must not have a fragment");

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    "must be a domain such as acme.com",
  );

const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, "must be a scope without spaces");

const Oidc = z.object({
  issuer: Address.refine((url) => URL.parse(url)?.search === "", "must not have a query").meta({
    description: "As in the tokens' `iss`; its discovery document is below it",
  }),
  client_id: z.string().trim().min(1).max(500),
  scopes: z
    .array(Scope)
    .min(1)
    .max(20)
    .refine((scopes) => scopes.includes("openid"), "must include openid"),
});

const ClientSecret = z.string().trim().min(1).max(1000).nullable().meta({
  description: "Stored encrypted and never returned; null for a public client",
});

const Certificate = z
  .string()
  .trim()
  .max(10_000)
  .regex(
    /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----$/,
    "must be a certificate in PEM format",
  );

const Saml = z.object({
  entity_id: z.string().trim().min(1).max(1000).meta({ description: "The provider's entity ID" }),
  sso_url: Address.meta({ description: "Where the provider receives sign-in requests" }),
  slo_url: Address.nullable().meta({
    description: "Where it receives sign-out requests; null: it has no such address",
  }),
  certificates: z.array(Certificate).min(1).max(MOST_CERTIFICATES).meta({
    description: "Certificates of its signing keys; several while it rotates them",
  }),
});

const claimName = z.string().trim().min(1).max(200);
export const ClaimNames = z
  .object({ email: claimName, first_name: claimName, last_name: claimName, groups: claimName })
  .meta({ description: "Claims or attributes to read; a dot leads into an object: `realm_access.roles`" });
export type ClaimNames = z.infer<typeof ClaimNames>;

const Fields = z.object({
  name: newName(100),
  domains: z
    .array(Domain)
    .min(1)
    .max(MOST_DOMAINS)
    .refine((domains) => new Set(domains).size === domains.length, "must not repeat a domain")
    .meta({ description: "Email domains of the people who sign in with this connection" }),
  claims: ClaimNames,
  creates_members: z.boolean().meta({ description: "Whether people without an account get one when they sign in" }),
  default_role: z.enum(FIRST_ROLES).meta({ description: "Role of accounts that sign-in creates" }),
  trust_email: z.boolean().meta({
    description:
      "Whether a member is found by the provider's email address at the first sign-in; only for addresses in `domains` that the provider doesn't call unverified",
  }),
  manages_names: z.boolean().meta({ description: "Whether members' names follow the provider at each sign-in" }),
  max_session_hours: z.number().int().min(1).max(MAX_SESSION_HOURS).nullable().meta({
    description: "Longest session before members sign in again; null: 14 days",
  }),
});

/** What the admin enters at the provider. */
const Addresses = z.object({
  callback_url: z.url().meta({ description: "Redirect URI, or assertion consumer service" }),
  start_url: z.url().meta({ description: "Starts a sign-in, for a tile on the provider's dashboard" }),
  back_channel_logout_url: z.url().nullable(),
  front_channel_logout_url: z.url().nullable(),
  sign_out_url: z.url().nullable().meta({ description: "Where the provider returns after a sign-out" }),
  metadata_url: z.url().nullable().meta({ description: "SAML metadata of Signalbox; also its entity ID" }),
});

export const SignInConnection = Fields.extend({
  id: Uuid,
  name: z.string(),
  protocol: z.enum(PROTOCOLS),
  enabled: z.boolean(),
  oidc: Oidc.extend({
    issuer: z.string().nullable(),
    client_id: z.string().nullable(),
    has_client_secret: z.boolean(),
  }).nullable(),
  saml: Saml.extend({
    entity_id: z.string().nullable(),
    sso_url: z.string().nullable(),
    certificates: z.array(z.string()),
    certificate_details: z.array(
      z.object({ subject: z.string(), sha256: z.string(), valid_from: Timestamp, valid_to: Timestamp }),
    ),
    service_certificate: z.string().meta({
      description: "Certificate of Signalbox's key, which signs requests and decrypts assertions; for the provider",
    }),
  }).nullable(),
  addresses: Addresses,
  tested_at: Timestamp.nullable().meta({ description: "Last successful test with the current settings" }),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
}).meta({ id: "SignInConnection" });
export type SignInConnection = z.output<typeof SignInConnection>;

const GivenOidc = z.strictObject({ ...Oidc.shape, client_secret: ClientSecret }).partial();
const GivenSaml = z.strictObject(Saml.shape).partial();

export const CreateSignInConnectionBody = z.strictObject({
  protocol: z.enum(PROTOCOLS),
  ...Fields.shape,
  oidc: GivenOidc.optional().meta({
    description: "For the protocol `oidc`; can be added once the provider has the addresses",
  }),
  saml: GivenSaml.optional().meta({
    description: "For the protocol `saml`; can be added once the provider has the addresses",
  }),
  claims: z.strictObject(ClaimNames.partial().shape).default({}),
  creates_members: Fields.shape.creates_members.default(true),
  default_role: Fields.shape.default_role.default("org:member"),
  trust_email: Fields.shape.trust_email.default(true),
  manages_names: Fields.shape.manages_names.default(true),
  max_session_hours: Fields.shape.max_session_hours.default(null),
});
export type CreateSignInConnectionBody = z.output<typeof CreateSignInConnectionBody>;

export const UpdateSignInConnectionBody = z.strictObject({
  ...Fields.partial().shape,
  enabled: z.boolean().optional().meta({ description: "true needs a successful test with the current settings" }),
  oidc: GivenOidc.optional(),
  saml: GivenSaml.optional(),
  claims: z.strictObject(ClaimNames.partial().shape).optional(),
});
export type UpdateSignInConnectionBody = z.output<typeof UpdateSignInConnectionBody>;

const management = { tag: "Sign-in", access: "management", permission: "sign_in:write" } as const;
const connections = "/organization/sign-in-connections";

export const listSignInConnections = operation({
  ...management,
  id: "listSignInConnections",
  method: "GET",
  path: connections,
  summary: "List the identity providers that members sign in with",
  status: 200,
  result: z.object({ data: z.array(SignInConnection) }),
});

export const createSignInConnection = operation({
  ...management,
  id: "createSignInConnection",
  recentSignIn: true,
  method: "POST",
  path: connections,
  summary: "Add an identity provider; it is off until a test has succeeded",
  body: CreateSignInConnectionBody,
  bodySize: "medium",
  inspected: true,
  status: 201,
  result: envelope(SignInConnection),
  errors: [409],
  idempotent: true,
  example: {
    body: {
      name: "Okta",
      protocol: "oidc",
      domains: ["acme.com"],
      oidc: { issuer: "https://acme.okta.com", client_id: "0oa1b2c3d4", client_secret: "s3cr3t" },
    },
  },
});

export const getSignInConnection = operation({
  ...management,
  id: "getSignInConnection",
  method: "GET",
  path: `${connections}/{id}`,
  summary: "Get an identity provider",
  params: IdParams,
  status: 200,
  result: envelope(SignInConnection),
});

export const updateSignInConnection = operation({
  ...management,
  id: "updateSignInConnection",
  recentSignIn: true,
  method: "PATCH",
  path: `${connections}/{id}`,
  summary: "Update the given fields of an identity provider",
  params: IdParams,
  body: UpdateSignInConnectionBody,
  bodySize: "medium",
  inspected: true,
  status: 200,
  result: envelope(SignInConnection),
  errors: [409],
  example: { body: { enabled: true } },
});

export const deleteSignInConnection = operation({
  ...management,
  id: "deleteSignInConnection",
  recentSignIn: true,
  method: "DELETE",
  path: `${connections}/{id}`,
  summary: "Delete an identity provider, and end the sessions that it started",
  params: IdParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

export const SamlMetadata = z
  .object({
    entity_id: z.string(),
    sso_url: z.string(),
    slo_url: z.string().nullable(),
    certificates: z.array(z.string()),
  })
  .meta({ id: "SamlMetadata" });

export const readSamlMetadata = operation({
  ...management,
  id: "readSamlMetadata",
  method: "POST",
  path: "/organization/saml-metadata",
  summary: "Read the SAML metadata of an identity provider into the settings of a connection; stores nothing",
  body: z.strictObject({ metadata: z.string().min(1).max(MAX_MESSAGE_BYTES) }),
  bodySize: "medium",
  status: 200,
  result: envelope(SamlMetadata),
  example: {
    body: { metadata: '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">…</EntityDescriptor>' },
  },
});

const Person = z.object({
  subject: z.string(),
  email: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  groups: z.array(z.string()),
});

export const SignInTest = z
  .object({
    id: Uuid,
    status: z.enum(["pending", "succeeded", "failed", "expired"]),
    error: z.string().nullable().meta({ description: "What the provider or the settings got wrong" }),
    join: z.enum(JOINS).nullable().meta({ description: "What a sign-in of this person would do" }),
    refusal: z.enum(REFUSALS).nullable().meta({ description: "Why a sign-in of this person would be refused" }),
    person: Person.nullable(),
    claims: z.record(z.string(), z.unknown()).nullable().meta({ description: "Everything that the provider sent" }),
    created_at: Timestamp,
  })
  .meta({ id: "SignInTest" });
export type SignInTest = z.output<typeof SignInTest>;

export const testSignInConnection = operation({
  ...management,
  id: "testSignInConnection",
  recentSignIn: true,
  method: "POST",
  path: `${connections}/{id}/test`,
  summary: "Start a test sign-in, which signs nobody in; returns the address to open in a browser",
  params: IdParams,
  status: 201,
  result: z.object({ data: z.object({ id: Uuid, url: z.url() }) }),
  errors: [409],
});

export const getSignInTest = operation({
  ...management,
  id: "getSignInTest",
  method: "GET",
  path: `${connections}/{id}/tests/{test_id}`,
  summary: "Get the outcome of a test sign-in",
  params: IdParams.extend({ test_id: Uuid }),
  status: 200,
  result: envelope(SignInTest),
});

export const SignInSettings = z
  .object({
    password_sign_in: z.enum(PASSWORD_SIGN_IN).meta({
      description: "`break_glass_only`: members sign in with an identity provider, except the break-glass member",
    }),
    break_glass_member_id: z.string().nullable().meta({ description: "The owner who may always sign in by password" }),
  })
  .meta({ id: "SignInSettings" });
export type SignInSettings = z.output<typeof SignInSettings>;

export const getSignInSettings = operation({
  ...management,
  id: "getSignInSettings",
  method: "GET",
  path: "/organization/sign-in",
  summary: "Get who may sign in by password",
  status: 200,
  result: envelope(SignInSettings),
});

export const updateSignInSettings = operation({
  ...management,
  id: "updateSignInSettings",
  recentSignIn: true,
  method: "PATCH",
  path: "/organization/sign-in",
  summary: "Change who may sign in by password; switching it off ends the sessions of others",
  body: z.strictObject(SignInSettings.partial().shape),
  status: 200,
  result: envelope(SignInSettings),
  errors: [409],
  example: { body: { password_sign_in: "break_glass_only", break_glass_member_id: "user_0abc" } },
});

export const MemberIdentity = z
  .object({
    connection_id: Uuid,
    connection_name: z.string(),
    subject: z.string(),
    email: z.string().nullable(),
    created_at: Timestamp,
    last_sign_in_at: Timestamp,
  })
  .meta({ id: "MemberIdentity" });
export type MemberIdentity = z.output<typeof MemberIdentity>;

const UserParams = z.object({ user_id: z.string().regex(/^user_[0-9A-Za-z]{1,64}$/) });

export const listMemberIdentities = operation({
  ...management,
  permission: "members:read",
  id: "listMemberIdentities",
  method: "GET",
  path: "/organization/members/{user_id}/identities",
  summary: "List the accounts at identity providers that a member signs in with",
  params: UserParams,
  status: 200,
  result: z.object({ data: z.array(MemberIdentity) }),
});

export const deleteMemberIdentity = operation({
  ...management,
  permission: "members:write",
  id: "deleteMemberIdentity",
  recentSignIn: true,
  method: "DELETE",
  path: "/organization/members/{user_id}/identities/{connection_id}",
  summary: "Unlink a member from an identity provider, and end the sessions that it started",
  params: UserParams.extend({ connection_id: Uuid }),
  status: 200,
  result: Deleted,
});
