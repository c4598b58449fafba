import "server-only";
import { LRUCache } from "lru-cache";
import type { Env } from "../env";
import type { ClientAttributes } from "../context";
import type { ApiRequest } from "./api-request";

const MAX_ATTRIBUTE_LENGTH = 512;

/** Returns the scheme and host used by the client: as configured, or from the proxy's headers if trusted. */
export function requestOrigin(
  request: ApiRequest,
  { publicUrl, trustsProxy }: Pick<Env, "publicUrl" | "trustsProxy">,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const forwarded = (name: "proto" | "host") =>
    (trustsProxy && request.headers.get(`x-forwarded-${name}`)?.split(",").at(-1)?.trim()) || null;
  const isHttps = forwarded("proto") === "https" || request.url.startsWith("https:");
  const host = forwarded("host") ?? request.headers.get("host") ?? new URL(request.url).host;
  return originOf(`${isHttps ? "https:" : "http:"}//${host}`) ?? new URL(request.url).origin;
}

/** Caches origins by address, because parsing an address costs as much as finding a key. */
const origins = new LRUCache<string, { origin: string | null }>({ max: 1000 });

function originOf(address: string): string | null {
  const known = origins.get(address) ?? { origin: URL.canParse(address) ? new URL(address).origin : null };
  origins.set(address, known);
  return known.origin;
}

/** Returns the client's address as seen by our own server, which overwrites this header. */
export const clientAddress = (request: ApiRequest): string | null => request.headers.get("x-signalbox-client-address");

/** Matches up to 20 names of beta features, such as `context-1m-2025-08-07`. */
const BETAS = /^[a-z0-9-]{1,64}(?: ?, ?[a-z0-9-]{1,64}){0,19}$/;

/** Matches up to 10 names of beta features with their versions, such as `responses=v1`. */
const OPENAI_BETAS =
  /^[a-z0-9_.-]{1,64}(?:=[a-z0-9_.-]{1,64})?(?: ?[,;] ?[a-z0-9_.-]{1,64}(?:=[a-z0-9_.-]{1,64})?){0,9}$/;

/**
 * Reads client attributes from Signalbox's headers and OpenRouter's equivalents (docs/semantics.md#client-attributes).
 */
export function clientAttributes(headers: ApiRequest["headers"]): ClientAttributes {
  const read = (...names: string[]) => {
    const value = names.map((name) => headers.get(name)).find((text) => text !== null && text !== "");
    return value ? value.slice(0, MAX_ATTRIBUTE_LENGTH) : null;
  };
  return {
    httpReferer: read("http-referer", "referer"),
    appTitle: read("x-signalbox-title", "x-openrouter-title", "x-title"),
    appCategories: read("x-signalbox-categories", "x-openrouter-categories"),
    userAgent: read("user-agent"),
    sessionId: read("x-session-id")?.slice(0, 256) ?? null,
    // Not cut, because limits count by it.
    endUser: headers.get("x-signalbox-end-user") || null,
    anthropicBeta: BETAS.exec(headers.get("anthropic-beta") ?? "")?.[0] ?? null,
    openaiBeta: OPENAI_BETAS.exec(headers.get("openai-beta") ?? "")?.[0] ?? null,
    wantsEvents: /\btext\/event-stream\b/i.test(read("accept") ?? ""),
    wantsYaml: /\bapplication\/yaml\b/i.test(read("accept") ?? ""),
    wantsMetadata: /^enabled$/i.test(read("x-signalbox-metadata", "x-openrouter-metadata") ?? ""),
  };
}

/** Parses the revisions of `If-Match`; null without a condition. An unknown entity tag matches nothing. */
export function parseIfMatch(header: string | null): number[] | null {
  if (header === null || header.trim() === "*") return null;
  return header.split(",").flatMap((tag) => {
    const revision = /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1];
    return revision ? [Number(revision)] : [];
  });
}
