import "server-only";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { generatedSecret } from "./generated-secret";
import { isPlausibleKeyText } from "./key-text";
import { Email, Password } from "./account-contract";
import { PROCESS_SETTINGS } from "./process-settings.mjs";
import { writingKey } from "./secrets";
import { StartError } from "./start-error";

const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const count = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .default(fallback);

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must start with postgresql://");

const milliseconds = (fallback: number) => count(fallback).refine((value) => value >= 1, "must be at least 1");

/** Declares a setting with its environment variable. */
const setting = <Schema extends z.ZodType>(variable: string, schema: Schema): Schema => schema.meta({ variable });

/** Declares a setting of the process or its listener; `PROCESS_SETTINGS` has its variable and default. */
const ofProcess = <Name extends keyof typeof PROCESS_SETTINGS, Schema extends z.ZodType>(
  name: Name,
  schema: (fallback: (typeof PROCESS_SETTINGS)[Name]["fallback"]) => Schema,
): Schema => setting(PROCESS_SETTINGS[name].variable, schema(PROCESS_SETTINGS[name].fallback));

/** Excludes texts that look like an IPv4 address but aren't one, because they would be looked up as a name. */
const isAddressOrName = (text: string) =>
  isIP(text) !== 0 || (/^[\w.-]{1,253}$/.test(text) && !/^[\d.]*\.[\d.]*$/.test(text));

