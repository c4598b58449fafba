import "server-only";
import type { Caller } from "../platform/context";
import type { Database } from "../platform/database/transaction";
import { findKeyCaller } from "../records/keys/credentials-store";
import { findSessionCaller, sessionToken } from "../records/members/session-store";
import { forbidden, unauthorized } from "../platform/api-error";
import type { Access } from "../platform/http/operation";

/**
 * Finds the caller by bearer key or by the console's session cookie (docs/semantics.md#authentication). With a bearer
 * header, the cookie is ignored.
 */
export async function authenticate(request: Request, db: Database, now: Date): Promise<Caller> {
  const header = request.headers.get("authorization");
  if (header !== null) {
    const keyText = /^bearer +(\S+)$/i.exec(header)?.[1];
    const caller = keyText ? await findKeyCaller(db, keyText, now) : null;
    if (!caller) throw unauthorized("Invalid credentials");
    return caller;
  }
  const token = sessionToken(request.headers.get("cookie"));
  if (!token) throw unauthorized("Missing Authentication header");
  const caller = await findSessionCaller(db, token, now);
  if (!caller) throw unauthorized("Invalid credentials");
  return caller;
}

/**
 * Requires that a state-changing request of a console session comes from a page of this host; the scheme may differ
 * behind a proxy.
 */
export function assertSameOrigin(request: Request, ownOrigin: string): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const origin = request.headers.get("origin");
  const isSame = origin
    ? URL.canParse(origin) && new URL(origin).host === new URL(ownOrigin).host
    : request.headers.get("sec-fetch-site") === "same-origin";
  if (!isSame) throw forbidden("Cross-site request rejected: the Origin header does not match this host");
}

const isManagement = (caller: Caller) =>
  caller.kind === "key" ? caller.keyKind === "management" : caller.role === "admin";

/** Throws a 403 unless the caller has this access. */
export function authorize(caller: Caller, access: Access): void {
  if (access === "management" && !isManagement(caller)) throw forbidden();
  if (access === "member" && !isManagement(caller) && caller.kind !== "session") throw forbidden();
  if (access === "inference" && !(caller.kind === "key" && caller.keyKind === "inference")) {
    throw forbidden("Only inference keys can perform this operation");
  }
}
