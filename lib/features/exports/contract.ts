import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import {
  DEFAULT_SIGNALS,
  ENDPOINTS_RULE,
  hasEndpoints,
  EXPORT_CONTENTS,
  EXPORT_KINDS,
  EXPORT_SIGNALS,
  type ExportSignal,
} from "./vocabulary";
import { newName } from "../../platform/name-contract";

const MOST_HEADERS = 20;

const Address = z
  .url({ protocol: /^https?$/, abort: true })
  .max(2000)
  .refine((text) => !URL.parse(text)?.username && !text.includes("#"), "must not contain credentials or a fragment");

const Headers = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,100}$/, "must be a header name")
      .refine(
        (name) => !/^(host|content-(type|length|encoding)|transfer-encoding|connection)$/i.test(name),
        "is reserved",
      ),
    z.string().regex(/^[\x20-\x7e]{1,4000}$/, "must be visible ASCII characters"),
  )
  .refine((headers) => Object.keys(headers).length <= MOST_HEADERS, `must have at most ${MOST_HEADERS} headers`);

const Signals = z
  .array(z.enum(EXPORT_SIGNALS))
  .min(1)
  .refine((signals) => new Set(signals).size === signals.length, "must not contain duplicates")
  .meta({ description: "`traces`: a span for each generation; `logs`: a log record for each generation" });

const OtlpFields = z.strictObject({
  url: Address.meta({
    description:
      "Endpoint of OTLP over HTTP, such as https://otel.example.com/v1/traces. /v1/traces or /v1/logs at its end is replaced by the path of each signal",
  }),
  signals: Signals,
  headers: Headers.meta({ description: "Sent with each request; encrypted and not shown again" }),
});
const checkEndpoints = (
  { url = "", signals = [] }: { url?: string | undefined; signals?: readonly ExportSignal[] | undefined },
  context: z.core.$RefinementCtx,
) => {
  if (url !== "" && !hasEndpoints(url, signals))
    context.addIssue({ code: "custom", path: ["url"], message: ENDPOINTS_RULE });
};

const S3Fields = z.strictObject({
  endpoint: Address.nullable().meta({ description: "URL of an S3-compatible service other than AWS" }),
  region: z
    .string()
    .min(1)
    .regex(/^[a-z0-9-]{1,50}$/, "must be a region such as eu-central-1"),
  bucket: z
    .string()
    .min(1)
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket's name"),
  path_style: z.boolean().meta({ description: "The bucket is part of the path instead of the host" }),
  prefix: z
    .string()
    .regex(/^([A-Za-z0-9_=.-]+\/)*$/, "must be folders, each ending with /")
    .max(200),
  interval_minutes: z.number().int().min(1).max(1440).meta({ description: "Time between files" }),
  access_key_id: z.string().trim().min(1).max(200),
  secret_access_key: z.string().min(1).max(200).meta({ description: "Encrypted and not shown again" }),
});

const Name = newName(100);
const Content = z.enum(EXPORT_CONTENTS).meta({
  description:
    "Prompts and answers: `none`; `masked`, with personal data masked as in the console; or `full`. Only workspaces that log contents have any",
});

export const CreateExportBody = z
  .strictObject({
    name: Name,
    kind: z.enum(EXPORT_KINDS).meta({ description: "Can't be changed later" }),
    content: Content.default("none"),
    enabled: z.boolean().default(true),
    start: z
      .enum(["now", "oldest"])
      .default("now")
      .meta({ description: "Export new generations only (`now`), or those in the log as well (`oldest`)" }),
    otlp: OtlpFields.partial({ headers: true })
      .extend({ signals: Signals.default([...DEFAULT_SIGNALS]) })
      .superRefine(checkEndpoints)
      .optional(),
    s3: S3Fields.partial({
      endpoint: true,
      region: true,
      path_style: true,
      prefix: true,
      interval_minutes: true,
    }).optional(),
  })
  .superRefine(({ kind, otlp, s3 }, context) => {
    const missing = kind === "otlp" ? otlp === undefined : s3 === undefined;
    const own = kind === "otlp" ? "otlp" : "s3";
    if (missing) context.addIssue({ code: "custom", path: [own], message: `is required for ${kind}` });
    const other = kind === "otlp" ? s3 : otlp;
    if (other !== undefined)
      context.addIssue({
        code: "custom",
        path: [own === "otlp" ? "s3" : "otlp"],
        message: `can't be used with ${kind}`,
      });
  });
export type CreateExportBody = z.output<typeof CreateExportBody>;