/** Settings of the server, each with its environment variable, its rule and its default. */
const Settings = z.object({
  port: ofProcess("port", (fallback) =>
    z
      .string()
      .regex(/^\d{1,5}$/, "must be a port number")
      .transform(Number)
      .pipe(z.number().max(65535))
      .default(fallback),
  ),
  hostname: ofProcess("hostname", (fallback) =>
    z.string().refine(isAddressOrName, "must be an IP address or a host name of this machine").default(fallback),
  ),
  /** Undefined for the embedded database in `dataDir`. */
  databaseUrl: setting("DATABASE_URL", postgresUrl.optional()),
  /** The server behind a pooler that shares sessions. */
  directDatabaseUrl: setting("SIGNALBOX_DIRECT_DATABASE_URL", postgresUrl.optional()),
  /** A hot standby for reads that may be `readMaxStalenessMs` old. */
  readDatabaseUrl: setting("SIGNALBOX_READ_DATABASE_URL", postgresUrl.optional()),
  readMaxStalenessMs: setting("SIGNALBOX_READ_MAX_STALENESS_MS", milliseconds(5_000)),
  dataDir: setting(
    "SIGNALBOX_DATA_DIR",
    z
      .string()
      .min(1)
      .default("./.signalbox")
      .transform((path) => resolve(/* turbopackIgnore: true */ process.cwd(), path)),
  ),
  secretKey: setting(
    "SIGNALBOX_SECRET_KEY",
    z
      .base64("must be base64")
      .refine((text) => Buffer.from(text, "base64").length >= 32, "must contain at least 32 bytes")
      .transform((text) => Buffer.from(text, "base64"))
      .optional(),
  ),
  /** Secrets from before a rotation, used only for decryption. */
  previousSecretKeys: setting(
    "SIGNALBOX_PREVIOUS_SECRET_KEYS",
    z
      .string()
      .transform((text) => text.split(","))
      .pipe(z.array(z.base64("must be base64 values, separated by commas")))
      .transform((texts): readonly Buffer[] => texts.map((text) => Buffer.from(text, "base64")))
      .default([]),
  ),
  /** Starts even if stored secrets are encrypted with a lost key. */
  allowsUnreadableSecrets: setting("SIGNALBOX_ALLOW_UNREADABLE_SECRETS", flag.default(false)),
  adminEmail: setting(
    "SIGNALBOX_ADMIN_EMAIL",
    Email.default("admin@localhost").transform((email) => email.toLowerCase()),
  ),
  adminPassword: setting("SIGNALBOX_ADMIN_PASSWORD", Password.optional()),
  managementKey: setting(
    "SIGNALBOX_MANAGEMENT_KEY",
    z
      .string()
      .refine(
        isPlausibleKeyText,
        "must be 32–200 visible ASCII characters, and with Signalbox's key prefix have a valid checksum",
      )
      .optional(),
  ),
  /** Vendors with their own zero data retention switch, in the order a, b, c. */
  zdrVendors: setting(
    "SIGNALBOX_ZDR_VENDORS",
    z
      .string()
      .default("anthropic,openai,google")
      .refine(
        (text) => /^[a-z0-9-]+,[a-z0-9-]+,[a-z0-9-]+$/.test(text),
        "must contain three vendors, separated by commas",
      )
      .refine((text) => new Set(text.split(",")).size === 3, "must contain three different vendors")
      .transform((text) => text.split(",") as [string, string, string]),
  ),
  publicUrl: ofProcess("publicUrl", () =>
    z
      .url({ protocol: /^https?$/, error: "must be a URL such as https://signalbox.example" })
      .refine((text) => (URL.parse(text)?.pathname ?? "/") === "/", "must not contain a path")
      .transform((text) => new URL(text).origin)
      .optional(),
  ),
  allowedHosts: ofProcess("allowedHosts", () =>
    z
      .string()
      .regex(/^(\*|(\*\.)?[\w.[\]:-]+( *, *(\*\.)?[\w.[\]:-]+)*)$/, "must be host names separated by commas, or *")
      .optional(),
  ),
  workers: ofProcess("workers", (fallback) =>
    count(fallback).refine((workers) => workers >= 1 && workers <= 64, "must be from 1 to 64"),
  ),
  maxConnections: ofProcess("maxConnections", count),
  requestTimeoutMs: ofProcess("requestTimeoutMs", milliseconds),
  drainMs: ofProcess("drainMs", count),
  maxBodyBytes: setting("SIGNALBOX_MAX_BODY_BYTES", count(8 * 1024 * 1024)),
  /** 0 for no limit. */
  rateLimitPerMinute: setting("SIGNALBOX_RATE_LIMIT_PER_MINUTE", count(1200)),
  /** 0 for no limit. */
  contentReadsPerMinute: setting("SIGNALBOX_CONTENT_READS_PER_MINUTE", count(60)),
  allowPrivateUpstreams: setting("SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS", flag.optional()),
  /** Milliseconds. */
  upstreamTimeouts: z.object({
    connect: setting("SIGNALBOX_UPSTREAM_CONNECT_TIMEOUT_MS", milliseconds(10_000)),
    firstByte: setting("SIGNALBOX_UPSTREAM_FIRST_BYTE_TIMEOUT_MS", milliseconds(300_000)),
    /** Between chunks. */
    idle: setting("SIGNALBOX_UPSTREAM_IDLE_TIMEOUT_MS", milliseconds(300_000)),
    /** Time to wait for the usage of a complete answer after its client disconnected. */
    abandoned: setting("SIGNALBOX_UPSTREAM_ABANDONED_TIMEOUT_MS", milliseconds(60_000)),
  }),
  /** Silence of a stream after which a keep-alive is sent. */
  streamKeepAliveMs: setting("SIGNALBOX_STREAM_KEEP_ALIVE_MS", milliseconds(10_000)),
  /** Maximum duration of a content filter scan; the request is rejected after it. */
  filterTimeoutMs: setting("SIGNALBOX_FILTER_TIMEOUT_MS", milliseconds(5_000)),
  /** Number of content filter threads. */
  filterWorkers: setting(
    "SIGNALBOX_FILTER_WORKERS",
    count(1).refine((workers) => workers >= 1 && workers <= 64, "must be from 1 to 64"),
  ),
  smtp: z.object({
    url: setting(
      "SIGNALBOX_SMTP_URL",
      z
        .url({ protocol: /^smtps?$/, error: "must be a URL such as smtp://user:password@mail.example.com:587" })
        .refine((text) => URL.parse(text)?.hostname !== "", "must contain a host")
        .refine((text) => !/[?#]/.test(text), "must not contain a query or fragment")
        .optional(),
    ),
    from: setting(
      "SIGNALBOX_SMTP_FROM",
      z
        .string()
        .regex(/^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, "must be an email address, or Name <address>")
        .optional(),
    ),
  }),
  /** Where the contents of new generations are stored. */
  contentStore: setting("SIGNALBOX_CONTENT_STORE", z.enum(["database", "s3"]).default("database")),
  contentBucket: z.object({
    bucket: setting(
      "SIGNALBOX_S3_BUCKET",
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket's name")
        .optional(),
    ),
    region: setting(
      "SIGNALBOX_S3_REGION",
      z
        .string()
        .regex(/^[a-z0-9-]{1,50}$/, "must be a region such as eu-central-1")
        .default("us-east-1"),
    ),
    /** Address of the service, without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
    endpoint: setting(
      "SIGNALBOX_S3_ENDPOINT",
      z
        .url({ protocol: /^https?$/, error: "must be a URL such as https://s3.eu-central-1.amazonaws.com" })
        .refine(
          (text) => !URL.parse(text)?.username && !/[?#]/.test(text),
          "must not contain a user name, query or fragment",
        )
        .optional(),
    ),
    /** The bucket is the first part of the path, not of the host name. */
    pathStyle: setting("SIGNALBOX_S3_PATH_STYLE", flag.default(false)),
    writeTimeoutMs: setting("SIGNALBOX_S3_WRITE_TIMEOUT_MS", milliseconds(3_000)),
    accessKeyId: setting("SIGNALBOX_S3_ACCESS_KEY_ID", z.string().min(1).optional()),
    secretAccessKey: setting("SIGNALBOX_S3_SECRET_ACCESS_KEY", z.string().min(1).optional()),
  }),
  /** Grants access to `/metrics` in addition to management keys. */
  metricsToken: setting("SIGNALBOX_METRICS_TOKEN", z.string().min(16, "must have at least 16 characters").optional()),
  /** Maximum number of models, and of keys, with separate metrics. */
  metricsLabels: setting("SIGNALBOX_METRICS_LABELS", count(100)),
  logsAccess: ofProcess("logsAccess", (fallback) => flag.default(fallback)),
  trustsProxy: ofProcess("trustsProxy", (fallback) => flag.default(fallback)),
  logLevel: setting("SIGNALBOX_LOG_LEVEL", z.enum(["debug", "info", "warn", "error", "silent"]).default("info")),
});

type Values = z.output<typeof Settings>;

const needs = (path: [string, ...string[]], message: string, holds: (values: Values) => unknown) => ({
  path,
  message,
  holds,
});

const needsForBucket = (name: "bucket" | "accessKeyId" | "secretAccessKey") =>
  needs(
    ["contentBucket", name],
    "is required to store contents in a bucket",
    ({ contentStore, contentBucket }) => contentBucket[name] || (contentStore !== "s3" && !contentBucket.bucket),
  );

/** Rules about several settings. */
const RULES = [
  needs(
    ["secretKey"],
    "is required with DATABASE_URL (32 random bytes, base64)",
    ({ databaseUrl, secretKey }) => !databaseUrl || secretKey,
  ),
  needs(
    ["directDatabaseUrl"],
    "requires DATABASE_URL, which leads to a connection pooler",
    ({ databaseUrl, directDatabaseUrl }) => databaseUrl || !directDatabaseUrl,
  ),
  needs(
    ["readDatabaseUrl"],
    "requires DATABASE_URL: the embedded database has no standby",
    ({ databaseUrl, readDatabaseUrl }) => databaseUrl || !readDatabaseUrl,
  ),
  needs(["smtp", "from"], "is required with SIGNALBOX_SMTP_URL", ({ smtp }) => !smtp.url || smtp.from),
  needs(
    ["workers"],
    "must be 1 without DATABASE_URL: the embedded database belongs to one process",
    ({ databaseUrl, workers }) => databaseUrl || workers === 1,
  ),
  needsForBucket("bucket"),
  needsForBucket("accessKeyId"),
  needsForBucket("secretAccessKey"),
];

/** Rules about several settings are checked even if other settings are wrong, so that all problems are reported at once. */
const Checked = RULES.reduce(
  (schema, { path, message, holds }) => schema.refine(holds, { path, message, when: () => true }),
  Settings,
).transform(({ allowPrivateUpstreams, smtp: { url, from }, contentBucket, ...values }) => ({
  ...values,
  allowPrivateUpstreams: allowPrivateUpstreams ?? !values.databaseUrl,
  /** Server and sender of emails; undefined to send none. */
  smtp: url && from ? { url, from } : undefined,
  contentBucket: bucketOf(contentBucket),
}));

/** Returns the bucket of contents, which is also read if new contents are stored elsewhere; undefined for none. */
function bucketOf({ bucket, accessKeyId, secretAccessKey, endpoint, ...values }: Values["contentBucket"]) {
  if (!bucket || !accessKeyId || !secretAccessKey) return undefined;
  return {
    ...values,
    bucket,
    accessKeyId,
    secretAccessKey,
    endpoint: endpoint ?? `https://s3.${values.region}.amazonaws.com`,
  };
}

/** OpenTelemetry's standard variables. */
interface OpenTelemetry {
  openTelemetry: Readonly<Record<string, string | undefined>>;
}
type Parsed = z.output<typeof Checked> & OpenTelemetry;

export type Env = Omit<Parsed, "secretKey"> & { secretKey: Buffer };
export type UpstreamTimeouts = Env["upstreamTimeouts"];
/** A bucket of an S3-compatible service. */
export type BucketSettings = NonNullable<Env["contentBucket"]>;

type Shape = Readonly<Record<string, z.ZodType>>;

const variableOf = (schema: z.ZodType | undefined) => String(schema?.meta()?.["variable"]);

/** Names of all environment variables that are settings. */
export const variableNames = (shape: Shape = Settings.shape): string[] =>
  Object.values(shape).flatMap((schema) =>
    schema instanceof z.ZodObject ? variableNames(schema.shape) : [variableOf(schema)],
  );

/** Reads the values of the environment by setting. An empty variable counts as unset. */
const read = (variables: Readonly<Record<string, string | undefined>>, shape: Shape): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      schema instanceof z.ZodObject ? read(variables, schema.shape) : variables[variableOf(schema)] || undefined,
    ]),
  );

