import "server-only";
import type { ActorContext, PublicContext } from "../platform/context";
import { seeOwnChanges } from "../platform/database/policy-cache";
import { onReplica, replicaOf } from "../platform/database/replica";
import type { ApiRequest } from "../platform/http/api-request";
import type { Operation } from "../platform/http/operation";
import { cookieToken, setCookie } from "../records/session/browser-cookies";

const isHttps = (origin: string) => origin.startsWith("https:");

/** True if the caller requires the primary: by a header, or because this browser has just changed something. */
const wantsPrimary = (request: ApiRequest, origin: string): boolean =>
  /\bno-cache\b/i.test(request.headers.get("cache-control") ?? "") ||
  cookieToken("changed", request.headers.get("cookie"), isHttps(origin)) !== null;

/**
 * Sets a cookie that makes the browser read from the primary after a change, for as long as a standby may lag. So the member sees the
 * change, whichever process responds next.
 */
function noteChange(request: ApiRequest, context: PublicContext | ActorContext): void {
  if (request.method === "GET" || !("caller" in context) || context.caller.kind !== "session") return;
  const replica = replicaOf(context.db);
  if (!replica) return;
  const seconds = Math.ceil(replica.maxStalenessMs / 1000);
  context.headers.append("set-cookie", setCookie("changed", "1", seconds, isHttps(context.origin)));
}

/** Runs a service on the primary, or on the standby if both the operation and the caller allow it. */
export async function runFresh<T>(
  operation: Operation,
  request: ApiRequest,
  context: PublicContext | ActorContext,
  service: (context: PublicContext | ActorContext) => Promise<T>,
): Promise<T> {
  noteChange(request, context);
  if (operation.readsReplica && !wantsPrimary(request, context.origin))
    return onReplica(context.db, (db) => service(db === context.db ? context : { ...context, db }));
  const result = await service(context);
  if ((request.method !== "GET" || operation.redirects) && operation.access !== "inference")
    await seeOwnChanges(context.db);
  return result;
}
