import { BrokenCircuitError } from "cockatiel";
import type { UpstreamTimeouts } from "../env";
import type { Attempt } from "../generations/contract";
import { readStart } from "../outbound/bounded-body";
import { isEventStream } from "../outbound/is-event-stream";
import type { AnswerChunk } from "./answer-chunk";
import type { Endpoint } from "./endpoint";
import { processHealth, type EndpointHealth } from "./endpoint-health";
import { readAnswer } from "./read-answer";
import { retryAfterMs } from "./retry-after";
import { SANDBOX_PROVIDER } from "./sandbox-catalogue";
import { AttemptFailed, CIRCUIT_OPEN, isEndpointFault, MAX_RAW, toFailure, type Failure } from "./upstream-failure";

/** Asks one endpoint. */
export type Ask = (endpoint: Endpoint, signal: AbortSignal) => Promise<Response>;

export interface FirstAnswer {
  endpoint: Endpoint;
  /** The whole answer: the part that has come is in it. */
  chunks: AsyncGenerator<AnswerChunk, void>;
  attempts: Attempt[];
  /** The endpoints that failed before. */
  failures: Failure[];
  /** To be called once when the answer has ended well: its tokens measure the endpoint's speed. */
  measure: (completionTokens: number | null) => void;
}

/** Every endpoint failed. */
export class NoAnswer extends Error {
  constructor(
    readonly attempts: Attempt[],
    readonly failures: Failure[],
  ) {
    super("no endpoint answered");
    this.name = "NoAnswer";
  }
}

/**
 * Asks the candidates in turn until one begins to answer. Before the first part of an answer a failure of the endpoint's
 * own (connection, timeout, 408, 429, 5xx) means the next candidate; other refusals end the search. An endpoint whose
 * circuit is open is passed over while others remain; when none does, the one that has rested longest is asked all the
 * same: a breaker saves time where there is a choice, and turns nobody away who might have been answered.
 */
export async function firstAnswer(
  candidates: readonly Endpoint[],
  ask: Ask,
  signal: AbortSignal,
  timeouts: UpstreamTimeouts,
  health: EndpointHealth = processHealth,
): Promise<FirstAnswer> {
  const attempts: Attempt[] = [];
  const failures: Failure[] = [];
  const passedOver: Endpoint[] = [];

  /** The endpoint's answer, or null when the next one may do better. */
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
    // The sandbox fails on purpose: a circuit would hide that.
    const answer = await attempt(
      endpoint,
      endpoint.provider.slug === SANDBOX_PROVIDER.slug ? health.insist : health.attempt,
    );
    if (answer) return answer;
  }
  const lastResort = health.longestRested(passedOver);
  const answer = lastResort && (await attempt(lastResort, health.insist));
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

/** Waits for the first part of an answer, so that a stream which fails at once still has a fallback. */
async function begin(endpoint: Endpoint, ask: Ask, signal: AbortSignal, { connect, firstByte }: UpstreamTimeouts) {
  const deadline = new AbortController();
  const late = new AttemptFailed(null, "The upstream didn't begin to answer in time", { isTimeout: true });
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

/** Counts a failure in the middle of an answer against its endpoint, unless the client left. */
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

/** Counts how soon a streamed answer began, and later how fast it came; of one that came whole only the latter can be told. */
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
  const raw = await readStart(response, MAX_RAW);
  return new AttemptFailed(status, messageIn(raw) ?? `The upstream answered ${status}`, {
    raw,
    retryAfterMs: retryAfterMs(headers),
  });
}

/** The message of an upstream's error body: `{error: {message}}`, `{error}` or `{message}`. */
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
