import "server-only";
import { BrokenCircuitError } from "cockatiel";
import type { UpstreamTimeouts } from "../../platform/env";
import type { Attempt } from "../../records/generations/contract";
import { readStart } from "../../platform/outbound/bounded-body";
import { isEventStream } from "../../platform/outbound/is-event-stream";
import type { AnswerChunk } from "../../engine/protocols/answer-chunk";
import type { Endpoint } from "../../engine/endpoint";
import { processHealth, type EndpointHealth } from "../../records/providers/endpoint-health";
import { readAnswer } from "./answer-client";
import { retryAfterMs } from "./retry-after";
import { SANDBOX_PROVIDER } from "./sandbox-catalogue";
import {
  AttemptFailed,
  CIRCUIT_OPEN,
  isEndpointFault,
  MAX_RAW_CHARACTERS,
  toFailure,
  type Failure,
} from "../../engine/protocols/upstream-failure";

/** Calls one endpoint. */
export type CallEndpoint = (endpoint: Endpoint, signal: AbortSignal) => Promise<Response>;

export interface FirstAnswer {
  endpoint: Endpoint;
  /** The complete answer, including the chunk already received. */
  chunks: AsyncGenerator<AnswerChunk, void>;
  attempts: Attempt[];
  /** Failures of the endpoints tried before. */
  failures: Failure[];
  /** Records the endpoint's throughput; call once after the answer completed. */
  measure: (completionTokens: number | null) => void;
}

/** Thrown when every endpoint failed. */
export class NoAnswer extends Error {
  constructor(
    readonly attempts: Attempt[],
    readonly failures: Failure[],
  ) {
    super("No endpoint answered");
    this.name = "NoAnswer";
  }
}

/**
 * Tries the candidates in turn until one starts to answer. Before the first chunk, an endpoint fault (connection,
 * timeout, 408, 429, 5xx) moves to the next candidate; other errors end the search. Endpoints with an open circuit are
 * skipped while others remain; if none does, the one whose circuit opened first is tried, because a circuit breaker
 * saves time only where there is a choice.
 */
export async function firstAnswer(
  candidates: readonly Endpoint[],
  ask: CallEndpoint,
  signal: AbortSignal,
  timeouts: UpstreamTimeouts,
  health: EndpointHealth = processHealth,
): Promise<FirstAnswer> {
  const attempts: Attempt[] = [];
  const failures: Failure[] = [];
  const passedOver: Endpoint[] = [];

  /** Returns the endpoint's answer, or null when the next one should be tried. */
  const attempt = async (endpoint: Endpoint, go: EndpointHealth["attempt"]): Promise<FirstAnswer | null> => {
    const start = performance.now();
    const note = (status: number | null, error: string | null) =>
      attempts.push(toAttempt(endpoint, status, performance.now() - start, error));
    try {
      const { status, isStream, chunks } = await go(endpoint.id, signal, () => begin(endpoint, ask, signal, timeouts));
      note(status, null);
      return {
        endpoint,
        chunks: watched(chunks, signal, endpoint.id, health),
        attempts,
        failures,
        measure: stopwatch(endpoint.id, start, isStream, health),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BrokenCircuitError) {
        note(null, CIRCUIT_OPEN);
        passedOver.push(endpoint);
        return null;
      }
      const failure = toFailure(error);
      note(failure.status, failure.message);
      failures.push({ endpoint, failure });
      if (!isEndpointFault(failure)) throw new NoAnswer(attempts, failures);
      return null;
    }
  };

  for (const endpoint of candidates) {
    // The sandbox fails on purpose, and a circuit would hide that.
    const answer = await attempt(
      endpoint,
      endpoint.provider.slug === SANDBOX_PROVIDER.slug ? health.attemptAnyway : health.attempt,
    );
    if (answer) return answer;
  }
  const lastResort = health.longestOpen(passedOver);
  const answer = lastResort && (await attempt(lastResort, health.attemptAnyway));
  if (answer) return answer;
  throw new NoAnswer(attempts, failures);
}

const toAttempt = (
  { provider, model }: Endpoint,
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
});

/** Waits for the first chunk, so that a stream that fails immediately still falls back. */
async function begin(
  endpoint: Endpoint,
  ask: CallEndpoint,
  signal: AbortSignal,
  { connect, firstByte }: UpstreamTimeouts,
) {
  const deadline = new AbortController();
  const late = new AttemptFailed(null, "The upstream did not start to answer in time", { isTimeout: true });
  const timer = setTimeout(() => deadline.abort(late), connect + firstByte);
  try {
    const response = await ask(endpoint, AbortSignal.any([signal, deadline.signal]));
    if (!response.ok) throw await refusalOf(response);
    const chunks = readAnswer(response, endpoint.provider.protocol);
    const first = await chunks.next();
    return { status: response.status, isStream: isEventStream(response.headers), chunks: resume(first, chunks) };
  } finally {
    clearTimeout(timer);
  }
}

async function* resume(
  first: IteratorResult<AnswerChunk, void>,
  rest: AsyncGenerator<AnswerChunk, void>,
): AsyncGenerator<AnswerChunk, void> {
  try {
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** Counts a failure during an answer against its endpoint, unless the client disconnected. */
async function* watched(
  chunks: AsyncGenerator<AnswerChunk, void>,
  signal: AbortSignal,
  id: string,
  health: EndpointHealth,
): AsyncGenerator<AnswerChunk, void> {
  try {
    yield* chunks;
  } catch (error) {
    if (!signal.aborted) health.failed(id, toFailure(error));
    throw error;
  }
}

/** Measures time to first token and throughput; for an answer received at once, throughput only. */
function stopwatch(id: string, start: number, isStream: boolean, health: EndpointHealth): FirstAnswer["measure"] {
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
  return new AttemptFailed(status, messageIn(raw) ?? `The upstream returned ${status}`, {
    raw,
    retryAfterMs: retryAfterMs(headers),
  });
}

/** Extracts the message of an upstream's error body: `{error: {message}}`, `{error}` or `{message}`. */
function messageIn(raw: string): string | undefined {
  try {
    const body = JSON.parse(raw) as { error?: unknown; message?: unknown } | null;
    const error = body?.error ?? body?.message;
    const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
    return typeof message === "string" ? message.slice(0, 1000) : undefined;
  } catch {
    return undefined;
  }
}
