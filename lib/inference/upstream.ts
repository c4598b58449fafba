import type { Attempt } from "../generations/contract";
import type { StoredError } from "../generations/content-contract";
import type { ChatChunk } from "./chat-result-contract";
import type { Endpoint } from "./plan";
import { BrokenAnswer, readAnswer } from "./read-answer";

/** Asks one endpoint; its answer speaks chat completions. */
export type Ask = (endpoint: Endpoint, signal: AbortSignal) => Promise<Response>;

export interface FirstAnswer {
  endpoint: Endpoint;
  /** The whole answer: the part that has come is in it. */
  chunks: AsyncGenerator<ChatChunk, void>;
  attempts: Attempt[];
  /** The endpoints that failed before. */
  failures: Failure[];
}

export interface Failure {
  endpoint: Endpoint;
  failure: AttemptFailed;
}

/** One endpoint's failure. `status` is null when it gave none; `raw` holds its own words. */
export class AttemptFailed extends Error {
  constructor(
    readonly status: number | null,
    message: string,
    readonly raw: string | null = null,
  ) {
    super(message);
    this.name = "AttemptFailed";
  }
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

/** Longest wait for the first part of an answer. */
const FIRST_PART_MS = 120_000;
/** Bounds what is kept of an upstream's error. */
const MAX_RAW = 10_000;

/**
 * Asks the candidates in turn until one begins to answer. Before the first part of an answer a failure that another
 * endpoint may not share (connection, 408, 429, 5xx) means the next candidate; other refusals end the search.
 */
export async function firstAnswer(candidates: readonly Endpoint[], ask: Ask, signal: AbortSignal, firstPartMs = FIRST_PART_MS): Promise<FirstAnswer> {
  const attempts: Attempt[] = [];
  const failures: Failure[] = [];
  for (const endpoint of candidates) {
    const start = performance.now();
    const note = (status: number | null, error: string | null) =>
      attempts.push({
        provider: endpoint.provider.slug,
        provider_name: endpoint.provider.name,
        model: endpoint.model.slug,
        status,
        latency_ms: Math.round(performance.now() - start),
        error,
      });
    try {
      const { status, chunks } = await begin(endpoint, ask, signal, firstPartMs);
      note(status, null);
      return { endpoint, chunks, attempts, failures };
    } catch (error) {
      signal.throwIfAborted();
      const failure = toFailure(error);
      note(failure.status, failure.message);
      failures.push({ endpoint, failure });
      if (!mayDifferElsewhere(failure.status)) break;
    }
  }
  throw new NoAnswer(attempts, failures);
}

const mayDifferElsewhere = (status: number | null) => status === null || status === 408 || status === 429 || status >= 500;

/** Waits for the first part of an answer, so that a stream which fails at once still has a fallback. */
async function begin(endpoint: Endpoint, ask: Ask, signal: AbortSignal, firstPartMs: number) {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new AttemptFailed(504, `No answer within ${firstPartMs} ms`)), firstPartMs);
  try {
    const response = await ask(endpoint, AbortSignal.any([signal, deadline.signal]));
    if (!response.ok) throw refusal(response.status, await response.text());
    const chunks = readAnswer(response);
    const first = await chunks.next();
    return { status: response.status, chunks: resume(first, chunks) };
  } finally {
    clearTimeout(timer);
  }
}

async function* resume(first: IteratorResult<ChatChunk, void>, rest: AsyncGenerator<ChatChunk, void>): AsyncGenerator<ChatChunk, void> {
  try {
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

function refusal(status: number, raw: string): AttemptFailed {
  return new AttemptFailed(status, messageIn(raw) ?? `The upstream answered ${status}`, raw.slice(0, MAX_RAW));
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

export function toFailure(error: unknown): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  if (error instanceof BrokenAnswer) return new AttemptFailed(null, error.message, error.raw.slice(0, MAX_RAW));
  return new AttemptFailed(null, error instanceof Error ? error.message : String(error));
}

/** The status that the caller sees for an upstream's failure: routing-api.md "Errors". */
export function statusForCaller(status: number | null): number {
  if (status === 429 || status === 529) return 529;
  if (status === 408 || status === 504 || status === 524) return 524;
  return status === 400 || status === 413 || status === 422 ? 400 : 502;
}

/** What is told and stored of a failure: the last endpoint's, with those before it. */
export function describeFailures(failures: readonly Failure[]): StoredError & { message: string; status: number } {
  const last = failures.at(-1);
  const status = statusForCaller(last?.failure.status ?? null);
  return {
    message: status === 524 ? "Request timed out. Please try again later." : "Provider returned error",
    status,
    provider_name: last?.endpoint.provider.name ?? null,
    raw: last?.failure.raw ?? last?.failure.message ?? null,
    previous_errors: failures.slice(0, -1).map(({ endpoint, failure }) => ({
      code: failure.status ?? 502,
      message: failure.message,
      provider_name: endpoint.provider.name,
      raw: failure.raw,
    })),
  };
}
