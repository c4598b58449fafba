import "server-only";
import { decodeJwt, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from "jose";
import type { Key, WorkloadIdentity as Row } from "../../../prisma/generated/client";
import { ApiError } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { PublicContext } from "../../platform/context";
import { NO_GRANTS } from "../../platform/grants";
import { inTransaction } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { keyHash, newKeyText } from "../../platform/key-text";
import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import { matchesClaims, type ClaimRules } from "./claims";
import { keysOf } from "./issuer-client";
import type { exchangeToken } from "./token-contract";
import { ACCESS_TOKEN } from "./vocabulary";

/** Difference of clocks that is allowed, in seconds. */
const CLOCK_SKEW_SECONDS = 60;
/** Longest time since a token was issued. Tokens that live longer aren't those of workloads. */
const MAX_AGE = "24h";
/** Public-key algorithms only: a symmetric one would take a public key for a secret. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Identities of one issuer that are compared. */
const MOST_COMPARED = 1000;

type Candidate = Row & { key: Key };

const refused = (message: string) => new ApiError(400, message, { code: "invalid_grant" });

/** Exchanges a token that a workload identity accepts for a text of the identity's key (RFC 8693). */
export async function exchange(
  context: PublicContext,
  { body }: Input<typeof exchangeToken>,
): Promise<Result<typeof exchangeToken>> {
  const { db, now } = context;
  const { iss: issuer } = unverified(body.subject_token);
  const candidates = await db.workloadIdentity.findMany({
    where: {
      issuer,
      key: {
        deletedAt: null,
        disabled: false,
        OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
        NOT: { creator: { deactivatedAt: { not: null } } },
        ...(body.client_id && { hash: body.client_id }),
      },
    },
    include: { key: true },
    orderBy: { createdAt: "asc" },
    take: MOST_COMPARED,
  });
  if (candidates.length === 0) throw refused(`No workload identity has the issuer ${issuer}`);
  const accepting = await acceptingOf(context, body.subject_token, candidates);
  const [first, other] = [
    accepting[0],
    accepting.find(({ identity }) => identity.keyId !== accepting[0]?.identity.keyId),
  ];
  if (!first)
    throw refused("No workload identity accepts the token: its audience or claims differ from what they require");
  if (other)
    throw new ApiError(400, "Identities of several keys accept the token: name the key's hash as client_id", {
      code: "invalid_request",
    });
  return issue(context, first.identity, first.claims);
}

function unverified(token: string): { iss: string } {
  try {
    const { iss } = decodeJwt(token);
    if (iss !== undefined) return { iss };
  } catch {
    // Answered below.
  }
  throw refused("The token isn't a JWT with an issuer");
}

interface Accepted {
  identity: Candidate;
  claims: JWTPayload;
}

/** Verifies the token with each source of keys once. Throws if no source verifies it. */
async function acceptingOf(
  { settings, now }: PublicContext,
  token: string,
  candidates: readonly Candidate[],
): Promise<Accepted[]> {
  const bySource = new Map<string, Candidate[]>();
  for (const one of candidates) {
    const source = JSON.stringify(one.jwks);
    bySource.set(source, [...(bySource.get(source) ?? []), one]);
  }
  const accepting: Accepted[] = [];
  let failure: ApiError | null = null;
  for (const identities of bySource.values()) {
    const [{ issuer, jwks }] = identities as [Candidate, ...Candidate[]];
    try {
      const keys = await keysOf(settings, { issuer, jwks: jwks as JSONWebKeySet | null });
      const { payload: claims } = await jwtVerify(token, keys, {
        issuer,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        currentDate: now,
        maxTokenAge: MAX_AGE,
        requiredClaims: ["sub", "aud", "exp", "iat"],
      });
      accepting.push(
        ...identities.filter((identity) => accepts(identity, claims)).map((identity) => ({ identity, claims })),
      );
    } catch (error) {
      failure = refused(reasonOf(error, issuer));
    }
  }
  if (accepting.length === 0 && failure) throw failure;
  return accepting;
}

const accepts = ({ audience, claims: rules }: Row, claims: JWTPayload): boolean =>
  [claims.aud].flat().includes(audience) && matchesClaims(rules as ClaimRules, claims);

function reasonOf(error: unknown, issuer: string): string {
  if (error instanceof errors.JWTExpired) return "The token has expired";
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The token's claim ${error.claim} isn't valid: ${error.reason}`;
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return "The token isn't signed with a public-key algorithm";
  if (error instanceof errors.JOSEError) return "The token isn't signed with one of the issuer's keys";
  return `The keys of ${issuer} can't be read: ${error instanceof Error ? error.message : "unknown error"}`;
}

/** Adds a text to the identity's key, and removes those that have expired. */
async function issue(
  context: PublicContext,
  { key, ...identity }: Candidate,
  { sub: subject = "" }: JWTPayload,
): Promise<Result<typeof exchangeToken>> {
  const { now } = context;
  const text = newKeyText(key.kind);
  const ends = [now.getTime() + identity.lifetimeSeconds * 1000, key.expiresAt?.getTime() ?? Infinity];
  const expiresAt = new Date(Math.min(...ends));
  const workload = { identity_id: identity.id, issuer: identity.issuer, subject };
  await inTransaction(context.db, async (db) => {
    await db.keySecret.deleteMany({ where: { keyId: key.id, expiresAt: { lte: now } } });
    await db.keySecret.create({ data: { hash: keyHash(text), keyId: key.id, createdAt: now, expiresAt, workload } });
    await db.workloadIdentity.update({ where: { id: identity.id }, data: { lastUsedAt: now } });
    const caller = {
      kind: "key" as const,
      keyKind: key.kind,
      keyId: key.id,
      keyName: key.name,
      organizationId: key.organizationId,
      workspaceId: key.workspaceId,
      userId: key.creatorUserId,
      limit: NO_KEY_LIMIT,
      grants: NO_GRANTS,
    };
    await recordChange(
      db,
      { ...context, caller },
      {
        action: "workload_identity.exchange",
        target: { type: "workload_identity", id: identity.id, name: identity.name },
        workspaceId: key.workspaceId,
        after: { issuer: identity.issuer, subject, expires_at: expiresAt.toISOString() },
      },
    );
  });
  context.headers.set("cache-control", "no-store");
  return {
    access_token: text,
    issued_token_type: ACCESS_TOKEN,
    token_type: "Bearer",
    expires_in: Math.floor((expiresAt.getTime() - now.getTime()) / 1000),
  };
}