export const UpdateExportBody = z.strictObject({
  name: Name.optional(),
  content: Content.optional(),
  enabled: z.boolean().optional().meta({ description: "true also ends a pause" }),
  otlp: OtlpFields.partial().superRefine(checkEndpoints).optional(),
  s3: S3Fields.partial().optional(),
});
export type UpdateExportBody = z.output<typeof UpdateExportBody>;

export const ExportRun = z
  .object({
    id: Uuid,
    started_at: Timestamp,
    duration_ms: z.number().int(),
    is_test: z.boolean(),
    generations: z.number().int().meta({ description: "Number of exported generations, including rejected ones" }),
    error: z.string().nullable(),
    rejected: z.number().int().meta({
      description: "Number of spans and log records that the receiver rejected. They aren't sent again",
    }),
    rejection: z.string().nullable().meta({ description: "Reason for the rejection, if any were rejected" }),
    skipped_generation_id: z.string().nullable().meta({
      description: "Generation that the receiver rejected when it was sent alone; the export continues after it",
    }),
  })
  .meta({ id: "ExportRun" });
export type ExportRun = z.output<typeof ExportRun>;

export const ExportDestination = z
  .object({
    id: Uuid,
    name: z.string(),
    kind: z.enum(EXPORT_KINDS),
    content: z.enum(EXPORT_CONTENTS),
    enabled: z.boolean(),
    otlp: z
      .object({ url: z.string(), signals: z.array(z.enum(EXPORT_SIGNALS)), header_names: z.array(z.string()) })
      .nullable(),
    s3: S3Fields.omit({ secret_access_key: true }).extend({ endpoint: z.string().nullable() }).nullable(),
    paused_reason: z
      .string()
      .nullable()
      .meta({ description: "Why exports stopped; enable the destination to continue" }),
    failing_since: Timestamp.nullable(),
    next_run_at: Timestamp,
    exported_until: Timestamp.nullable().meta({
      description: "Start of the last exported generation; null before the first",
    }),
    oldest_pending_at: Timestamp.nullable().meta({
      description: "Start of the generation that is exported next; null if none is pending",
    }),
    last_run: ExportRun.nullable().meta({ description: "The last run that isn't a test" }),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "ExportDestination" });
export type ExportDestination = z.output<typeof ExportDestination>;

const exports = { tag: "Exports", access: "management" } as const;

export const listExportDestinations = operation({
  ...exports,
  id: "listExportDestinations",
  permission: "organization:read",
  method: "GET",
  path: "/export-destinations",
  summary: "List export destinations, oldest first",
  query: PageQuery,
  status: 200,
  result: page(ExportDestination),
});

export const createExportDestination = operation({
  ...exports,
  id: "createExportDestination",
  permission: "organization:write",
  recentSignIn: true,
  method: "POST",
  path: "/export-destinations",
  summary: "Create an export destination",
  body: CreateExportBody,
  inspected: true,
  status: 201,
  result: envelope(ExportDestination),
  idempotent: true,
  example: {
    body: {
      name: "Collector",
      kind: "otlp",
      otlp: { url: "https://otel.example.com/v1/traces", signals: ["traces", "logs"], headers: {} },
    },
  },
});

export const getExportDestination = operation({
  ...exports,
  id: "getExportDestination",
  permission: "organization:read",
  method: "GET",
  path: "/export-destinations/{id}",
  summary: "Get an export destination",
  params: IdParams,
  status: 200,
  result: envelope(ExportDestination),
});

export const updateExportDestination = operation({
  ...exports,
  id: "updateExportDestination",
  permission: "organization:write",
  recentSignIn: true,
  method: "PATCH",
  path: "/export-destinations/{id}",
  summary: "Update the given fields of an export destination; its position stays",
  params: IdParams,
  body: UpdateExportBody,
  inspected: true,
  status: 200,
  result: envelope(ExportDestination),
  example: { body: { content: "masked" } },
});

export const deleteExportDestination = operation({
  ...exports,
  id: "deleteExportDestination",
  permission: "organization:write",
  method: "DELETE",
  path: "/export-destinations/{id}",
  summary: "Delete an export destination; exported data is kept",
  params: IdParams,
  status: 200,
  result: Deleted,
});

export const testExportDestination = operation({
  ...exports,
  id: "testExportDestination",
  permission: "organization:write",
  method: "POST",
  path: "/export-destinations/{id}/test",
  summary: "Send a request or file without generations, and return its outcome",
  params: IdParams,
  status: 201,
  result: envelope(ExportRun),
});

export const listExportRuns = operation({
  ...exports,
  id: "listExportRuns",
  permission: "organization:read",
  method: "GET",
  path: "/export-destinations/{id}/runs",
  summary: "List the last runs of an export destination that sent generations or failed, newest first",
  params: IdParams,
  query: PageQuery,
  status: 200,
  result: page(ExportRun),
});
