import { isGatewayError, whenReady } from "./reach";

/** A field's problem, from the response's `metadata.issues`. */
export interface FieldIssue {
  path: readonly (string | number)[];
  message: string;
  code?: string;
}

/** Status of a change to a revision that is no longer the latest. */
export const PRECONDITION_FAILED = 412;

interface ErrorAnswer {
  error?: { message?: string; metadata?: Record<string, unknown> };
}

/** A failed operation. `status` 0: there was no response. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string | null = null,
    readonly metadata: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = "ApiFailure";
  }

  /** There was no response because this device is offline. */
  get isOffline(): boolean {
    return this.status === 0 && this.metadata["reason"] === "offline";
  }

  /** There was no response although this device is online: the server may be restarting. */
  get isUnreachable(): boolean {
    return this.status === 0 && !this.isOffline;
  }

  get issues(): readonly FieldIssue[] {
    const { issues } = this.metadata;
    return Array.isArray(issues) ? (issues as FieldIssue[]) : [];
  }
}

/** The failure of a request without a response. */
export function noResponse(): ApiFailure {
  if (!navigator.onLine) return new ApiFailure(0, "This device is offline", null, { reason: "offline" });
  void whenReady();
  return new ApiFailure(0, "Can't reach Signalbox");
}

export async function failureOf(response: Response): Promise<ApiFailure> {
  if (isGatewayError(response)) return noResponse();
  const answer = (await response.json().catch(() => null)) as ErrorAnswer | null;
  const message = answer?.error?.message ?? `The server returned status ${response.status}`;
  return new ApiFailure(response.status, message, response.headers.get("x-request-id"), answer?.error?.metadata);
}

const UNEXPECTED = "Something went wrong in the console. Reload the page and try again.";

/** Converts any thrown value to a failure. The message of an unexpected error is kept in `cause`, not shown to users. */
export function toFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const failure = new ApiFailure(-1, UNEXPECTED);
  failure.cause = error;
  return failure;
}

/** True for the answer that the user can't see the record, or that there is none. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiFailure && error.status === 404;
