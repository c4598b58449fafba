// Logs one line for each HTTP request if SIGNALBOX_ACCESS_LOG is set: no addresses, query strings, headers or bodies.
import pino from "pino";
import { BASE } from "./process-log.mjs";

/**
 * @typedef {import("node:http").IncomingMessage} Incoming
 * @typedef {import("node:http").ServerResponse} Outgoing
 * @typedef {{route?: string, keyId?: string, traceId?: string}} AccessFacts
 */

/** Facts of the requests in progress whose end is logged. @type {WeakMap<Incoming, AccessFacts>} */
const factsOf = new WeakMap();

/** Adds what is known about a request to its line. @param {Incoming} request @param {AccessFacts} facts */
export function noteAccess(request, facts) {
  const known = factsOf.get(request);
  if (known) Object.assign(known, facts);
}

/** Logs the requests of a server. @param {import("node:http").Server} server @param {import("pino").DestinationStream} [destination] */
export function logAccess(server, destination) {
  const log = pino({ base: BASE }, destination);
  /** @param {Incoming} request @param {Outgoing} response */
  const begin = (request, response) => {
    const { socket, method } = request;
    const start = performance.now();
    const written = socket.bytesWritten;
    /** @type {AccessFacts} */
    const facts = {};
    factsOf.set(request, facts);
    response.once("close", () => {
      log.info(
        {
          method,
          route: facts.route,
          status: response.headersSent ? response.statusCode : null,
          ms: Math.round((performance.now() - start) * 10) / 10,
          bytes: socket.bytesWritten - written,
          request_id: response.getHeader("x-request-id"),
          generation_id: response.getHeader("x-generation-id"),
          key_id: facts.keyId,
          trace_id: facts.traceId,
          disconnected: !response.writableFinished,
        },
        "request",
      );
    });
  };
  server.prependListener("request", begin);
  server.prependListener("checkExpectation", begin);
}
