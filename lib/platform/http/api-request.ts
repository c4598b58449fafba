/**
 * The part of a `Request` that operations use. The server passes an implementation that creates no web objects
 * (lib/server/incoming-request.mjs).
 */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, "get" | "has">;
  /** Aborted when the client disconnects; present only in a `Request`. */
  readonly signal?: AbortSignal;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Calls the function when the client disconnects before the response has been sent. */
  readonly onLeave?: (listener: () => void) => void;
  /** Calls the function when the response has been sent or the client has disconnected. */
  readonly onClose?: (listener: () => void) => void;
  /** Adds facts to the request's line in the access log. */
  readonly note?: (facts: AccessFacts) => void;
}

/** Facts about a request that only the operation knows. */
export interface AccessFacts {
  keyId?: string;
  traceId?: string;
}
