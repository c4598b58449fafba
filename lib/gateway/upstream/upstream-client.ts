import "server-only";
import { BrokenCircuitError } from "cockatiel";
import type { UpstreamTimeouts } from "../../platform/env";
import { PlainSignal, type Signal } from "../../platform/signal";
import type { Attempt } from "../../records/generations/contract";
import { readStart } from "../../platform/outbound/bounded-body";
import { isEventStream } from "../../platform/outbound/is-event-stream";
import type { ResponseChunk } from "../../engine/protocols/response-chunk";
import { BrokenResponse } from "../../engine/protocols/broken-response";
import type { ResponseBatches } from "../../engine/protocols/chunk-batches";
import type { Endpoint } from "../../engine/endpoint";
import { processHealth, type EndpointHealth } from "../../records/providers/endpoint-health";
import { readStream, readWhole } from "./response-client";
import { withoutSecretsOf } from "./mask-secrets";
import { retryAfterMs } from "./retry-after";
import { SANDBOX_PROVIDER } from "./sandbox-catalogue";
import {
  AttemptFailed,
  CIRCUIT_OPEN,
  isEndpointFault,
  MAX_RAW_CHARACTERS,
  retryDelayIn,
  toFailure,
  upstreamErrorIn,
  type Failure,
} from "../../engine/protocols/upstream-failure";

/** Calls one endpoint; `onSent` is called when the request is written to a connection. */
export type CallEndpoint = (endpoint: Endpoint, signal: Signal, onSent: () => void) => Promise<Response>;

export interface FirstResponse {
  endpoint: Endpoint;
  /** The complete response with the chunks already received, batched as they arrived. */
  chunks: ResponseBatches;
  attempts: Attempt[];
  /** Failures of the endpoints tried before. */
  failures: Failure[];
  /** Records the endpoint's throughput. Call once, after the response is complete. */
  measure: (completionTokens: number | null) => void;
}

/** Thrown when every endpoint failed, or when the client disconnected first. */
export class NoResponse extends Error {
  constructor(
    readonly attempts: Attempt[],
    readonly failures: Failure[],
    readonly isAbandoned: boolean,
  ) {
    super("No endpoint answered");
    this.name = "NoResponse";
  }
}

/** Signals that end a search for a response. */
export interface Endings {
  /** Aborts when the client disconnects. */
  disconnected: Signal;
  /** Aborts when the process ends; then nothing is awaited. */
  ended?: Ending;
}

/** Ends a request when the process ends, at a fraction of the cost of a signal. */
export interface Ending {
  /** Set when it has ended. */
  reason: AttemptFailed | null;
  /** Called when it ends. */
  onEnd: (() => void) | null;
}

/**
 * Tries the candidates in turn until one starts to respond. Before the first chunk, an endpoint fault (connection,
 * timeout, 408, 429, 5xx) moves to the next candidate; other errors end the search. Endpoints with an open circuit are
 * skipped while others remain. If none does, the endpoint whose circuit opened first is tried, because a circuit
 * breaker saves time only where there is a choice.
 *
 * When the client disconnects, no further endpoint is tried. An attempt whose request was sent may continue for
 * `timeouts.abandoned`, because the upstream bills it and then reports its usage.
 */
export async function firstResponse(
  candidates: readonly Endpoint[],
  call: CallEndpoint,
  { disconnected, ended }: Endings,
  timeouts: UpstreamTimeouts,
  health: EndpointHealth = processHealth,
): Promise<FirstResponse> {
  const attempts: Attempt[] = [];
  const failures: Failure[] = [];
  const passedOver: Endpoint[] = [];

  /** Returns the endpoint's response, or null when the next one should be tried. */
  const attempt = async (endpoint: Endpoint, go: EndpointHealth["attempt"]): Promise<FirstResponse | null> => {
    const start = performance.now();
    const note = (status: number | null, error: string | null) =>
      attempts.push(toAttempt(endpoint, status, performance.now() - start, error));
    const run = new AttemptRun(disconnected, timeouts.abandoned, ended);
    try {
      const begun = await go(endpoint.id, disconnected, () => begin(endpoint, call, run, timeouts));
      const { response, first, rest } = begun;
      note(response.status, null);
      if (!rest) run.end();
      return {
        endpoint,
        chunks: rest ? watched({ response, first, rest }, disconnected, run, endpoint.id, health) : first,
        attempts,
        failures,
        measure: stopwatch(endpoint.id, start, rest !== null, health),
      };
    } catch (error) {
      run.end();
      if (error instanceof BrokenCircuitError) {
        note(null, CIRCUIT_OPEN);
        passedOver.push(endpoint);
        return null;
      }
      const failure = disconnected.aborted ? new AttemptFailed(null, "The client disconnected") : toFailure(error);
      note(failure.status, failure.message);
      const billable = run.billableMs === null ? {} : { billableMs: run.billableMs, attempt: attempts.length - 1 };
      failures.push({ endpoint, failure, ...billable });
      if (disconnected.aborted || !isEndpointFault(failure))
        throw new NoResponse(attempts, failures, disconnected.aborted);
      return null;
    }
  };

  for (const endpoint of candidates) {
    if (disconnected.aborted) throw new NoResponse(attempts, failures, true);
    // The sandbox fails on purpose, which a circuit would hide.
    const answer = await attempt(
      endpoint,
      endpoint.provider.slug === SANDBOX_PROVIDER.slug ? health.attemptAnyway : health.attempt,
    );
    if (answer) return answer;
  }
  const lastResort = health.longestOpen(passedOver);
  const answer = lastResort && (await attempt(lastResort, health.attemptAnyway));
  if (answer) return answer;
  throw new NoResponse(attempts, failures, disconnected.aborted);
}

