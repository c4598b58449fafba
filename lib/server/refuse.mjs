import { requestIdOf } from "../platform/http/request-id.mjs";

/** Headers of every response. */
export const COMMON_HEADERS = { "x-content-type-options": "nosniff" };

const SCIM_PATH = "/v1/scim/";

/** Sends the error body of docs/semantics.md#errors, or that of SCIM (RFC 7644, section 3.12). @param {import("node:http").ServerResponse} response @param {{status: number, message: string, headers?: Record<string, string>}} refusal */
export function refuse(response, { status, message, headers = {} }) {
  const isScim = response.req.url?.startsWith(SCIM_PATH) ?? false;
  const body = JSON.stringify(
    isScim
      ? { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: String(status), detail: message }
      : { error: { code: status, message } },
  );
  const own = {
    "content-type": isScim ? "application/scim+json" : "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestIdOf(response.req.headers["x-request-id"]?.toString()),
  };
  response.writeHead(status, { ...own, ...headers });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
