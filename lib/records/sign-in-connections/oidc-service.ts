import "server-only";
import { errors, jwtVerify } from "jose";
import type { SignInConnection as Row } from "../../../prisma/generated/client";
import { ApiError, notFound } from "../../platform/api-error";
import type { PublicContext } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import type { Redirect } from "../../platform/http/redirect";
import type { Input, Result } from "../../platform/http/operation";
import { asObject } from "../../platform/json-values";
import { useOnce } from "../session/use-once-store";
import { keysOf } from "../workload-identities/issuer-client";
import { pathsOf } from "./addresses";
import { identityOf } from "./claims";
import type { Verified } from "./complete-service";
import { endSessions } from "./end-sessions-store";
import type { Flow } from "./flow";
import { connectionOf, endFlow } from "./flow-service";
import { authorizationOf, exchangeCode, type OidcClient } from "./oidc-client";
import { ProviderProblem } from "./problem";
import { claimNamesIn } from "./rows";
import { signedInAt } from "./rules";
import { openSecret } from "./secret-rows";
import type * as contract from "./session-contract";
import { CLOCK_SKEW_MS } from "./vocabulary";

/** Returns the client that a connection is registered as. */
export const clientOf = (settings: Env, row: Row): OidcClient => ({
  issuer: row.issuer ?? "",
  clientId: row.clientId ?? "",
  clientSecret:
    row.clientSecretCiphertext === null ? null : openSecret("clientSecret", settings, row, row.clientSecretCiphertext),
  scopes: row.scopes,
});

const callbackOf = ({ origin }: PublicContext, { id }: Row) => `${origin}${pathsOf(id).callback}`;

/** Builds the request of a sign-in, with PKCE, state and nonce. */
export async function begin(
  context: PublicContext,
  connection: Row,
  options: { state: string; email: string | undefined; confirms: boolean },
): Promise<{ url: string; secrets: Record<string, string> }> {
  const { settings } = context;
  const { url, nonce, verifier } = await authorizationOf(settings, clientOf(settings, connection), {
    ...options,
    callback: callbackOf(context, connection),
  });
  return { url, secrets: { nonce, verifier } };
}

export async function finish(
  context: PublicContext,
  { params, query }: Input<typeof contract.finishSignIn>,
): Promise<Redirect> {
  const found = await connectionOf(context, params.id);
  const connection = found?.protocol === "oidc" ? found : null;
  return endFlow(context, connection, query.state, (row, flow) => verifyCallback(context, row, flow, query));
}

async function verifyCallback(
  context: PublicContext,
  connection: Row,
  { state, secrets }: Flow,
  query: Readonly<Record<string, unknown>>,
): Promise<Verified> {
  if (query["error"] === "access_denied")
    throw new ProviderProblem("The person or the provider cancelled the sign-in (access_denied)", "cancelled");
  const callback = new URL(callbackOf(context, connection));
  for (const [name, value] of Object.entries(query))
    if (typeof value === "string") callback.searchParams.set(name, value);
  const names = claimNamesIn(connection);
  const { claims, idToken } = await exchangeCode(
    context.settings,
    clientOf(context.settings, connection),
    callback,
    { state, nonce: secrets["nonce"] ?? "", verifier: secrets["verifier"] ?? "" },
    Object.values(names),
  );
  const authenticatedAt = signedInAt(connection, claims["auth_time"], context.now);
  return { identity: identityOf(claims, names), signOutHint: idToken, authenticatedAt };
}

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const CLOCK_SKEW_SECONDS = CLOCK_SKEW_MS / 1000;
/** Longest time since a logout token was issued. */
const MAX_AGE_SECONDS = 10 * 60;
/** Public-key algorithms only. */
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

const invalidToken = (message: string) => new ApiError(400, message, { code: "invalid_request" });

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
async function logoutClaims({ settings, now }: PublicContext, { issuer, clientId }: Row, token: string) {
  try {
    const keys = await keysOf(settings, { issuer: issuer ?? "", jwks: null });
    const { payload } = await jwtVerify(token, keys, {
      issuer: issuer ?? "",
      audience: clientId ?? "",
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ["iss", "aud", "iat", "jti", "events"],
      currentDate: now,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invalidToken(`The logout token isn't valid: ${error.message}`);
    throw invalidToken(`The provider's keys can't be read: ${(error as Error).message}`);
  }
}

export async function backChannelLogout(
  context: PublicContext,
  { params, body }: Input<typeof contract.backChannelLogout>,
): Promise<Result<typeof contract.backChannelLogout>> {
  const connection = await connectionOf(context, params.id);
  if (connection?.protocol !== "oidc") throw notFound();
  const { sid, sub, jti, events, nonce } = await logoutClaims(context, connection, body.logout_token);
  if (asObject(asObject(events)?.[LOGOUT_EVENT]) === null)
    throw invalidToken("The logout token isn't valid: its events don't include a back-channel logout");
  if (nonce !== undefined) throw invalidToken("The logout token isn't valid: it has a nonce");
  const session = typeof sid === "string" ? sid : null;
  if (session === null && sub === undefined)
    throw invalidToken("The logout token isn't valid: it has no sid and no sub");
  const expiresAt = new Date(context.now.getTime() + (MAX_AGE_SECONDS + CLOCK_SKEW_SECONDS) * 1000);
  const ended_count = await inTransaction(context.db, async (db) => {
    if (!(await useOnce(db, `logout ${connection.id} ${jti}`, expiresAt)))
      throw invalidToken("The logout token was used before");
    return endSessions({ ...context, db }, connection, { session, subject: sub ?? null }, "back-channel");
  });
  context.headers.set("cache-control", "no-store");
  return { ended_count };
}

/** Ends the sessions of a provider's session, whose identifier only the provider and the browser know. */
export async function frontChannelLogout(
  context: PublicContext,
  { params, query }: Input<typeof contract.frontChannelLogout>,
): Promise<Result<typeof contract.frontChannelLogout>> {
  const connection = await connectionOf(context, params.id);
  if (connection?.protocol !== "oidc" || connection.issuer !== query.iss) throw notFound();
  return {
    ended_count: await endSessions(context, connection, { session: query.sid, subject: null }, "front-channel"),
  };
}
