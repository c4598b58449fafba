import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { boot } from "./boot";
import { env } from "../platform/env";
import { ApiError, forbidden, unauthorized } from "../platform/api-error";
import { findKeyCaller } from "../records/keys/credentials-store";
import { givenKey } from "./given-key";
import type { ApiRequest } from "../platform/http/api-request";
import { noteStoreFailure } from "../platform/database/store-failure";
import { metricsOfAll } from "../platform/metrics/workers";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Returns the metrics of all workers in Prometheus format, for a management key or `SIGNALBOX_METRICS_TOKEN`. */
export async function readMetrics(request: ApiRequest, now: Date): Promise<Response> {
  try {
    await authorize(request, now);
  } catch (error) {
    const failure = error instanceof ApiError ? error : noteStoreFailure(error);
    if (!failure) throw error;
    const { status, message, headers } = failure;
    return Response.json({ error: { code: status, message } }, { status, headers });
  }
  const registry = await metricsOfAll();
  return new Response(await registry.metrics(), {
    headers: { "content-type": registry.contentType, "cache-control": "no-store" },
  });
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
}
