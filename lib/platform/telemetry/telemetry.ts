import "server-only";
import type { Env } from "../env";
import { StartError } from "../start-error";
import { openTelemetry } from "./open-telemetry";
import type { Telemetry } from "./trace-context";
import { processWide } from "../process-wide";

/** One exporter per process. */
const exporter = processWide("telemetry", (): { active: Telemetry | null } => ({ active: null }));

/** Returns the exporter; null unless the environment configures one. */
export const telemetry = (): Telemetry | null => exporter().active;

const ENDPOINTS = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
];
const PROTOCOLS = [
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
  "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
];
const PROTOCOL = "http/protobuf";

/** Starts the export if OpenTelemetry's standard variables configure one. Its packages are loaded only then. */
export async function startTelemetry(variables: Env["openTelemetry"], now: Date): Promise<void> {
  if (variables["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || !ENDPOINTS.some((name) => variables[name])) return;
  for (const name of ENDPOINTS)
    if (variables[name] && !URL.canParse(variables[name])) throw new StartError(`${name} must be a URL`);
  for (const name of PROTOCOLS)
    if (variables[name] && variables[name] !== PROTOCOL) throw new StartError(`${name} must be ${PROTOCOL}`);
  exporter().active = await openTelemetry(variables, now);
}

/** Ends the export. */
export async function stopTelemetry(): Promise<void> {
  const active = telemetry();
  exporter().active = null;
  await active?.close();
}
