import "server-only";
import { Agent, request } from "undici";
import type { UpstreamTimeouts } from "../env";
import { urlProblem } from "./address-policy";
import { boundedBody } from "./bounded-body";
import { checkedLookup } from "./checked-lookup";
import { failureOf, OutboundFailure } from "./failure";
import { isEventStream } from "./is-event-stream";

export interface OutboundRequest {
  method: "GET" | "POST";
  url: string;
  /** All that is sent besides what the connection needs. */
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** May the URL lead to private addresses, and be http? Link-local and metadata addresses stay closed. */
  allowPrivate: boolean;
  timeouts: UpstreamTimeouts;
  signal: AbortSignal;
}

/** Longest answer that is read; an event stream may be as long as it lasts, each event is bounded where it is read. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Asks an upstream at an address that was checked when it was resolved. Follows no redirect and decodes nothing, so that
 * an answer is what came from that address, of at most 32 MiB unless it is an event stream. Aborting, or cancelling the
 * body, closes the connection. Fails, also while the body is read, with `OutboundFailure`; when aborted with the signal's
 * reason.
 */
export async function outboundFetch({
  method,
  url,
  headers,
  body,
  allowPrivate,
  timeouts,
  signal,
}: OutboundRequest): Promise<Response> {
  const problem = urlProblem(url, allowPrivate);
  if (problem !== null) throw new OutboundFailure(null, `The URL ${problem}`);
  const answer = await request(url, {
    dispatcher: agentFor(allowPrivate, timeouts),
    method,
    headers: { ...headers, "accept-encoding": "identity" },
    body,
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw failureOf(error);
  });
  const { statusCode } = answer;
  const received = new Headers();
  for (const [name, value = ""] of Object.entries(answer.headers)) received.set(name, String(value));
  const refusal = refusalOf(statusCode, received);
  if (refusal === null) {
    const maxBytes = isEventStream(received) ? Infinity : MAX_ANSWER_BYTES;
    return new Response(boundedBody(answer.body, maxBytes, signal), { status: statusCode, headers: received });
  }
  answer.body.on("error", () => undefined).destroy();
  throw new OutboundFailure(statusCode, refusal);
}

/** Why an answer isn't taken. */
function refusalOf(status: number, headers: Headers): string | null {
  if (status >= 300 && status < 400) return `The upstream redirects (${status}); redirects aren't followed`;
  if (status > 599 || status === 204 || status === 205) return `The upstream answered ${status}, which is no answer`;
  const encoding = headers.get("content-encoding") ?? "identity";
  return encoding === "identity" ? null : `The upstream compressed its answer (${encoding}) though it was asked not to`;
}

/** Connections are kept per way of connecting: a process has one or two. */
const agents = new Map<string, Agent>();

function agentFor(allowPrivate: boolean, { connect, firstByte, idle }: UpstreamTimeouts): Agent {
  const key = [allowPrivate, connect, firstByte, idle].join();
  const known = agents.get(key);
  if (known) return known;
  const agent = new Agent({
    connect: { timeout: connect, lookup: checkedLookup(allowPrivate) },
    headersTimeout: firstByte,
    bodyTimeout: idle,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  agents.set(key, agent);
  return agent;
}
