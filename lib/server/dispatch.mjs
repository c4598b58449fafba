// Dispatches requests to the handlers that Next compiled from app/**/route.ts, bypassing the framework.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { refuse } from "./refuse.mjs";

/**
 * @typedef {import("./routes.mjs").Handler} Handler
 * @typedef {import("./routes.mjs").Route} Route
 * @typedef {import("node:http").IncomingMessage} Incoming
 * @typedef {import("node:http").ServerResponse} Outgoing
 * @typedef {(request: Incoming, response: Outgoing) => boolean} Answer
 * @typedef {{answer: Answer, call: (request: Request) => Promise<Response>}} Dispatcher
 */

/** @param {Route} route fewer parameters win: /guardrails/assignments/keys before /guardrails/{id}/… */
const dynamicSegments = ({ segments }) => segments.filter((segment) => segment.startsWith("[")).length;

/** @param {string[]} pattern @param {string[]} path @returns {Record<string, string> | null} */
function match(pattern, path) {
  if (pattern.length !== path.length) return null;
  /** @type {Record<string, string>} */
  const params = {};
  for (const [index, segment] of pattern.entries()) {
    const given = path[index] ?? "";
    if (segment.startsWith("[")) params[segment.slice(1, -1)] = given;
    else if (segment !== given) return null;
  }
  return params;
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} url a path, with or without a query */
const segmentsOf = (url) => url.split("?", 1).join("").split("/").slice(1).map(decode);

/**
 * The body as a web stream. Unlike `Readable.toWeb`, cancelling it keeps the connection, so that a refused body still gets its
 * response; the listener discards the rest.
 * @param {Incoming} incoming @returns {ReadableStream<Uint8Array>}
 */
function bodyOf(incoming) {
  let isOver = false;
  return new ReadableStream({
    start(controller) {
      /** @param {() => void} end */
      const finish = (end) => {
        if (isOver) return;
        isOver = true;
        end();
      };
      incoming.on("data", (chunk) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => finish(() => controller.close()));
      incoming.once("close", () => finish(() => controller.error(new Error("the connection was closed"))));
      incoming.on("error", (error) => finish(() => controller.error(error)));
      incoming.pause();
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      isOver = true;
      incoming.resume();
    },
  });
}

/** @param {Incoming} incoming @param {AbortSignal} signal */
function toRequest(incoming, signal) {
  const method = incoming.method === "HEAD" ? "GET" : (incoming.method ?? "GET");
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const body = method === "GET" ? null : bodyOf(incoming);
  const init = { method, headers, body, signal, duplex: "half" };
  return new Request(`http://localhost${incoming.url}`, init);
}

/** @param {Response} answer @param {Outgoing} response @param {boolean} isHead */
async function send(answer, response, isHead) {
  response.statusCode = answer.status;
  response.setHeaders(answer.headers);
  if (answer.body && answer.headers.get("x-accel-buffering") === "no" && !isHead) {
    response.flushHeaders();
    await pipeline(
      Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream} */ (/** @type {unknown} */ (answer.body))),
      response,
    );
    return;
  }
  if (answer.headers.get("x-accel-buffering") === "no") {
    await answer.body?.cancel();
    response.end();
    return;
  }
  const body = Buffer.from(await answer.arrayBuffer());
  response.setHeader("content-length", body.length);
  response.end(isHead ? undefined : body);
}

/** Runs the handler of the request's method; answers 405 without one and 500 when it throws. @param {Route} route @param {Record<string, string>} params @param {Incoming} incoming @param {Outgoing} response */
async function run(route, params, incoming, response) {
  const abort = new AbortController();
  response.on("close", () => {
    abort.abort();
  });
  try {
    const handlers = await route.handlers();
    const handler = handlers[incoming.method === "HEAD" ? "GET" : (incoming.method ?? "")];
    if (handler)
      await send(await handler(toRequest(incoming, abort.signal), { params }), response, incoming.method === "HEAD");
    else
      refuse(response, {
        status: 405,
        message: "Method not allowed",
        headers: { allow: Object.keys(handlers).join(", ") },
      });
  } catch {
    if (response.headersSent) response.destroy();
    else refuse(response, { status: 500, message: "Internal Server Error" });
  }
}

/** @param {readonly Route[]} all @returns {Dispatcher} `answer` returns false for pages */
export function createDispatcher(all) {
  const routes = [...all].sort((a, b) => dynamicSegments(a) - dynamicSegments(b));
  /** @param {string[]} path @returns {{params: Record<string, string>, route: Route} | null} */
  const find = (path) => {
    for (const route of routes) {
      const params = match(route.segments, path);
      if (params) return { params, route };
    }
    return null;
  };
  /** @type {Answer} */
  const answer = (incoming, response) => {
    const path = segmentsOf(incoming.url ?? "/");
    const found = find(path);
    if (!found && path[0] !== "v1") return false;
    if (found) void run(found.route, found.params, incoming, response);
    else refuse(response, { status: 404, message: "Resource not found" });
    return true;
  };
  /** Calls a handler from inside the process. @param {Request} request */
  const call = async (request) => {
    const { pathname } = new URL(request.url);
    const found = find(segmentsOf(pathname));
    const handlers = await found?.route.handlers();
    const handler = handlers?.[request.method];
    if (!found || !handler) throw new Error(`no route ${request.method} ${pathname}`);
    return handler(request, { params: found.params });
  };
  return { answer, call };
}