/** The state of one attempt that decides when it ends and whether the upstream may bill it. */
class AttemptRun {
  readonly signal = new PlainSignal();
  readonly #disconnected: Signal;
  readonly #waitMs: number;
  readonly #ended: Ending | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sentAt: number | null = null;
  /** True once a success status has been received. */
  isAnswered = false;
  /** Milliseconds between sending and a failure that the upstream may bill; null otherwise. */
  billableMs: number | null = null;

  constructor(disconnected: Signal, waitMs: number, ended: Ending | undefined) {
    this.#disconnected = disconnected;
    this.#waitMs = waitMs;
    this.#ended = ended;
    if (ended?.reason) this.#endAll();
    else if (ended) ended.onEnd = this.#endAll;
    if (disconnected.aborted) this.#leave();
    else disconnected.addEventListener("abort", this.#leave, { once: true });
  }

  readonly expire = (): void =>
    this.signal.abort(new AttemptFailed(null, "The upstream did not respond in time", { isTimeout: true }));

  readonly onSent = (): void => {
    if (!this.signal.aborted) this.#sentAt ??= performance.now();
  };

  /** Errors that the upstream reports are free, as are connections that fail or close before a response. */
  failed(error: unknown): void {
    const isReported = error instanceof BrokenResponse && error.isReported;
    const isBillable = this.signal.aborted || toFailure(error).isTimeout || (this.isAnswered && !isReported);
    this.billableMs = isBillable && this.#sentAt !== null ? performance.now() - this.#sentAt : null;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#disconnected.removeEventListener("abort", this.#leave);
    if (this.#ended?.onEnd === this.#endAll) this.#ended.onEnd = null;
  }

  readonly #endAll = (): void => this.signal.abort(this.#ended?.reason);

  readonly #leave = (): void => {
    const stop = () => this.signal.abort(this.#disconnected.reason);
    if (this.#sentAt === null || this.#waitMs === 0) stop();
    else this.#timer = setTimeout(stop, this.#waitMs);
  };
}

const toAttempt = (
  { provider, model, dataRegion }: Endpoint,
  status: number | null,
  latencyMs: number,
  error: string | null,
): Attempt => ({
  provider: provider.slug,
  provider_name: provider.name,
  model: model.slug,
  status,
  latency_ms: Math.round(latencyMs),
  error,
  data_region: dataRegion,
});

/** The chunks that arrived first and the following ones; null when the response isn't streamed. */
interface Begun {
  response: Response;
  first: ResponseChunk[][];
  rest: AsyncGenerator<ResponseChunk[], void> | null;
}

/**
 * Waits for the first chunk, so that a stream that fails before it still falls back. The first byte of the response
 * ends the first-byte timeout, whatever it contains. Then the idle timeout of the connection applies, because a
 * reasoning model sends comments, pings or white space meanwhile.
 */
async function begin(
  endpoint: Endpoint,
  call: CallEndpoint,
  run: AttemptRun,
  { connect, firstByte }: UpstreamTimeouts,
): Promise<Begun> {
  const timer = setTimeout(run.expire, connect + firstByte);
  const onFirstByte = () => clearTimeout(timer);
  let response: Response | undefined;
  try {
    response = await call(endpoint, run.signal, run.onSent);
    if (!response.ok) throw await refusalOf(response);
    run.isAnswered = true;
    const { protocol } = endpoint.provider;
    if (!isEventStream(response.headers))
      return { response, first: [await readWhole(response, protocol, onFirstByte)], rest: null };
    const rest = readStream(response, protocol, onFirstByte);
    const { value } = await rest.next();
    return { response, first: value ? [value] : [], rest };
  } catch (error) {
    run.failed(error);
    throw withoutSecretsOf(response, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Yields the whole response. Counts a failure during it against its endpoint, unless the client disconnected. */
async function* watched(
  { response, first, rest }: Begun & { rest: AsyncGenerator<ResponseChunk[], void> },
  disconnected: Signal,
  run: AttemptRun,
  id: string,
  health: EndpointHealth,
): AsyncGenerator<ResponseChunk[], void> {
  try {
    yield* first;
    yield* rest;
  } catch (error) {
    if (!disconnected.aborted) health.failed(id, toFailure(error));
    throw withoutSecretsOf(response, error);
  } finally {
    await rest.return();
    run.end();
  }
}

/** Measures time to first token and throughput; for a response received at once, only throughput. */
function stopwatch(id: string, start: number, isStream: boolean, health: EndpointHealth): FirstResponse["measure"] {
  const began = performance.now();
  if (isStream) health.measureLatency(id, (began - start) / 1000);
  return (completionTokens) => {
    const seconds = (performance.now() - (isStream ? began : start)) / 1000;
    if (completionTokens && seconds > 0) health.measureThroughput(id, completionTokens / seconds);
  };
}

async function refusalOf(response: Response): Promise<AttemptFailed> {
  const { status, headers } = response;
  const raw = await readStart(response, MAX_RAW_CHARACTERS);
  return new AttemptFailed(status, upstreamErrorIn(raw)?.message ?? `The upstream returned status ${status}`, {
    raw,
    retryAfterMs: retryAfterMs(headers) ?? retryDelayIn(raw),
  });
}
