import "server-only";
import type { PublicContext } from "../platform/context";
import { env } from "../platform/env";
import type { ApiRequest } from "../platform/http/api-request";
import type { Operation } from "../platform/http/operation";
import { clientAddress, clientAttributes, parseIfMatch, requestOrigin } from "../platform/http/request-facts";
import { PlainSignal, type Signal } from "../platform/signal";
import { browserTokens } from "./authenticate";

/**
 * Returns the context of a request before its caller is known. Its fields are listed one by one, because an object that begins with a
 * spread takes a hundred times as long to create.
 */
export function publicContext(
  operation: Operation,
  request: ApiRequest,
  known: Pick<PublicContext, "db" | "now" | "random" | "headers" | "requestId" | "trace" | "arrivedAt">,
): PublicContext {
  const settings = env();
  const { sessionToken, deviceToken, flowToken } = browserTokens(request);
  return {
    db: known.db,
    now: known.now,
    random: known.random,
    headers: known.headers,
    requestId: known.requestId,
    trace: known.trace,
    arrivedAt: known.arrivedAt,
    settings,
    origin: requestOrigin(request, settings),
    search: searchOf(request.url),
    ip: clientAddress(request),
    sessionToken,
    deviceToken,
    flowToken,
    client: clientAttributes(request.headers),
    ifMatch: operation.ifMatch ? parseIfMatch(request.headers.get("if-match")) : null,
    signal: signalOf(request),
  };
}

function searchOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

function signalOf(request: ApiRequest): Signal {
  const signal = new PlainSignal();
  if (!request.onLeave) return request.signal ?? signal;
  request.onLeave(() => signal.abort());
  return signal;
}
