export const PROTOCOLS = ["oidc", "saml"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export const PASSWORD_SIGN_IN = ["allowed", "break_glass_only"] as const;

/** Roles that a person without an account can get at the first sign-in. Higher ones are given by admins or by groups. */
export const FIRST_ROLES = ["org:member", "org:policy_editor", "org:analyst", "org:auditor", "org:billing"] as const;

/** Names of the claims or attributes that are read unless a connection has others. */
export const CLAIM_NAMES = {
  oidc: { email: "email", first_name: "given_name", last_name: "family_name", groups: "groups" },
  saml: { email: "email", first_name: "firstName", last_name: "lastName", groups: "groups" },
} as const;

export const MOST_CONNECTIONS = 20;
export const MOST_DOMAINS = 50;
export const MAX_SESSION_HOURS = 336;
/** Longest path to open after a sign-in, which is stored in a cookie. */
export const MAX_RETURN_PATH = 1000;
/** Difference of clocks that is allowed. */
export const CLOCK_SKEW_MS = 60_000;
/** Bytes of a SAML message as it is sent, and of a metadata document. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
/** Groups of a person that a provider sends, and values of any SAML attribute. */
export const MOST_CLAIMED_GROUPS = 2000;
/** Certificates of a provider: enough for two rotations at the same time. */
export const MOST_CERTIFICATES = 5;
export const DEFAULT_SCOPES = ["openid", "email", "profile"] as const;

/** Reasons for which a person isn't signed in, by which the sign-in page chooses its message. */
export const REFUSALS = [
  "cancelled",
  "lost",
  "provider",
  "no_email",
  "other_domain",
  "unverified_email",
  "address_in_use",
  "unknown_person",
  "deactivated",
  "other_person",
  "disabled",
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** What a sign-in does: the member signs in, a member with the address is linked, or a member is created. */
export const JOINS = ["signs_in", "links", "creates"] as const;
