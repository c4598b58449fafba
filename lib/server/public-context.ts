import "server-only";
import type { PublicContext } from "../platform/context";
import { env } from "../platform/env";
import type { ApiRequest } from "../platform/http/api-request";
import type { Operation } from "../platform/http/operation";
import { clientAddress, clientAttributes, parseIfMatch, requestOrigin } from "../platform/http/request-facts";
import { browserTokens } from "./authenticate";

/** Returns the context of a request before its caller is known. */
export function publicContext(
  operation: Operation,
  request: ApiRequest,
  known: Pick<PublicContext, "db" | "now" | "random" | "headers" | "requestId" | "trace" | "arrivedAt">,
): PublicContext {
  const settings = env();
  return {
    ...known,
    settings,
    origin: requestOrigin(request, settings),
    ip: clientAddress(request),
    ...browserTokens(request),
    client: clientAttributes(request.headers),
    ifMatch: operation.ifMatch ? parseIfMatch(request.headers.get("if-match")) : null,
    signal: request.signal,
  };
}
