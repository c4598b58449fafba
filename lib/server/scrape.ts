import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { boot } from "./boot";
import { env } from "../platform/env";
import { forbidden, lacksPermission, unauthorized } from "../platform/api-error";
import { holds } from "../platform/grants";
import { findKeyCaller } from "../records/keys/credentials-store";
import { givenKey } from "./given-key";
import type { ApiRequest } from "../platform/http/api-request";
import { errorResponse } from "../platform/http/error-response";
import { PlainHeaders } from "../platform/http/plain-headers";
import { requestIdOf } from "../platform/http/request-id.mjs";
import { metricsOfAll } from "../platform/metrics/workers";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Returns the metrics of all workers in Prometheus format, for a management key or `SIGNALBOX_METRICS_TOKEN`. */
export async function readMetrics(request: ApiRequest, now: Date): Promise<Response> {
  const requestId = requestIdOf(request.headers.get("x-request-id"));
  const headers = new PlainHeaders({ "x-request-id": requestId });
  try {
    await authorize(request, now);
    const registry = await metricsOfAll();
    headers.set("content-type", registry.contentType);
    headers.set("cache-control", "no-store");
    return new Response(await registry.metrics(), { headers });
  } catch (error) {
    return errorResponse(error, requestId, headers);
  }
}

async function authorize(request: ApiRequest, now: Date): Promise<void> {
  const given = givenKey(request.headers);
  if (given === null) throw unauthorized("Missing Authentication header");
  const { metricsToken } = env();
  if (metricsToken !== undefined && timingSafeEqual(digest(given), digest(metricsToken))) return;
  const { db } = await boot();
  const caller = await findKeyCaller(db, given, now);
  if (!caller) throw unauthorized("Invalid credentials");
  if (caller.keyKind !== "management") throw forbidden();
  if (!holds(caller, "analytics:read")) throw lacksPermission("analytics:read");
}
