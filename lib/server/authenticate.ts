import "server-only";
import { ApiError, forbidden, lacksPermission, unauthorized } from "../platform/api-error";
import type { Caller, PublicContext, ScimCaller } from "../platform/context";
import type { Database } from "../platform/database/transaction";
import { permits } from "../platform/grants";
import { findKeyCaller } from "../records/keys/credentials-store";
import { findScimCaller } from "../records/scim-tokens/credentials-store";
import { findSession, type FoundSession } from "../records/members/session-store";
import { sessionOf } from "../records/session/account-service";
import { cookieToken } from "../records/session/browser-cookies";
import { env } from "../platform/env";
import { requestOrigin } from "../platform/http/request-facts";
import { givenKey } from "./given-key";
import type { ApiRequest } from "../platform/http/api-request";
import type { Operation } from "../platform/http/operation";

/** Returns the tokens of the browser's cookies. */
export function browserTokens(request: ApiRequest): Pick<PublicContext, "sessionToken" | "deviceToken" | "flowToken"> {
  const header = request.headers.get("cookie");
  if (header === null) return { sessionToken: null, deviceToken: null, flowToken: null };
  const isHttps = requestOrigin(request, env()).startsWith("https:");
  return {
    sessionToken: cookieToken("session", header, isHttps),
    deviceToken: cookieToken("device", header, isHttps),
    flowToken: cookieToken("flow", header, isHttps),
  };
}

/** A caller, and the state of its session, which is null for a key. */
interface Authenticated {
  caller: Caller;
  session: FoundSession | null;
}

/** Time after sign-in, or another proof of identity, in which a session may change roles, keys and secrets. */
const RECENT_MS = 15 * 60_000;

/**
 * Finds the caller by key or by the console's session cookie (docs/semantics.md#authentication). With a key, the cookie is
 * ignored.
 */
export async function authenticate(request: ApiRequest, db: Database, now: Date): Promise<Authenticated> {
  const keyText = givenKey(request.headers);
  if (keyText !== null) {
    const caller = await findKeyCaller(db, keyText, now);
    if (!caller) throw unauthorized("Invalid credentials");
    return { caller, session: null };
  }
  const { sessionToken: token } = browserTokens(request);
  if (!token) throw unauthorized("Missing Authentication header");
  const session = await findSession(db, token, now);
  if (!session) throw unauthorized("Invalid credentials");
  return { caller: session.caller, session };
}

/** Finds the directory by its bearer token. Keys and sessions aren't accepted. */
export async function authenticateScim(request: ApiRequest, db: Database, now: Date): Promise<ScimCaller> {
  const text = givenKey(request.headers);
  if (text === null) throw unauthorized("Missing Authentication header");
  const caller = await findScimCaller(db, text, now);
  if (!caller) throw unauthorized("Invalid credentials");
  return caller;
}

/**
 * Requires that the member chose the password, and for changes of roles, keys and secrets a recent proof of identity.
 */
function assertTrusted(session: FoundSession, operation: Operation, now: Date): void {
  if (operation.recentSignIn && now.getTime() - session.authenticatedAt.getTime() > RECENT_MS)
    throw new ApiError(403, "Confirm your identity to continue", { reason: "reauthentication_required" });
  if (session.mustChangePassword && !operation.allowsFirstPassword)
    throw new ApiError(403, "Change your first password before you continue", { reason: "password_change_required" });
}

/**
 * Requires that a console session's request comes from a page of this host; the scheme may differ behind a proxy. A read is refused
 * when the browser reports another site, even one below the same domain (Fetch Metadata). A change must prove its origin.
 */
export function assertSameOrigin(request: ApiRequest, ownOrigin: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (request.method === "GET" || request.method === "HEAD") {
    if (site !== null && site !== "same-origin" && site !== "none")
      throw forbidden("Cross-site request rejected: Sec-Fetch-Site must be same-origin");
    return;
  }
  const origin = request.headers.get("origin");
  const isSame = origin
    ? URL.canParse(origin) && new URL(origin).host === new URL(ownOrigin).host
    : site === "same-origin";
  if (!isSame) throw forbidden("Cross-site request rejected: the Origin header does not match this host");
}

/** Throws a 403 unless the caller may use the operation now. */
export function authorize(caller: Caller, session: FoundSession | null, operation: Operation, now: Date): void {
  assertAccess(caller, operation);
  if (session) assertTrusted(session, operation, now);
}

function assertAccess(caller: Caller, operation: Operation): void {
  const { access, permission } = operation;
  const isInference = caller.kind === "key" && caller.keyKind === "inference";
  if (access === "session") sessionOf({ caller });
  if (access === "inference" && !isInference) throw forbidden("Only inference keys can perform this operation");
  if (access !== "management" && access !== "member") return;
  if (isInference) throw forbidden();
  const isNarrowed = access === "member" && caller.kind === "session";
  if (isNarrowed || permission === undefined) return;
  if (!permits(caller, operation)) throw lacksPermission(permission);
}
