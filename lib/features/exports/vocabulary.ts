export const EXPORT_KINDS = ["otlp", "s3_jsonl"] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** Signals for a generation: a span, a log record, or both. */
export const EXPORT_SIGNALS = ["traces", "logs"] as const;
export type ExportSignal = (typeof EXPORT_SIGNALS)[number];
export const DEFAULT_SIGNALS: readonly ExportSignal[] = ["traces"];

/** End of the path of an OTLP/HTTP endpoint. */
const PATH = /\/v1\/(?:traces|logs)(?=\?|$)/;

/** Returns the endpoint of a signal. A URL that ends with the path of another signal gets this signal's path. */
export const endpointOf = (url: string, signal: ExportSignal): string => url.replace(PATH, `/v1/${signal}`);

/** True if each signal has a separate endpoint. */
export const hasEndpoints = (url: string, signals: readonly ExportSignal[]): boolean =>
  signals.length <= 1 || PATH.test(url);

export const ENDPOINTS_RULE = "must end with /v1/traces or /v1/logs to receive both";

/** Prompts and responses in an export: none, with personal data masked, or everything stored. */
export const EXPORT_CONTENTS = ["none", "masked", "full"] as const;
export type ExportContent = (typeof EXPORT_CONTENTS)[number];

/** Default settings of a bucket. */
export const S3_DEFAULTS = {
  endpoint: null,
  region: "us-east-1",
  path_style: false,
  prefix: "",
  interval_minutes: 60,
} as const;

export const MOST_DESTINATIONS = 20;
