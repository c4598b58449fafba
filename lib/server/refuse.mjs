/** Headers of every response. */
export const COMMON_HEADERS = { "x-content-type-options": "nosniff" };

/** Sends the error body of docs/semantics.md#errors. @param {import("node:http").ServerResponse} response @param {{status: number, message: string, headers?: Record<string, string>}} refusal */
export function refuse(response, { status, message, headers = {} }) {
  const requestId = `req-${crypto.randomUUID()}`;
  const body = JSON.stringify({ error: { code: status, message } });
  const own = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
  };
  response.writeHead(status, { ...own, ...headers });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
