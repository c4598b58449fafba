import { env } from "../platform/env";
import type { ApiRequest } from "../platform/http/api-request";
import type { Operation } from "../platform/http/operation";
import { requestOrigin } from "../platform/http/request-facts";
import { urlPath } from "../platform/http/vocabulary";
import { telemetry } from "../platform/telemetry/telemetry";
import { NO_TRACE, readTraceContext, type TracePosition } from "../platform/telemetry/trace-context";

/** Starts the span of a request. Without an export, only inference requests forward their caller's trace context. */
export function startTrace({ access, method, path }: Operation, request: ApiRequest, now: Date): TracePosition {
  const active = telemetry();
  if (active === null && access !== "inference") return NO_TRACE;
  const caller = readTraceContext(request.headers);
  if (caller) request.note?.({ traceId: caller.traceId });
  if (active === null) return caller === null ? NO_TRACE : { caller, span: null };
  const route = urlPath(path);
  const span = active.start(`${method} ${route}`, now, caller, {
    "http.request.method": method,
    "http.route": route,
    "url.scheme": requestOrigin(request, env()).startsWith("https:") ? "https" : "http",
    "url.path": new URL(request.url).pathname,
  });
  if (!caller) request.note?.({ traceId: span.traceId });
  return { caller, span };
}

/** Ends the span of a request when its response has been sent, or the client has disconnected. */
export function endTrace({ span }: TracePosition, request: ApiRequest, status: number): void {
  if (span === null) return;
  span.set({ "http.response.status_code": status });
  const end = () => span.end(performance.now(), status >= 500 ? String(status) : null);
  if (request.onClose) request.onClose(end);
  else end();
}
