import "server-only";
import { LRUCache } from "lru-cache";
import { Agent, DecoratorHandler, request, type Dispatcher } from "undici";
import type { UpstreamTimeouts } from "../env";
import { DirectResponse } from "../http/direct-response";
import { urlProblem } from "./address-policy";
import { boundedBody } from "./bounded-body";
import { checkedLookup } from "./checked-lookup";
import { failureOf, OutboundFailure } from "./failure";
import { isEventStream } from "./is-event-stream";

export interface OutboundRequest {
  method: "GET" | "POST";
  url: string;
  /** All headers besides those of the connection. */
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Permits http and private addresses; link-local and metadata addresses are never allowed. */
  allowPrivate: boolean;
  timeouts: Pick<UpstreamTimeouts, "connect" | "firstByte" | "idle">;
  signal: AbortSignal;
  /** Called when a connection exists and the request is being written; never called when connecting fails. */
  onSent?: () => void;
}

/** Maximum size of an answer. Event streams are unlimited, since each event is limited where it is read. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Sends an upstream request to an address checked on resolution. Follows no redirects and decodes nothing; answers are
 * limited to 32 MiB unless they are event streams. Aborting, or cancelling the body, closes the connection. Fails with
 * `OutboundFailure`, also while reading the body, or with the signal's reason.
 */
export async function outboundFetch({
  method,
  url,
  headers,
  body,
  allowPrivate,
  timeouts,
  signal,
  onSent,
}: OutboundRequest): Promise<Response> {
  const problem = knownProblem(url, allowPrivate);
  if (problem !== null) throw new OutboundFailure(null, `The URL ${problem}`);
  const options: RequestOptions = {
    dispatcher: agentFor(allowPrivate, timeouts),
    method,
    headers: { ...headers, "accept-encoding": "identity" },
    body,
    signal,
    onSent,
  };
  const answer = await request(url, options).catch((error: unknown) => {
    signal.throwIfAborted();
    throw failureOf(error);
  });
  const { statusCode } = answer;
  const received = new Headers();
  for (const [name, value = ""] of Object.entries(answer.headers)) received.set(name, String(value));
  const refusal = refusalOf(statusCode, received);
  if (refusal === null) {
    const maxBytes = isEventStream(received) ? Infinity : MAX_ANSWER_BYTES;
    return new DirectResponse(boundedBody(answer.body, maxBytes, signal), { status: statusCode, headers: received });
  }
  answer.body.on("error", () => undefined).destroy();
  throw new OutboundFailure(statusCode, refusal);
}

/** Verdicts about URLs, which depend on nothing else; the addresses of their hosts are checked on connection. */
const verdicts = new LRUCache<string, { problem: string | null }>({ max: 1000 });

function knownProblem(url: string, allowPrivate: boolean): string | null {
  const key = `${allowPrivate} ${url}`;
  const known = verdicts.get(key) ?? { problem: urlProblem(url, allowPrivate) };
  verdicts.set(key, known);
  return known.problem;
}

/** Returns the reason to reject an answer. */
function refusalOf(status: number, headers: Headers): string | null {
  if (status >= 300 && status < 400) return `The upstream redirects (${status}); redirects aren't followed`;
  if (status > 599 || status === 204 || status === 205)
    return `The upstream returned status ${status}, which is not supported`;
  const encoding = headers.get("content-encoding") ?? "identity";
  return encoding === "identity"
    ? null
    : `The upstream compressed its answer (${encoding}) despite Accept-Encoding: identity`;
}

type RequestOptions = NonNullable<Parameters<typeof request>[1]> & Pick<OutboundRequest, "onSent">;

/** Reports the start of a request on its connection. */
class SentReporter extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #onSent: () => void;

  constructor(handler: Dispatcher.DispatchHandler, onSent: () => void) {
    super(handler);
    this.#onSent = onSent;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#onSent();
    (DecoratorHandler.prototype as Dispatcher.DispatchHandler).onRequestStart?.call(this, controller, context);
  }
}

const reportSent: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { onSent } = options as Pick<OutboundRequest, "onSent">;
  return dispatch(options, onSent ? new SentReporter(handler, onSent) : handler);
};

/** Agents are shared by connection settings; a process has one or two. */
const agents = new Map<string, Dispatcher>();

function agentFor(allowPrivate: boolean, { connect, firstByte, idle }: OutboundRequest["timeouts"]): Dispatcher {
  const key = [allowPrivate, connect, firstByte, idle].join();
  const known = agents.get(key);
  if (known) return known;
  const agent = new Agent({
    connect: { timeout: connect, lookup: checkedLookup(allowPrivate) },
    headersTimeout: firstByte,
    bodyTimeout: idle,
    maxHeaderSize: MAX_HEADER_BYTES,
  }).compose(reportSent);
  agents.set(key, agent);
  return agent;
}