/** Returns the variable of the setting at a path, which may continue into its value. */
function variableAt([name, ...rest]: readonly PropertyKey[], shape: Shape = Settings.shape): string {
  const schema = shape[String(name)];
  return schema instanceof z.ZodObject ? variableAt(rest, schema.shape) : variableOf(schema);
}

/** Parses the configuration (docs/configuration.md); fails with a line that names every invalid variable. */
export function parseEnv(variables: Readonly<Record<string, string | undefined>>): Parsed {
  const { data, error } = Checked.safeParse(read(variables, Settings.shape));
  if (error) {
    // Report only the first problem of each variable, because a missing or wrong value may break further rules.
    const problems = new Map<string, string>();
    for (const { path, message } of error.issues) {
      const variable = variableAt(path);
      if (!problems.has(variable)) problems.set(variable, message);
    }
    throw new StartError([...problems].map((problem) => problem.join(" ")).join("; "));
  }
  const openTelemetry = Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => name.startsWith("OTEL_") && value !== ""),
  );
  return { ...data, openTelemetry };
}

let cached: Env | undefined;

/** Returns the process's configuration, parsed on first use. */
export function env(): Env {
  if (!cached) {
    const parsed = parseEnv(process.env);
    const secretKeys: [Buffer, ...Buffer[]] = [
      parsed.secretKey ?? generatedSecret(parsed.dataDir, { isLost: parsed.allowsUnreadableSecrets }),
      ...parsed.previousSecretKeys,
    ];
    cached = {
      ...parsed,
      // During a rotation, the previous secret still encrypts until every instance can read the current one.
      get secretKey() {
        return writingKey(secretKeys);
      },
      get previousSecretKeys() {
        const current = writingKey(secretKeys);
        return secretKeys.filter((secretKey) => secretKey !== current);
      },
    };
  }
  return cached;
}
