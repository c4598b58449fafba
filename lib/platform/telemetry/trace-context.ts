/** A caller's place in a trace: https://www.w3.org/TR/trace-context/ */
export interface TraceContext {
  traceId: string;
  /** The span of the caller. */
  spanId: string;
  flags: number;
  /** Valid `tracestate`, unchanged; null without one. */
  state: string | null;
}

/** A request's place in its trace. */
export interface TracePosition {
  /** The caller's span; null without a valid `traceparent`. */
  caller: TraceContext | null;
  /** The request's own span; null unless traces are exported. */
  span: TraceSpan | null;
}

type AttributeValue = string | number | boolean | string[];
export type SpanAttributes = Readonly<Record<string, AttributeValue | undefined>>;

/** One step of a trace, exported when it has ended. Times are milliseconds on the process's monotonic clock. */
export interface TraceSpan {
  readonly traceId: string;
  /** Headers that tell an upstream that its work belongs to this span. */
  readonly headers: Readonly<Record<string, string>>;
  readonly child: (name: string, start: number, kind: "internal" | "client", attributes?: SpanAttributes) => TraceSpan;
  readonly set: (attributes: SpanAttributes) => void;
  /** @param error The class of the error, never its text. */
  readonly end: (at: number, error?: string | null) => void;
}

/** Figures of one call of a model; those that are unknown are left out. */
export interface ModelCall {
  /** Seconds. */
  duration: number;
  /** Seconds until the first event of a stream. */
  firstChunk?: number | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  attributes: SpanAttributes;
  /** Of the duration alone. */
  error: string | null;
}

/** Export of traces and metrics by OTLP (docs/observability.md#opentelemetry). */
export interface Telemetry {
  /** Starts the span of a request now. */
  start: (name: string, now: Date, caller: TraceContext | null, attributes: SpanAttributes) => TraceSpan;
  measure: (call: ModelCall) => void;
  /** Exports what is left, within a short time. */
  close: () => Promise<void>;
}

export const NO_TRACE: TracePosition = { caller: null, span: null };

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ALL_ZEROS = /^0+$/;
/** The flags that version 00 defines: sampled, and a random trace id. */
const KNOWN_FLAGS = 3;
const MOST_STATE_MEMBERS = 32;
const MOST_STATE_CHARACTERS = 512;
const STATE_MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Reads `traceparent` and `tracestate`; null without a valid `traceparent`. An invalid `tracestate` is left out. */
export function readTraceContext(headers: Pick<Headers, "get">): TraceContext | null {
  const given = headers.get("traceparent");
  if (given === null) return null;
  const [, version, traceId = "", spanId = "", flags = "", further] = PARENT.exec(given.trim()) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && further !== undefined)) return null;
  if (ALL_ZEROS.test(traceId) || ALL_ZEROS.test(spanId)) return null;
  return { traceId, spanId, flags: parseInt(flags, 16) & KNOWN_FLAGS, state: validState(headers.get("tracestate")) };
}

function validState(given: string | null): string | null {
  if (given === null) return null;
  const members = given
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");
  const keys = new Set(members.map((member) => member.split("=", 1)[0]));
  const state = members.join(",");
  const isValid =
    members.length > 0 &&
    members.length <= MOST_STATE_MEMBERS &&
    state.length <= MOST_STATE_CHARACTERS &&
    keys.size === members.length &&
    members.every((member) => STATE_MEMBER.test(member));
  return isValid ? state : null;
}

/** Returns the header that passes a place in a trace on. `tracestate` isn't sent: no content filter scans its text. */
export const traceHeaders = ({ traceId, spanId, flags }: Omit<TraceContext, "state">): Record<string, string> => ({
  traceparent: `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`,
});
