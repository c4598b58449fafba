import "server-only";
import { LRUCache } from "lru-cache";
import { Agent } from "undici";
import type { UpstreamTimeouts } from "../env";
import { DirectResponse } from "../http/direct-response";
import type { Signal } from "../signal";
import { urlProblem } from "./blocked-address";
import { checkedLookup } from "./checked-lookup";
import { Exchange } from "./exchange";
import { OutboundFailure, type Peer } from "./failure";
import { isEventStream } from "./is-event-stream";

export interface OutboundRequest {
  peer: Peer;
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  /** All headers besides those of the connection. */
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Permits http and private addresses; link-local and metadata addresses are never allowed. */
  allowPrivate: boolean;
  timeouts: Pick<UpstreamTimeouts, "connect" | "firstByte" | "idle">;
  signal: Signal;
  /** Called when a connection exists and the request is being written; not called if connecting fails. */
  onSent?: () => void;
}

/** Maximum size of a response. Event streams are unlimited, because each event is limited where it is read. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Sends a request to an address checked on resolution. Follows no redirects and decodes nothing. Responses are limited to 32 MiB
 * unless they are event streams. Aborting, or cancelling the body, closes the connection. Fails with `OutboundFailure`, even while the
 * body is read, or with the signal's reason.
 */
export async function outboundFetch({
  peer,
  method,
  url,
  headers,
  body,
  allowPrivate,
  timeouts,
  signal,
  onSent,
}: OutboundRequest): Promise<Response> {
  const { problem, origin, path } = knownAddress(url, allowPrivate);
  if (problem !== null) throw new OutboundFailure(null, `The URL ${problem}`);
  signal.throwIfAborted();
  const exchange = new Exchange(peer, signal, onSent);
  agentFor(allowPrivate, timeouts).dispatch(
    { origin, path, method, headers: { ...headers, "accept-encoding": "identity" }, body },
    exchange,
  );
  const { status, headers: received } = await exchange.head;
  const refusal = refusalOf(peer, method, status, received);
  if (refusal !== null) {
    const failure = new OutboundFailure(status, refusal);
    exchange.close(failure);
    throw failure;
  }
  if (!isEventStream(received)) exchange.limit(MAX_ANSWER_BYTES);
  return new DirectResponse(exchange, { status, headers: received });
}

interface Address {
  problem: string | null;
  origin: string;
  path: string;
}

/** Caches verdicts about URLs. The addresses of their hosts are checked on connection. */
const addresses = new LRUCache<string, Address>({ max: 1000 });

function knownAddress(url: string, allowPrivate: boolean): Address {
  const key = `${allowPrivate} ${url}`;
  const known = addresses.get(key);
  if (known) return known;
  const problem = urlProblem(url, allowPrivate);
  const { origin, pathname, search } = problem === null ? new URL(url) : { origin: "", pathname: "", search: "" };
  const address = { problem, origin, path: `${pathname}${search}` };
  addresses.set(key, address);
  return address;
}

/** Returns the reason to reject a response. */
function refusalOf(peer: Peer, method: OutboundRequest["method"], status: number, headers: Headers): string | null {
  if (status >= 300 && status < 400) return `The ${peer} redirects (${status}); redirects aren't followed`;
  const isEmpty = status === 204 && method === "DELETE";
  if (status > 599 || (status === 204 && !isEmpty) || status === 205)
    return `The ${peer} returned status ${status}, which is not supported`;
  const encoding = headers.get("content-encoding") ?? "identity";
  return encoding === "identity"
    ? null
    : `The ${peer} compressed its answer (${encoding}) despite Accept-Encoding: identity`;
}

/** Agents are shared by connection settings; a process has one or two. */
const agents = new Map<string, Agent>();

function agentFor(allowPrivate: boolean, { connect, firstByte, idle }: OutboundRequest["timeouts"]): Agent {
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
