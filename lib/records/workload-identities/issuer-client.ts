import "server-only";
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Env } from "../../platform/env";
import { readWhole } from "../../platform/outbound/bounded-body";
import { outboundFetch } from "../../platform/outbound/fetch";

type Settings = Pick<Env, "allowPrivateUpstreams">;

const TIMEOUT_MS = 5_000;
const TIMEOUTS = { connect: TIMEOUT_MS, firstByte: TIMEOUT_MS, idle: TIMEOUT_MS };
const MAX_BYTES = 512 * 1024;
/** Time after which an issuer's address of keys is looked up again. The keys themselves are fetched again for an unknown key id. */
const DISCOVERED_MS = 60 * 60_000;

async function get({ allowPrivateUpstreams }: Settings, url: string): Promise<Response> {
  const response = await outboundFetch({
    peer: "issuer",
    method: "GET",
    url,
    headers: { accept: "application/json", "user-agent": "Signalbox" },
    allowPrivate: allowPrivateUpstreams,
    timeouts: TIMEOUTS,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return new Response(await readWhole(response, MAX_BYTES), { status: response.status });
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** Key sets by issuer. */
const known = new LRUCache<string, JWTVerifyGetKey>({ max: 1000, ttl: DISCOVERED_MS });

/**
 * Returns the keys of an issuer from its discovery document (OpenID Connect Discovery 1.0, section 4).
 * @throws Error if the document is missing or names another issuer
 */
async function discoveredKeys(settings: Settings, issuer: string): Promise<JWTVerifyGetKey> {
  const cached = known.get(issuer);
  if (cached) return cached;
  const response = await get(settings, `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error(`its discovery document has status ${response.status}`);
  const { success, data } = Discovery.safeParse(await response.json().catch(() => null));
  if (!success) throw new Error("its discovery document isn't valid");
  if (data.issuer !== issuer) throw new Error(`its discovery document is of ${data.issuer}`);
  const keys = createRemoteJWKSet(new URL(data.jwks_uri), { [customFetch]: (url) => get(settings, url) });
  known.set(issuer, keys);
  return keys;
}

/** Returns the given keys of an issuer, or those that it publishes. */
export const keysOf = async (
  settings: Settings,
  { issuer, jwks }: { issuer: string; jwks: JSONWebKeySet | null },
): Promise<JWTVerifyGetKey> => (jwks ? createLocalJWKSet(jwks) : discoveredKeys(settings, issuer));
