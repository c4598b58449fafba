/** The noun by which messages name the other end of a connection. */
export type Peer = "upstream" | "endpoint" | "receiver" | "object storage" | "issuer" | "identity provider";

/** A failed outbound request or response. Contains no address or secret. */
export class OutboundFailure extends Error {
  constructor(
    /** The HTTP status of the response, if any. */
    readonly status: number | null,
    message: string,
    readonly isTimeout = false,
  ) {
    super(message);
    this.name = "OutboundFailure";
  }
}

type Message = (peer: Peer) => string;

const closed: Message = (peer) => `The ${peer} closed the connection`;
const TIMEOUTS: Readonly<Record<string, Message>> = {
  UND_ERR_CONNECT_TIMEOUT: (peer) => `Connecting to the ${peer} timed out`,
  UND_ERR_HEADERS_TIMEOUT: (peer) => `The ${peer} did not respond in time`,
  UND_ERR_BODY_TIMEOUT: (peer) => `The ${peer} stopped in the middle of its response`,
};
const BROKEN: Readonly<Record<string, Message>> = {
  UND_ERR_HEADERS_OVERFLOW: (peer) => `The ${peer}'s response headers are too large`,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  ECONNRESET: closed,
  ECONNREFUSED: (peer) => `The ${peer} refused the connection`,
  ENOTFOUND: (peer) => `The ${peer}'s host name can't be resolved`,
};

/** Converts an HTTP client error to a message without addresses. */
export function failureOf(error: unknown, peer: Peer): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
  const timeout = TIMEOUTS[code];
  if (timeout) return new OutboundFailure(null, timeout(peer), true);
  return new OutboundFailure(null, BROKEN[code]?.(peer) ?? `The connection to the ${peer} failed (${code})`);
}
