/** The part of a `Request` that operations use: the server passes one that creates no web objects (lib/server/incoming-request.mjs). */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, "get" | "has">;
  /** Aborted when the client disconnects; only of a `Request`. */
  readonly signal?: AbortSignal;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Calls the function when the client disconnects before the response has been sent. */
  readonly onLeave?: (listener: () => void) => void;
  /** Calls the function when the response has been sent or the client has disconnected. */
  readonly onClose?: (listener: () => void) => void;
  /** Adds facts to the request's line in the access log. */
  readonly note?: (facts: AccessFacts) => void;
}

/** What an operation knows about a request that the server doesn't. */
export interface AccessFacts {
  keyId?: string;
  traceId?: string;
}
