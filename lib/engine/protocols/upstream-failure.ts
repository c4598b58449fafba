import type { StoredError } from "./contracts/stored-error-contract";
import { ApiError } from "../../platform/api-error";
import { OutboundFailure } from "../../platform/outbound/failure";
import { asObject, asObjects, asText, jsonIn } from "../../platform/json-values";
import { BrokenResponse } from "./broken-response";
import type { Endpoint } from "../endpoint";

/** Maximum number of characters stored of an upstream's message. */
export const MAX_RAW_CHARACTERS = 10_000;

/** Message of an attempt skipped because of an open circuit. */
export const CIRCUIT_OPEN = "skipped: circuit open";

interface Details {
  /** The upstream's own message. */
  raw?: string | null;
  isTimeout?: boolean;
  /** Delay requested by the upstream, in milliseconds. */
  retryAfterMs?: number | null;
}

/** An endpoint's failure to answer. */
export class AttemptFailed extends Error {
  readonly raw: string | null;
  readonly isTimeout: boolean;
  readonly retryAfterMs: number | null;

  constructor(
    /** The upstream's HTTP status, if any. */
    readonly status: number | null,
    message: string,
    { raw = null, isTimeout = false, retryAfterMs = null }: Details = {},
  ) {
    super(message);
    this.name = "AttemptFailed";
    this.raw = raw?.slice(0, MAX_RAW_CHARACTERS) ?? null;
    this.isTimeout = isTimeout;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A failure and its endpoint. */
export interface Failure {
  endpoint: Endpoint;
  failure: AttemptFailed;
  /** Milliseconds the upstream worked on a request that it may bill without an answer; absent otherwise. */
  billableMs?: number;
  /** Index of the attempt. */
  attempt?: number;
}

export function toFailure(error: unknown): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  if (error instanceof BrokenResponse) return new AttemptFailed(error.status, error.message, { raw: error.raw });
  if (error instanceof OutboundFailure)
    return new AttemptFailed(error.status, error.message, { isTimeout: error.isTimeout });
  return new AttemptFailed(null, error instanceof Error ? error.message : String(error));
}

/**
 * True when the failure is the endpoint's own and another endpoint may succeed: no answer, a redirect, 408, 424, 429 or 5xx.
 * Other errors concern the request and would recur everywhere.
 */
export const isEndpointFault = ({ status }: AttemptFailed): boolean =>
  status === null || status < 400 || status === 408 || status === 424 || status === 429 || status >= 500;

/** Upstream statuses that are returned unchanged, because they concern the request or its rate. */
const OWN_STATUSES: ReadonlySet<number | null> = new Set([400, 404, 413, 429]);

/** Returns the status that the caller sees for an upstream's failure (docs/semantics.md#upstream-failures). */
export function statusForCaller({ status, isTimeout }: AttemptFailed): number {
  if (isTimeout || status === 408 || status === 504 || status === 524) return 524;
  if (status === 422) return 400;
  return status === 529 || (status !== null && OWN_STATUSES.has(status)) ? status : 502;
}

/** Statuses that concern the provider's credentials or account, not the caller's request. */
const OF_CREDENTIALS: ReadonlySet<number | null> = new Set([401, 402, 403]);

/** Returns the upstream's error; null without one, or if it concerns the provider's credentials. */
const saidOf = ({ status, raw }: AttemptFailed): UpstreamError | null =>
  OF_CREDENTIALS.has(status) ? null : upstreamErrorIn(raw ?? "");

/** The error of a failure in a stream, which has no HTTP status of its own. */
export interface StreamedError {
  status: number;
  message: string;
  /** The upstream's code, type and parameter. */
  code?: unknown;
  type?: unknown;
  param?: unknown;
  metadata?: Record<string, unknown>;
}

/** Returns the error of a failure in a stream. Only an `ApiError` has the upstream's error, in the form that filters allow. */
export function streamedError(failure: AttemptFailed | ApiError): StreamedError {
  if (!(failure instanceof ApiError)) {
    const status = statusForCaller(failure);
    return { status, message: plainMessage(status) };
  }
  const { status, message } = failure;
  const { type, param, code, service_metadata: _, ...metadata } = failure.metadata ?? {};
  return { status, message, code, type, param, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

/** Encodes an error of a stream as OpenAI does; `code` is the upstream's code or else the status. */
export const chatError = ({ status, code, ...error }: StreamedError): object => ({
  code: code ?? status,
  ...error,
  status,
});

/** Statuses in ascending order of usefulness to a client. */
const LEAST_TO_MOST_TELLING = [502, 524, 529, 429];
const tells = ({ failure }: Failure): number => {
  const rank = LEAST_TO_MOST_TELLING.indexOf(statusForCaller(failure));
  return rank === -1 ? LEAST_TO_MOST_TELLING.length : rank;
};

/** Returns the failure that the caller sees: the last one with the most useful status. */
const reported = (failures: readonly Failure[]): Failure | undefined =>
  failures.reduce<Failure | undefined>(
    (best, failure) => (best && tells(best) > tells(failure) ? best : failure),
    undefined,
  );

/** Returns the message of a status when the upstream's message isn't shown. */
export const plainMessage = (status: number): string =>
  status === 524 ? "Request timed out. Please try again later." : "Provider returned error";

/** Builds the error to return and store: the failure that the caller sees, with the others as previous failures. */
export function describeFailures(failures: readonly Failure[]): StoredError & { message: string; status: number } {
  const shown = reported(failures);
  const status = shown ? statusForCaller(shown.failure) : 502;
  const said = shown && saidOf(shown.failure)?.message;
  return {
    message: said ?? plainMessage(status),
    status,
    provider_name: shown?.endpoint.provider.name ?? null,
    raw: shown?.failure.raw ?? shown?.failure.message ?? null,
    previous_errors: failures
      .filter((failure) => failure !== shown)
      .map(({ endpoint, failure }) => ({
        code: failure.status ?? statusForCaller(failure),
        message: failure.message,
        provider_name: endpoint.provider.name,
        raw: failure.raw,
      })),
  };
}

/** Returns the parts of a failure that clients' retries and error classes depend on. */
export function clientHints(failures: readonly Failure[]): {
  retryAfter: string | null;
  upstream: UpstreamError | null;
} {
  const shown = reported(failures);
  if (!shown) return { retryAfter: null, upstream: null };
  const status = statusForCaller(shown.failure);
  const delays = failures.flatMap(({ failure }) =>
    failure.retryAfterMs !== null && statusForCaller(failure) === status ? [failure.retryAfterMs] : [],
  );
  return {
    retryAfter: delays.length > 0 ? String(Math.min(MAX_RETRY_AFTER, Math.ceil(Math.min(...delays) / 1000))) : null,
    upstream: saidOf(shown.failure),
  };
}

/** Maximum `Retry-After` that is passed on, in seconds. */
const MAX_RETRY_AFTER = 86_400;

/** The parts of an upstream's error body that clients read. */
export interface UpstreamError {
  message: string;
  code: string | null;
  type: string | null;
  param: string | null;
}

/**
 * Reads an upstream's error body or event: `{error: {message, …}}`, `{error}`, `{message, …}`, `{detail}` or
 * `{response: {error}}`, also in a list.
 */
export function upstreamErrorIn(raw: string): UpstreamError | null {
  const body = asObject([jsonIn(raw)].flat()[0]);
  const error = body?.["error"] ?? asObject(body?.["response"])?.["error"] ?? body?.["message"] ?? body?.["detail"];
  const fields = asObject(error) ?? body ?? {};
  const message = asText(asObject(error)?.["message"] ?? error);
  if (message === null) return null;
  const text = (name: string) => asText(fields[name])?.slice(0, MAX_CODE) ?? null;
  const detail = asText(asObject(fields["details"])?.["error_code"])?.slice(0, MAX_CODE);
  // The code of Google's APIs is the HTTP status, and has a name beside it.
  const code = text("code") ?? detail ?? text("status");
  // The type of an event isn't that of its error.
  const type = text("type") === "error" ? null : text("type");
  return { message: message.slice(0, MAX_MESSAGE), code, type, param: text("param") };
}

const MAX_MESSAGE = 1000;
const MAX_CODE = 200;

/** Reads the delay of a `google.rpc.RetryInfo` in an error body, in milliseconds; null when absent. */
export function retryDelayIn(raw: string): number | null {
  const error = asObject(asObject([jsonIn(raw)].flat()[0])?.["error"]);
  const delays = asObjects(error?.["details"]).map(({ retryDelay }) =>
    /^(\d+(?:\.\d+)?)s$/.exec(asText(retryDelay) ?? ""),
  );
  const seconds = delays.find((delay) => delay !== null)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
