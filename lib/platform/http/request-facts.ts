import "server-only";
import type { Env } from "../env";
import { uuidv7 } from "../ids";
import type { ClientAttributes } from "../context";
import type { ApiRequest } from "./api-request";

const MAX_ATTRIBUTE_LENGTH = 512;

/** Returns the request's id: a valid one from the proxy, or a new one. */
export function requestIdentity(request: ApiRequest): string {
  const given = request.headers.get("x-request-id");
  return given && /^[\w.:-]{8,128}$/.test(given) ? given : `req-${uuidv7(new Date())}`;
}

/** Returns the scheme and host used by the client: as configured, or from the proxy's headers if trusted. */
export function requestOrigin(
  request: ApiRequest,
  { publicUrl, trustProxy }: Pick<Env, "publicUrl" | "trustProxy">,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const url = new URL(request.url);
  const forwarded = (name: "proto" | "host") =>
    (trustProxy && request.headers.get(`x-forwarded-${name}`)?.split(",").at(-1)?.trim()) || null;
  const scheme = forwarded("proto") === "https" ? "https:" : url.protocol;
  const origin = `${scheme}//${forwarded("host") ?? request.headers.get("host") ?? url.host}`;
  return URL.canParse(origin) ? new URL(origin).origin : url.origin;
}

/** Returns the client's address as seen by our own server, which overwrites this header. */
export const clientAddress = (request: ApiRequest): string | null => request.headers.get("x-signalbox-client-address");

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
    wantsEvents: /\btext\/event-stream\b/i.test(read("accept") ?? ""),
    wantsYaml: /\bapplication\/yaml\b/i.test(read("accept") ?? ""),
    wantsMetadata: /^enabled$/i.test(read("x-signalbox-metadata", "x-openrouter-metadata") ?? ""),
  };
}

/** Parses the revisions of `If-Match`; null without a condition. An unknown entity tag matches nothing. */
export function parseIfMatch(header: string | null): number[] | null {
  if (header === null || header.trim() === "*") return null;
  return header.split(",").flatMap((tag) => {
    const revision = /^\s*"(\d{1,9})"\s*$/.exec(tag)?.[1];
    return revision ? [Number(revision)] : [];
  });
}
