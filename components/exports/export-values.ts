import type { z } from "zod";
import type { CreateExportBody, ExportDestination, UpdateExportBody } from "@/lib/features/exports/contract";
import { DEFAULT_SIGNALS, S3_DEFAULTS, type ExportKind } from "@/lib/features/exports/vocabulary";

export type NewExportValues = z.input<typeof CreateExportBody>;
/** Values of a stored destination's form. */
export type ExportValues = z.input<typeof UpdateExportBody>;

/** Empty fields of a kind of destination. */
export const targetOf = (kind: ExportKind): Pick<NewExportValues, "otlp" | "s3"> =>
  kind === "otlp"
    ? { otlp: { url: "", signals: [...DEFAULT_SIGNALS], headers: {} }, s3: undefined }
    : { otlp: undefined, s3: { ...S3_DEFAULTS, bucket: "", access_key_id: "", secret_access_key: "" } };

export const EMPTY: NewExportValues = { name: "", kind: "otlp", content: "none", start: "now", ...targetOf("otlp") };

/** Values of a stored destination. Undefined keeps its secrets. */
export const valuesOf = ({ name, content, otlp, s3 }: ExportDestination): ExportValues => ({
  name,
  content,
  otlp: otlp ? { url: otlp.url, signals: otlp.signals, headers: undefined } : undefined,
  s3: s3 ? { ...s3, secret_access_key: undefined } : undefined,
});
