import type { StoredError } from "../../features/content-access/contract";
import { OutboundFailure } from "../../platform/outbound/failure";
import { BrokenAnswer } from "./broken-answer";
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
  /** Milliseconds the upstream worked on a request that it may bill although no answer came; absent otherwise. */
  billableMs?: number;
  /** Index of the attempt. */
  attempt?: number;
}

export function toFailure(error: unknown): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  if (error instanceof BrokenAnswer) return new AttemptFailed(error.status, error.message, { raw: error.raw });
  if (error instanceof OutboundFailure)
    return new AttemptFailed(error.status, error.message, { isTimeout: error.isTimeout });
  return new AttemptFailed(null, error instanceof Error ? error.message : String(error));
}

/**
 * True when the failure is the endpoint's own and another endpoint may succeed: no answer, a redirect, 408, 429 or 5xx.
 * Other errors concern the request and would recur everywhere.
 */
export const isEndpointFault = ({ status }: AttemptFailed): boolean =>
  status === null || status < 400 || status === 408 || status === 429 || status >= 500;

/** The status that the caller sees for an upstream's failure: docs/semantics.md#upstream-failures. */
export function statusForCaller({ status, isTimeout }: AttemptFailed): number {
  if (isTimeout || status === 408 || status === 504 || status === 524) return 524;
  if (status === 429 || status === 529) return 529;
  return status === 400 || status === 413 || status === 422 ? 400 : 502;
}

/** Builds the error to return and store: the last endpoint's failure with the previous ones. */
export function describeFailures(failures: readonly Failure[]): StoredError & { message: string; status: number } {
  const last = failures.at(-1);
  const status = last ? statusForCaller(last.failure) : 502;
  return {
    message: status === 524 ? "Request timed out. Please try again later." : "Provider returned error",
    status,
    provider_name: last?.endpoint.provider.name ?? null,
    raw: last?.failure.raw ?? last?.failure.message ?? null,
    previous_errors: failures.slice(0, -1).map(({ endpoint, failure }) => ({
      code: failure.status ?? statusForCaller(failure),
      message: failure.message,
      provider_name: endpoint.provider.name,
      raw: failure.raw,
    })),
  };
}
