import "server-only";
import {
  createTraceState,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type { MeterProvider } from "@opentelemetry/sdk-metrics";
import type { Env } from "../env";
import { logger } from "../logger";
import { uuidv7 } from "../ids";
import { traceHeaders, type ModelCall, type Telemetry, type TraceContext, type TraceSpan } from "./trace-context";
import packageJson from "../../../package.json";

/** Time for the last export when the process ends. */
const CLOSE_WITHIN_MS = 2_000;
/** Minimum time between log lines about failures of the receiver. */
const LOG_EVERY_MS = 60_000;

/** Buckets of the GenAI semantic conventions: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST_CHUNK_SECONDS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** Loads the SDK, which most processes don't need. */
async function loadSdk() {
  const [{ OTLPMetricExporter }, { OTLPTraceExporter }, resources, metrics, traces] = await Promise.all([
    import("@opentelemetry/exporter-metrics-otlp-proto"),
    import("@opentelemetry/exporter-trace-otlp-proto"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-metrics"),
    import("@opentelemetry/sdk-trace-base"),
  ]);
  return { OTLPMetricExporter, OTLPTraceExporter, resources, metrics, traces };
}
type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Creates the exporters of traces and metrics. The SDK reads the standard variables of endpoints, headers, batches and sampling. */
export async function openTelemetry(variables: Env["openTelemetry"], now: Date): Promise<Telemetry> {
  const sdk = await loadSdk();
  const { detectResources, envDetector, resourceFromAttributes } = sdk.resources;
  const { BasicTracerProvider, BatchSpanProcessor } = sdk.traces;
  logFailures();
  const resource = detectResources({ detectors: [envDetector] }).merge(
    resourceFromAttributes({
      "service.name": variables["OTEL_SERVICE_NAME"] || serviceIn(variables["OTEL_RESOURCE_ATTRIBUTES"]) || "signalbox",
      "service.version": packageJson.version,
      "service.instance.id": uuidv7(now),
    }),
  );
  const has = (signal: "TRACES" | "METRICS") =>
    variables[`OTEL_${signal}_EXPORTER`] !== "none" &&
    Boolean(variables["OTEL_EXPORTER_OTLP_ENDPOINT"] || variables[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]);
  const tracers = new BasicTracerProvider({
    resource,
    spanProcessors: has("TRACES") ? [new BatchSpanProcessor(new sdk.OTLPTraceExporter())] : [],
  });
  const meters = meterProvider(sdk, resource, variables, has("METRICS"));
  const tracer = tracers.getTracer("signalbox", packageJson.version);
  return {
    start: (name, now, caller, attributes) => {
      const clock = now.getTime() - performance.now();
      const options = { kind: SpanKind.SERVER, startTime: now, attributes };
      return new OwnSpan(tracer, tracer.startSpan(name, options, contextOf(caller)), clock);
    },
    measure: measurement(meters),
    close: async () => {
      const closed = Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref())]);
    },
  };
}

/** `OTEL_SERVICE_NAME` wins over the attribute, which wins over our default. */
const serviceIn = (attributes = ""): string | undefined => /(?:^|,)\s*service\.name=([^,]*)/.exec(attributes)?.[1];

function meterProvider(
  { metrics: { MeterProvider, PeriodicExportingMetricReader }, OTLPMetricExporter }: Sdk,
  resource: Resource,
  variables: Env["openTelemetry"],
  isExported: boolean,
): MeterProvider {
  const milliseconds = (name: string, fallback: number) => Number(variables[name]) || fallback;
  const exportIntervalMillis = milliseconds("OTEL_METRIC_EXPORT_INTERVAL", 60_000);
  const exportTimeoutMillis = Math.min(milliseconds("OTEL_METRIC_EXPORT_TIMEOUT", 30_000), exportIntervalMillis);
  const exporter = () => new OTLPMetricExporter();
  return new MeterProvider({
    resource,
    readers: isExported
      ? [new PeriodicExportingMetricReader({ exporter: exporter(), exportIntervalMillis, exportTimeoutMillis })]
      : [],
  });
}

/** The metrics of calls to models. */
function measurement(meters: MeterProvider): Telemetry["measure"] {
  const meter = meters.getMeter("signalbox", packageJson.version);
  const histogram = (name: string, unit: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } });
  const duration = histogram("gen_ai.client.operation.duration", "s", "GenAI operation duration.", SECONDS);
  const firstChunk = histogram(
    "gen_ai.client.operation.time_to_first_chunk",
    "s",
    "Time to receive the first chunk of a stream.",
    FIRST_CHUNK_SECONDS,
  );
  const tokens = histogram("gen_ai.client.token.usage", "{token}", "Number of input and output tokens used.", TOKENS);
  return (call: ModelCall) => {
    const { attributes } = call;
    duration.record(call.duration, call.error === null ? attributes : { ...attributes, "error.type": call.error });
    if (call.firstChunk !== undefined) firstChunk.record(call.firstChunk, attributes);
    if (call.inputTokens !== undefined)
      tokens.record(call.inputTokens, { ...attributes, "gen_ai.token.type": "input" });
    if (call.outputTokens !== undefined)
      tokens.record(call.outputTokens, { ...attributes, "gen_ai.token.type": "output" });
  };
}

/** Returns the context of a span whose parent is the caller's span. */
const contextOf = (caller: TraceContext | null): Context =>
  caller === null
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, {
        traceId: caller.traceId,
        spanId: caller.spanId,
        traceFlags: caller.flags,
        isRemote: true,
        ...(caller.state !== null && { traceState: createTraceState(caller.state) }),
      });

class OwnSpan implements TraceSpan {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #clock: number;

  /** @param clock Milliseconds since 1970 at the start of the process's clock; shared by all spans of a request, so that child spans lie within their parents. */
  constructor(tracer: Tracer, span: Span, clock: number) {
    this.#tracer = tracer;
    this.#span = span;
    this.#clock = clock;
  }

  get traceId() {
    return this.#span.spanContext().traceId;
  }

  get headers() {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return traceHeaders({ traceId, spanId, flags: traceFlags });
  }

  child: TraceSpan["child"] = (name, start, kind, attributes = {}) =>
    new OwnSpan(
      this.#tracer,
      this.#tracer.startSpan(
        name,
        {
          kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
          startTime: start + this.#clock,
          attributes,
        },
        trace.setSpan(ROOT_CONTEXT, this.#span),
      ),
      this.#clock,
    );

  set: TraceSpan["set"] = (attributes) => void this.#span.setAttributes(attributes);

  end: TraceSpan["end"] = (at, error = null) => {
    if (error !== null) this.#span.setAttribute("error.type", error).setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(at + this.#clock);
  };
}

/** Logs failures of exports, which the SDK retries and then drops. */
function logFailures(): void {
  let loggedAt = -Infinity;
  const error = (message: string) => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    logger().warn({ reason: message.slice(0, 500) }, "traces or metrics couldn't be exported");
  };
  const ignore = () => undefined;
  diag.setLogger(
    { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}
