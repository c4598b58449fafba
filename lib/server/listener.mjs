// The HTTP server in front of the dispatcher. It limits the time and connections of each client.
import { createServer, STATUS_CODES } from "node:http";
import { requestIdOf } from "../platform/http/request-id.mjs";
import { AddressLimit } from "./address-limit.mjs";
import { COMMON_HEADERS, refuse } from "./refuse.mjs";
import { refusalOf } from "./request-policy.mjs";

/**
 * @typedef {import("node:http").IncomingMessage} Incoming
 * @typedef {import("node:http").ServerResponse} Outgoing
 * @typedef {object} ListenerOptions
 * @property {readonly string[] | null} hosts see `allowedHosts`
 * @property {boolean} trustsProxy
 * @property {string} [publicUrl]
 * @property {number} maxConnections connections of one client; behind a trusted proxy, requests of one client at a time
 * @property {number} requestTimeoutMs time to receive a whole request
 * @property {number} [headersTimeoutMs]
 */

const HEADERS_TIMEOUT_MS = 10_000;
/** Time for which the rest of a body is received and discarded after the response. */
const DISCARD_MS = 5_000;

/** @param {number} status @param {string} message */
function rawError(status, message) {
  const body = JSON.stringify({ error: { code: status, message } });
  const headers = {
    ...COMMON_HEADERS,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestIdOf(null),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

/** @type {Record<string, [number, string]>} */
const PARSE_ERRORS = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request was not received in time"],
  HPE_HEADER_OVERFLOW: [431, "The request headers are too large"],
};

/** Returns the client's address: the one that a trusted proxy reports, else the socket's. @param {Incoming} request @param {boolean} trustsProxy */
export function clientAddress(request, trustsProxy) {
  const forwarded = trustsProxy ? request.headers["x-forwarded-for"] : undefined;
  const nearest = typeof forwarded === "string" ? forwarded.split(",").at(-1)?.trim() : undefined;
  return nearest || request.socket.remoteAddress || "";
}

/** A year, without subdomains, which may have their own servers. */
const STRICT_TRANSPORT = "max-age=31536000";

/** True if the browser used https: as configured, or as a trusted proxy reports. @param {Incoming} request @param {Pick<ListenerOptions, "publicUrl" | "trustsProxy">} options */
function isHttps(request, { publicUrl, trustsProxy }) {
  if (publicUrl) return publicUrl.startsWith("https:");
  const forwarded = trustsProxy ? request.headers["x-forwarded-proto"] : undefined;
  return typeof forwarded === "string" && forwarded.split(",").at(-1)?.trim() === "https";
}

/**
 * Closes a response with its connection. A response that waits behind an earlier response of the connection has no socket yet, so
 * Node.js would leave it open and its request running.
 * @param {Incoming} request @param {Outgoing} response
 */
function closeWithConnection({ socket }, response) {
  const close = () => {
    response.destroy();
    response.emit("close");
  };
  // A client may send any number of requests before it reads.
  socket.setMaxListeners(0).once("close", close);
  response.once("socket", () => socket.off("close", close));
}

/** Creates the server; `answer` gets only requests that may be dispatched. @param {ListenerOptions} options @param {(request: Incoming, response: Outgoing) => void} answer */
export function createListener(options, answer) {
  const { hosts, trustsProxy, maxConnections, requestTimeoutMs, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  const limit = new AddressLimit(maxConnections);

  /** @param {Incoming} request @param {Outgoing} response */
  const receive = (request, response) => {
    if (!response.socket) closeWithConnection(request, response);
    for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
    if (isHttps(request, options)) response.setHeader("strict-transport-security", STRICT_TRANSPORT);
    response.once("finish", () => {
      if (request.complete) return;
      request.resume();
      setTimeout(() => request.complete || request.socket.destroy(), DISCARD_MS).unref();
    });
    const refusal = refusalOf(request, { hosts, trustsProxy });
    if (refusal) {
      refuse(response, refusal);
      return;
    }
    if (trustsProxy) {
      const release = limit.take(clientAddress(request, true));
      if (!release) {
        const message = "Too many concurrent requests from this client address. Retry when one has finished";
        refuse(response, { status: 429, message, headers: { "retry-after": "1" } });
        return;
      }
      response.once("close", release);
    }
    answer(request, response);
  };

  const server = createServer(
    {
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
      insecureHTTPParser: false,
      // The check of request-policy.mjs answers with our error body.
      requireHostHeader: false,
    },
    receive,
  );
  // Longer than the usual idle timeout of clients and proxies, whose next request could otherwise meet a closing
  // connection.
  server.keepAliveTimeout = 65_000;
  // Requests with an unknown expectation are handled normally, so that errors have our body.
  server.on("checkExpectation", receive);
  server.on("connect", (_request, socket) => socket.end(rawError(405, "Method not allowed")));
  server.on("connection", (socket) => {
    if (trustsProxy) return;
    const release = limit.take(socket.remoteAddress ?? "");
    if (release) socket.once("close", release);
    else socket.destroy();
  });
  server.on("clientError", (error, socket) => {
    const { code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    const [status, message] = PARSE_ERRORS[code] ?? [400, "The request is not valid HTTP"];
    /** The response in progress, which must not be followed by a second one. */
    const current = /** @type {{_httpMessage?: Outgoing}} */ (/** @type {unknown} */ (socket))._httpMessage;
    if (socket.writable && !current?.headersSent) socket.write(rawError(status, message));
    socket.destroy();
  });
  return server;
}
