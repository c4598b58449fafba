export const EXPORT_KINDS = ["otlp", "s3_jsonl"] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** Prompts and answers in an export: none, with personal data masked, or everything that is stored. */
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
