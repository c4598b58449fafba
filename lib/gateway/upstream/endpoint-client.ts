import "server-only";
import type { Env } from "../../platform/env";
import { readStart } from "../../platform/outbound/bounded-body";
import { OutboundFailure } from "../../platform/outbound/failure";
import { outboundFetch } from "../../platform/outbound/fetch";
import type { ChatRequest } from "../../engine/protocols/upstream-request";
import type { Endpoint } from "../../engine/endpoint";
import { logger } from "../../platform/logger";
import type { Signal } from "../../platform/signal";
import type { Authentication, Call, Credentials, Site, Unsigned } from "../../records/providers/kinds/kind";
import { KINDS } from "../../records/providers/kinds/kinds";
import type { Connection, Connections } from "../endpoints-store";
import type { GenerationTrace } from "../record/generation-trace-service";
import { maskSecrets, noteSecrets } from "./mask-secrets";
import { sandbox } from "./sandbox";
import { sandboxEmbeddings } from "./sandbox-embeddings";
import { MAX_RAW_CHARACTERS } from "../../engine/protocols/upstream-failure";
import type { UpstreamRequest } from "../../engine/protocols/upstream-request";

/**
 * Sends a request to an endpoint's provider; the sandbox responds in process. The upstream receives the provider's
 * configured headers and the trace context, and of the caller's headers only those that the request names. Secrets are
 * masked in error bodies.
 */
export function callUpstream(
  connections: Connections,
  { allowPrivateUpstreams, upstreamTimeouts }: Env,
  now: Date,
  trace: GenerationTrace,
) {
  return async (
    endpoint: Endpoint,
    { path, isStream, body, headers: forwarded = {} }: UpstreamRequest,
    signal: Signal,
    onSent: () => void,
  ): Promise<Response> => {
    const { provider, upstreamModel } = endpoint;
    const connection = connections.get(provider.id);
    if (!connection) throw new Error(`No connection settings for provider ${provider.slug}`);
    const traceHeaders = trace.call(endpoint, path, connection);
    if (connection.baseUrl === null) {
      onSent();
      return path === "/embeddings"
        ? sandboxEmbeddings(body as { model: string })
        : sandbox(body as unknown as ChatRequest, signal);
    }
    const kind = KINDS[connection.kind];
    const site: Site = { baseUrl: connection.baseUrl, settings: connection.settings };
    const credentials = readCredentials(connection, provider.slug);
    const outbound = { allowPrivate: allowPrivateUpstreams, timeouts: upstreamTimeouts, signal };
    const call: Call = { path, model: upstreamModel, isStream };
    const request: Unsigned = {
      method: "POST",
      url: kind.urlOf(site, call),
      headers: {
        accept: isStream ? "text/event-stream" : "application/json",
        "user-agent": "signalbox",
        ...joinedHeaders(credentials.headers, forwarded),
        "content-type": "application/json",
      },
      body: JSON.stringify(kind.bodyOf?.(call, body) ?? body),
    };
    const authentication = await kind.authenticate(credentials, request, {
      site,
      now,
      send: (other) => outboundFetch({ ...other, ...outbound, peer: "upstream" }),
    });
    // Proxies may change the trace context, so signatures don't cover it.
    const headers = { ...request.headers, ...authentication, ...traceHeaders };
    const noteSent = () => {
      trace.sent();
      onSent();
    };
    const response = await outboundFetch({
      peer: "upstream",
      method: request.method,
      url: request.url,
      body: request.body,
      headers,
      allowPrivate: allowPrivateUpstreams,
      timeouts: upstreamTimeouts,
      signal,
      onSent: noteSent,
    });
    const secrets = secretsOf(credentials, authentication);
    if (!response.ok) return withoutSecrets(response, secrets);
    noteSecrets(response, secrets);
    return response;
  };
}

/** Joins the headers of a provider and of the caller. For equal names, the caller's values come last. */
function joinedHeaders(own: Readonly<Record<string, string>>, forwarded: Readonly<Record<string, string>>) {
  const joined = new Map(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(forwarded))
    joined.set(name, [joined.get(name), value].filter(Boolean).join(","));
  return Object.fromEntries(joined);
}

const secretsOf = ({ apiKey, named, headers }: Credentials, { authorization }: Authentication) => [
  apiKey,
  authorization?.replace(/^Bearer /, "") ?? null,
  ...Object.values(named),
  ...Object.values(headers),
];

/**
 * Credentials encrypted with a secret that isn't configured here are a failure of this endpoint, so that the next is
 * tried.
 */
function readCredentials({ credentials }: Connection, slug: string): ReturnType<Connection["credentials"]> {
  try {
    return credentials();
  } catch (err) {
    logger().error({ err, provider: slug }, "the provider's credentials can't be decrypted");
    throw new OutboundFailure(null, "The provider's credentials can't be decrypted");
  }
}

async function withoutSecrets(response: Response, secrets: readonly (string | null)[]): Promise<Response> {
  const text = maskSecrets(await readStart(response, MAX_RAW_CHARACTERS), secrets);
  return new Response(text, { status: response.status, headers: response.headers });
}
