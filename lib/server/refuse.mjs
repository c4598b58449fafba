import { requestIdOf } from "../platform/http/request-id.mjs";

/** Headers of every response. */
export const COMMON_HEADERS = { "x-content-type-options": "nosniff" };

/** Sends the error body of docs/semantics.md#errors. @param {import("node:http").ServerResponse} response @param {{status: number, message: string, headers?: Record<string, string>}} refusal */
export function refuse(response, { status, message, headers = {} }) {
  const body = JSON.stringify({ error: { code: status, message } });
  const own = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestIdOf(response.req.headers["x-request-id"]?.toString()),
  };
  response.writeHead(status, { ...own, ...headers });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
