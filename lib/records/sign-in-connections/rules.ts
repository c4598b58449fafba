import type { VerifiedIdentity } from "./identity";
import { canonicalJson } from "../../platform/json-values";
import type { ClaimNames } from "./contract";
import type { Protocol, Refusal } from "./vocabulary";
import { CLAIM_NAMES } from "./vocabulary";

/** What a connection says about who may sign in with it. */
export interface JoinRules {
  name: string;
  issuer: string | null;
  domains: readonly string[];
  createsMembers: boolean;
  trustEmail: boolean;
  organizationId: string;
}

/** A member that an identity may belong to. */
export interface Candidate {
  id: string;
  organizationId: string;
  deactivatedAt: Date | null;
}

export type Join<M extends Candidate> =
  | { kind: "signs_in" | "links"; member: M }
  | { kind: "creates"; email: string }
  | { kind: "refused"; refusal: Refusal; reason: string };

const isGoogle = (issuer: string | null): boolean => URL.parse(issuer ?? "")?.hostname === "accounts.google.com";

export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

function isUnverified({ claims }: VerifiedIdentity): boolean {
  const verified = claims["email_verified"];
  return verified === false || verified === "false";
}

/**
 * Anybody can have a Google account with an address of any domain. Only `hd` says that the domain's organization manages it.
 */
function isForeignGoogleAccount({ issuer, domains }: JoinRules, { claims }: VerifiedIdentity): boolean {
  const hosted = claims["hd"];
  return isGoogle(issuer) && !(typeof hosted === "string" && domains.includes(hosted.toLowerCase()));
}

/**
 * Returns when a person signed in at the provider, by `auth_time` in seconds; null if it doesn't say. Google never does,
 * so there a sign-in counts when it ends.
 */
export function signedInAt({ issuer }: Pick<JoinRules, "issuer">, authTime: unknown, now: Date): Date | null {
  const time = new Date(typeof authTime === "number" ? authTime * 1000 : NaN);
  if (!Number.isNaN(time.getTime())) return time;
  return isGoogle(issuer) ? now : null;
}

const refused = (refusal: Refusal, reason: string) => ({ kind: "refused" as const, refusal, reason });

/**
 * Decides what a sign-in does.
 * @param known the member that the identity was linked to at an earlier sign-in
 * @param sameAddress the installation's member with the identity's address
 */
export function joinOf<M extends Candidate>(
  rules: JoinRules,
  identity: VerifiedIdentity,
  known: M | null,
  sameAddress: M | null,
): Join<M> {
  const { email } = identity;
  if (isForeignGoogleAccount(rules, identity))
    return refused("other_domain", "The Google account isn't managed by one of the connection's domains (`hd`)");
  if (known)
    return known.deactivatedAt
      ? refused("deactivated", "The member is deactivated")
      : { kind: "signs_in", member: known };
  if (email === null || !/^[^\s@]+@[^\s@]+$/.test(email))
    return refused("no_email", "The provider sends no email address in the connection's claim");
  if (!rules.domains.includes(domainOf(email)))
    return refused("other_domain", `${email} isn't in a domain of the connection`);
  if (isUnverified(identity))
    return refused("unverified_email", `The provider says that ${email} isn't verified (\`email_verified\`)`);
  if (!sameAddress)
    return rules.createsMembers
      ? { kind: "creates", email }
      : refused("unknown_person", `${email} has no account, and the connection doesn't create accounts`);
  if (sameAddress.organizationId !== rules.organizationId)
    return refused("address_in_use", `${email} has an account in another organization`);
  if (sameAddress.deactivatedAt) return refused("deactivated", "The member is deactivated");
  return rules.trustEmail
    ? { kind: "links", member: sameAddress }
    : refused("address_in_use", `${email} has an account, and the connection doesn't link accounts by address`);
}

/** Claim names of a new or changed connection. */
export const claimNamesOf = (protocol: Protocol, given: Partial<ClaimNames>, before?: ClaimNames): ClaimNames => ({
  ...CLAIM_NAMES[protocol],
  ...before,
  ...given,
});

/** True if a connection has the settings that a sign-in needs. */
export const isComplete = ({
  protocol,
  issuer,
  clientId,
  idpEntityId,
  ssoUrl,
  certificates,
}: {
  protocol: Protocol;
  issuer: string | null;
  clientId: string | null;
  idpEntityId: string | null;
  ssoUrl: string | null;
  certificates: readonly string[];
}): boolean =>
  protocol === "oidc"
    ? issuer !== null && clientId !== null
    : idpEntityId !== null && ssoUrl !== null && certificates.length > 0;

/** Settings that decide which person an answer of the provider means; a test must be repeated after a change. */
const TESTED = [
  "issuer",
  "clientId",
  "clientSecretCiphertext",
  "scopes",
  "idpEntityId",
  "ssoUrl",
  "certificates",
  "claimNames",
] as const;

/** True if a change needs another test. */
export const changesTested = (
  before: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
): boolean =>
  TESTED.some((name) => change[name] !== undefined && canonicalJson(change[name]) !== canonicalJson(before[name]));

/** True if a change means another provider, whose subjects are other people. */
export const changesProvider = (
  before: { issuer: string | null; idpEntityId: string | null },
  { issuer, idpEntityId }: { issuer?: string | null | undefined; idpEntityId?: string | null | undefined },
): boolean =>
  (issuer !== undefined && issuer !== before.issuer) ||
  (idpEntityId !== undefined && idpEntityId !== before.idpEntityId);

/** Returns the end of a session: the provider's, or the connection's longest. */
export function sessionEnd(
  { sessionEndsAt }: Pick<VerifiedIdentity, "sessionEndsAt">,
  maxSessionHours: number | null,
  now: Date,
): Date | null {
  const longest = maxSessionHours === null ? null : new Date(now.getTime() + maxSessionHours * 3_600_000);
  if (sessionEndsAt === null || longest === null) return sessionEndsAt ?? longest;
  return sessionEndsAt < longest ? sessionEndsAt : longest;
}

interface ClaimedGroup {
  id: string;
  name: string;
  claimValue: string | null;
}

/** Groups to join and to leave, so that the memberships are those that the provider names. */
export function groupChanges<G extends ClaimedGroup>(
  groups: readonly G[],
  current: ReadonlySet<string>,
  claimed: readonly string[],
): { joined: G[]; left: G[] } {
  const names = new Set(claimed);
  const isNamed = ({ claimValue }: G) => claimValue !== null && names.has(claimValue);
  return {
    joined: groups.filter((group) => isNamed(group) && !current.has(group.id)),
    left: groups.filter((group) => !isNamed(group) && current.has(group.id)),
  };
}
