import type { ExportDestination } from "@/lib/features/exports/contract";
import type { ExportContent, ExportKind, ExportSignal } from "@/lib/features/exports/vocabulary";

export const KIND_LABELS: Readonly<Record<ExportKind, string>> = {
  otlp: "OpenTelemetry (OTLP/HTTP)",
  s3_jsonl: "S3 bucket (JSON Lines)",
};

export const SIGNAL_LABELS: Readonly<Record<ExportSignal, string>> = { traces: "Traces", logs: "Logs" };

export const SIGNAL_HINTS: Readonly<Record<ExportSignal, string>> = {
  traces: "a span for each generation",
  logs: "a log record for each generation",
};

export const CONTENT_LABELS: Readonly<Record<ExportContent, string>> = {
  none: "None",
  masked: "Masked",
  full: "Full",
};

export const CONTENT_HINTS: Readonly<Record<ExportContent, string>> = {
  none: "Only metadata: models, tokens, cost, status and decisions.",
  masked: "Personal data is masked as in the console. Only for workspaces that log content.",
  full: "Prompts and completions are exported as they were sent. Only for workspaces that log content.",
};

/** Address of a destination: the URL, or the bucket and folder. */
export const addressOf = ({ otlp, s3 }: Pick<ExportDestination, "otlp" | "s3">): string =>
  otlp?.url ?? (s3 ? `s3://${s3.bucket}/${s3.prefix}` : "");
