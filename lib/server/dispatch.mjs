// Dispatches requests to the handlers of app/**/route.ts, bypassing the framework.
import { noteAccess } from "./access-log.mjs";
import { IncomingRequest } from "./incoming-request.mjs";
import { logError } from "./process-log.mjs";
import { refuse } from "./refuse.mjs";

/**
 * @typedef {import("./routes.mjs").Handler} Handler
 * @typedef {import("./routes.mjs").Route} Route
 * @typedef {import("node:http").IncomingMessage} Incoming
 * @typedef {import("node:http").ServerResponse} Outgoing
 * @typedef {AsyncIterable<string | Uint8Array> & {keepAlive?: {text: string, ms: number}}} Parts
 * @typedef {(request: Incoming, response: Outgoing) => boolean} Answer
 * @typedef {{answer: Answer, call: (request: Request) => Promise<Response>}} Dispatcher
 */

/** @param {Route} route fewer parameters win: /guardrails/assignments/keys before /guardrails/{id}/… */
const dynamicSegments = ({ segments }) => segments.filter((segment) => segment.startsWith("[")).length;

/** The path with its parameters in braces, as the API reference has it. @param {Route} route */
const templateOf = ({ segments }) => `/${segments.join("/").replaceAll(/\[(\w+)\]/g, "{$1}")}`;

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

const MAX_SHOWN_PATH = 200;
const shortPath = (/** @type {string} */ url) => url.split("?", 1).join("").slice(0, MAX_SHOWN_PATH);

/** @param {string} url */
const segmentsOf = (url) => url.split("?", 1).join("").split("/").slice(1).map(decode);

/** @param {Outgoing} response @returns {Promise<void>} resolves when more can be written, or never will be */
const drained = (response) =>
  new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });

/**
 * Sends parts as they arrive, at the client's pace, and keep-alives between them. Ends the parts when the client disconnects.
 * @param {Parts} parts @param {Outgoing} response
 */
async function sendParts(parts, response) {
  let isSilent = true;
  const { keepAlive } = parts;
  const keepingAlive =
    keepAlive &&
    setInterval(() => {
      if (isSilent && response.headersSent && !response.destroyed && response.writableLength === 0)
        response.write(keepAlive.text);
      isSilent = true;
    }, keepAlive.ms);
  const iterator = parts[Symbol.asyncIterator]();
  const end = () => iterator.return?.();
  const leave = () => void end()?.catch(() => undefined);
  response.once("close", leave);
  // The headers are sent with the first part if it is available immediately.
  const head = setImmediate(() => response.flushHeaders());
  try {
    let part = await iterator.next();
    for (; !part.done && !response.destroyed; part = await iterator.next()) {
      clearImmediate(head);
      isSilent = false;
      if (!response.write(part.value)) await drained(response);
    }
    if (part.done) response.end();
    else await end();
  } finally {
    clearImmediate(head);
    clearInterval(keepingAlive);
    response.off("close", leave);
  }
}

/** @param {string | Buffer} body @param {Outgoing} response @param {boolean} isHead */
function sendWhole(body, response, isHead) {
  response.setHeader("content-length", Buffer.byteLength(body));
  response.end(isHead ? undefined : body);
}

/**
 * Sends a response. A text is sent synchronously.
 * @param {Response & {content?: string | Parts}} answer see lib/platform/http/direct-response.ts @param {Outgoing} response @param {boolean} isHead
 * @returns {Promise<unknown> | undefined}
 */
function send(answer, response, isHead) {
  const { content } = answer;
  response.statusCode = answer.status;
  response.setHeaders(answer.headers);
  if (typeof content === "string") {
    sendWhole(content, response, isHead);
    return undefined;
  }
  if (content === undefined)
    return answer.arrayBuffer().then((bytes) => sendWhole(Buffer.from(bytes), response, isHead));
  if (!isHead) return sendParts(content, response);
  response.end();
  return content[Symbol.asyncIterator]().return?.();
}

/** Runs the handler of the request's method; answers 405 without one and 500 when it throws. @param {Route} route @param {Record<string, string>} params @param {Incoming} incoming @param {Outgoing} response @param {typeof logError} log */
async function run(route, params, incoming, response, log) {
  try {
    const handlers = await route.handlers();
    const handler = handlers[incoming.method === "HEAD" ? "GET" : (incoming.method ?? "")];
    if (handler)
      await send(
        await handler(new IncomingRequest(incoming, response), { params }),
        response,
        incoming.method === "HEAD",
      );
    else
      refuse(response, {
        status: 405,
        message: "Method not allowed",
        headers: { allow: Object.keys(handlers).join(", ") },
      });
  } catch (error) {
    // A stream may end with an error because its client has disconnected.
    if (!response.destroyed)
      log(error, "a response failed", { requestId: response.getHeader("x-request-id"), route: templateOf(route) });
    if (response.headersSent) response.destroy();
    else refuse(response, { status: 500, message: "Internal Server Error" });
  }
}

/** Paths of inference operations, for hints about a wrong base URL. */
const OPERATION = /(?:^|\/)(chat\/completions|completions|responses|messages|embeddings|moderations)\/?(?:\?|$)/;
const GENERATE_CONTENT = /:(?:streamGenerateContent|generateContent|countTokens)(?:\?|$)/;

/** Returns the problem of a path that looks like an API operation; null for other paths. @param {string} url @returns {string | null} */
function hintFor(url) {
  if (GENERATE_CONTENT.test(url))
    return "Gemini's API isn't served. Use an OpenAI or Anthropic client with the base URL /v1";
  const operation = OPERATION.exec(url)?.[1];
  return operation && !url.startsWith(`/v1/${operation}`)
    ? `The operation is at /v1/${operation}: set the base URL to /v1`
    : null;
}

/** @param {readonly Route[]} all @returns {Dispatcher} `answer` returns false for pages */
export function createDispatcher(all, log = logError) {
  const routes = all
    .map((route) => ({ ...route, template: templateOf(route) }))
    .sort((a, b) => dynamicSegments(a) - dynamicSegments(b));
  const fixed = new Map(routes.filter((route) => dynamicSegments(route) === 0).map((route) => [route.template, route]));
  /** @param {string} url a path, with or without a query @returns {{params: Record<string, string>, route: Route & {template: string}} | null} */
  const find = (url) => {
    const known = fixed.get(url);
    if (known) return { params: {}, route: known };
    const path = segmentsOf(url);
    for (const route of routes) {
      const params = match(route.segments, path);
      if (params) return { params, route };
    }
    return null;
  };
  /** @type {Answer} */
  const answer = (incoming, response) => {
    const { url = "/" } = incoming;
    const isCall = incoming.method === "POST";
    const found = isCall && GENERATE_CONTENT.test(url) ? null : find(url);
    const hint = !found && isCall ? hintFor(url) : null;
    if (!found && !hint && segmentsOf(url)[0] !== "v1") return false;
    if (found) {
      noteAccess(incoming, { route: found.route.template });
      void run(found.route, found.params, incoming, response, log);
    } else
      refuse(response, { status: 404, message: `Resource not found: ${shortPath(url)}${hint ? `. ${hint}` : ""}` });
    return true;
  };
  /** Calls a handler from inside the process. @param {Request} request */
  const call = async (request) => {
    const { pathname } = new URL(request.url);
    const found = find(pathname);
    const handlers = await found?.route.handlers();
    const handler = handlers?.[request.method];
    if (!found || !handler) throw new Error(`no route ${request.method} ${pathname}`);
    return handler(request, { params: found.params });
  };
  return { answer, call };
}
