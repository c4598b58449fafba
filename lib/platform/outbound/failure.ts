/** A failed upstream request or response. Contains no address or secret. */
export class OutboundFailure extends Error {
  constructor(
    /** The upstream's HTTP status, if any. */
    readonly status: number | null,
    message: string,
    readonly isTimeout = false,
  ) {
    super(message);
    this.name = "OutboundFailure";
  }
}

const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "Connecting to the upstream timed out",
  UND_ERR_HEADERS_TIMEOUT: "The upstream did not respond in time",
  UND_ERR_BODY_TIMEOUT: "The upstream stopped in the middle of its response",
};
const BROKEN: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: "The upstream's response headers are too large",
  UND_ERR_SOCKET: "The upstream closed the connection",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "The upstream closed the connection",
  ECONNRESET: "The upstream closed the connection",
  ECONNREFUSED: "The upstream refused the connection",
  ENOTFOUND: "The upstream's host name can't be resolved",
};

/** Converts an HTTP client error to a message without addresses. */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
  const timeout = TIMEOUTS[code];
  return timeout
    ? new OutboundFailure(null, timeout, true)
    : new OutboundFailure(null, BROKEN[code] ?? `The connection to the upstream failed (${code})`);
}
