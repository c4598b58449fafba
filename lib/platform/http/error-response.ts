import "server-only";
import type { ApiRequest } from "./api-request";
import { DirectResponse } from "./direct-response";
import type { StreamedAnswer } from "./event-stream";
import { entityTag, isKnown } from "./entity-tag";
import type { Redirect } from "./redirect";
import { toApiError } from "./to-api-error";

const JSON_TYPE = "application/json";

/** Sends JSON. A read has an entity tag, and is a 304 without a body if the client has the current version. */
export function jsonResponse(
  status: number,
  body: unknown,
  headers: Headers,
  request?: ApiRequest,
  mediaType = JSON_TYPE,
): Response {
  headers.set("cache-control", "no-store");
  if (status === 204) return new Response(null, { status, headers });
  const text = JSON.stringify(body);
  if (request?.method === "GET") {
    const tag = headers.get("etag") ?? entityTag(text);
    headers.set("etag", tag);
    if (isKnown(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  }
  headers.set("content-type", mediaType);
  return new DirectResponse(text, { status, headers });
}

/** Sends a stream unbuffered: `x-accel-buffering` is understood by proxies and by our own server. */
export function streamedResponse(answer: StreamedAnswer, headers: Headers): Response {
  const streaming = { ...answer.headers, "cache-control": "no-store", "x-accel-buffering": "no" };
  for (const [name, value] of Object.entries(streaming)) headers.set(name, value);
  return new DirectResponse(answer.content, { status: 200, headers });
}

/** Sends a browser to another address by GET. */
export function redirectResponse({ location }: Redirect, headers: Headers): Response {
  headers.set("cache-control", "no-store");
  headers.set("location", location);
  return new DirectResponse("", { status: 303, headers });
}

/** The parts of an error that its response contains. */
export interface ErrorParts {
  status: number;
  message: string;
  /** The upstream's description of its error. */
  code: unknown;
  type: unknown;
  param: unknown;
  metadata: Record<string, unknown>;
  service_metadata: Record<string, unknown> | null;
  requestId: string;
}

const ownFormat = ({ status, message, code, type, param, metadata, service_metadata }: ErrorParts) => ({
  error: { code: code ?? status, message, type, param, ...(Object.keys(metadata).length > 0 && { metadata }) },
  ...(service_metadata && { service_metadata }),
});

/** Builds the error response (docs/semantics.md#errors); reveals nothing about unexpected errors. */
export function errorResponse(
  error: unknown,
  requestId: string,
  headers: Headers,
  format: (parts: ErrorParts) => object = ownFormat,
  mediaType = JSON_TYPE,
): Response {
  const { status, message, metadata: given, headers: own = {} } = toApiError(error, requestId);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  const { service_metadata, code, type, param, ...stated } = given ?? {};
  const generation = headers.get("x-generation-id");
  const metadata = { ...stated, ...(generation && { generation_id: generation }) };
  const about = (service_metadata ?? null) as Record<string, unknown> | null;
  const body = format({ status, message, code, type, param, metadata, service_metadata: about, requestId });
  return jsonResponse(status, body, headers, undefined, mediaType);
}
