import "server-only";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { generatedSecret } from "./generated-secret";
import { isPlausibleKeyText } from "./key-text";
import { Email, Password } from "../records/members/contract";
import { PROCESS_DEFAULTS } from "./process-settings.mjs";
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

/** Rules about several variables are checked even if others are wrong, so that every problem is named at once. */
const rule = (path: string, message: string) => ({ path: [path], message, when: () => true });

/** Texts that look like an IPv4 address, but may not be one: as a name, they would be looked up. */
const isAddressOrName = (text: string) =>
  isIP(text) !== 0 || (/^[\w.-]{1,253}$/.test(text) && !/^[\d.]*\.[\d.]*$/.test(text));

/** Requires a variable with a bucket, and says so together with the problems of other variables. */
const requiredForBucket = (
  name: string,
): [(variables: Readonly<Record<string, unknown>>) => boolean, ReturnType<typeof rule>] => [
  (variables: Readonly<Record<string, unknown>>) =>
    variables[name] !== undefined ||
    (variables["SIGNALBOX_CONTENT_STORE"] !== "s3" && variables["SIGNALBOX_S3_BUCKET"] === undefined),
  rule(name, "is required to store contents in a bucket"),
];

/** The environment variables read by the server. Those of its connections are checked here and read by `processSettings`. */
export const Variables = z
  .object({
    PORT: z
      .string()
      .regex(/^\d{1,5}$/, "must be a port number")
      .transform(Number)
      .pipe(z.number().max(65535))
      .default(PROCESS_DEFAULTS.PORT),
    HOSTNAME: z
      .string()
      .refine(isAddressOrName, "must be an IP address or a host name of this machine")
      .default(PROCESS_DEFAULTS.HOSTNAME),
    DATABASE_URL: postgresUrl.optional(),
    SIGNALBOX_DIRECT_DATABASE_URL: postgresUrl.optional(),
    SIGNALBOX_READ_DATABASE_URL: postgresUrl.optional(),
    SIGNALBOX_READ_MAX_STALENESS_MS: milliseconds(5_000),
    SIGNALBOX_DATA_DIR: z.string().min(1).default("./.signalbox"),
    SIGNALBOX_SECRET_KEY: z
      .base64("must be base64")
      .refine((text) => Buffer.from(text, "base64").length >= 32, "must contain at least 32 bytes")
      .optional(),
    SIGNALBOX_PREVIOUS_SECRET_KEYS: z
      .string()
      .transform((text) => text.split(","))
      .pipe(z.array(z.base64("must be base64 values, separated by commas")))
      .default([]),
    SIGNALBOX_ALLOW_UNREADABLE_SECRETS: flag.default(false),
    SIGNALBOX_ADMIN_EMAIL: Email.default("admin@localhost"),
    SIGNALBOX_ADMIN_PASSWORD: Password.optional(),
    SIGNALBOX_MANAGEMENT_KEY: z
      .string()
      .refine(
        isPlausibleKeyText,
        "must be 32–200 visible ASCII characters, and with Signalbox's key prefix have a valid checksum",
      )
      .optional(),
    SIGNALBOX_ZDR_VENDORS: z
      .string()
      .regex(/^[a-z0-9-]+,[a-z0-9-]+,[a-z0-9-]+$/, "must contain three vendors, separated by commas")
      .refine((text) => new Set(text.split(",")).size === 3, "must contain three different vendors")
      .default("anthropic,openai,google"),
    SIGNALBOX_PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: "must be a URL such as https://signalbox.example" })
      .refine((text) => (URL.parse(text)?.pathname ?? "/") === "/", "must not contain a path")
      .transform((text) => new URL(text).origin)
      .optional(),
    SIGNALBOX_ALLOWED_HOSTS: z
      .string()
      .regex(/^(\*|(\*\.)?[\w.[\]:-]+( *, *(\*\.)?[\w.[\]:-]+)*)$/, "must be host names separated by commas, or *")
      .optional(),
    SIGNALBOX_WORKERS: count(PROCESS_DEFAULTS.SIGNALBOX_WORKERS).refine(
      (workers) => workers >= 1 && workers <= 64,
      "must be from 1 to 64",
    ),
    SIGNALBOX_MAX_CONNECTIONS_PER_CLIENT: count(PROCESS_DEFAULTS.SIGNALBOX_MAX_CONNECTIONS_PER_CLIENT),
    SIGNALBOX_REQUEST_TIMEOUT_MS: milliseconds(PROCESS_DEFAULTS.SIGNALBOX_REQUEST_TIMEOUT_MS),
    SIGNALBOX_DRAIN_MS: count(PROCESS_DEFAULTS.SIGNALBOX_DRAIN_MS),
    SIGNALBOX_MAX_BODY_BYTES: count(8 * 1024 * 1024),
    SIGNALBOX_RATE_LIMIT_PER_MINUTE: count(1200),
    SIGNALBOX_CONTENT_READS_PER_MINUTE: count(60),
    SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: flag.optional(),
    SIGNALBOX_UPSTREAM_CONNECT_TIMEOUT_MS: milliseconds(10_000),
    SIGNALBOX_UPSTREAM_FIRST_BYTE_TIMEOUT_MS: milliseconds(300_000),
    SIGNALBOX_UPSTREAM_IDLE_TIMEOUT_MS: milliseconds(300_000),
    SIGNALBOX_UPSTREAM_ABANDONED_TIMEOUT_MS: milliseconds(60_000),
    SIGNALBOX_STREAM_KEEP_ALIVE_MS: milliseconds(10_000),
    SIGNALBOX_FILTER_TIMEOUT_MS: milliseconds(5_000),
    SIGNALBOX_FILTER_WORKERS: count(1).refine((workers) => workers >= 1 && workers <= 64, "must be from 1 to 64"),
    SIGNALBOX_SMTP_URL: z
      .url({ protocol: /^smtps?$/, error: "must be a URL such as smtp://user:password@mail.example.com:587" })
      .refine((text) => URL.parse(text)?.hostname !== "", "must contain a host")
      .refine((text) => !/[?#]/.test(text), "must not contain a query or fragment")
      .optional(),
    SIGNALBOX_SMTP_FROM: z
      .string()
      .regex(/^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, "must be an email address, or Name <address>")
      .optional(),
    SIGNALBOX_CONTENT_STORE: z.enum(["database", "s3"]).default("database"),
    SIGNALBOX_S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket's name")
      .optional(),
    SIGNALBOX_S3_REGION: z
      .string()
      .regex(/^[a-z0-9-]{1,50}$/, "must be a region such as eu-central-1")
      .default("us-east-1"),
    SIGNALBOX_S3_ENDPOINT: z
      .url({ protocol: /^https?$/, error: "must be a URL such as https://s3.eu-central-1.amazonaws.com" })
      .refine(
        (text) => !URL.parse(text)?.username && !/[?#]/.test(text),
        "must not contain a user name, query or fragment",
      )
      .optional(),
    SIGNALBOX_S3_PATH_STYLE: flag.default(false),
    SIGNALBOX_S3_WRITE_TIMEOUT_MS: milliseconds(3_000),
    SIGNALBOX_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    SIGNALBOX_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
    SIGNALBOX_METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
    SIGNALBOX_METRICS_LABELS: count(100),
    SIGNALBOX_ACCESS_LOG: flag.default(false),
    SIGNALBOX_TRUST_PROXY: flag.default(false),
    SIGNALBOX_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  })
  .refine(
    (variables) => !variables.DATABASE_URL || variables.SIGNALBOX_SECRET_KEY,
    rule("SIGNALBOX_SECRET_KEY", "is required with DATABASE_URL (32 random bytes, base64)"),
  )
  .refine(
    (variables) => variables.DATABASE_URL || !variables.SIGNALBOX_DIRECT_DATABASE_URL,
    rule("SIGNALBOX_DIRECT_DATABASE_URL", "requires DATABASE_URL, which leads to a connection pooler"),
  )
  .refine(
    (variables) => variables.DATABASE_URL || !variables.SIGNALBOX_READ_DATABASE_URL,
    rule("SIGNALBOX_READ_DATABASE_URL", "requires DATABASE_URL: the embedded database has no standby"),
  )
  .refine(
    (variables) => !variables.SIGNALBOX_SMTP_URL || variables.SIGNALBOX_SMTP_FROM,
    rule("SIGNALBOX_SMTP_FROM", "is required with SIGNALBOX_SMTP_URL"),
  )
  .refine(
    (variables) => variables.DATABASE_URL || variables.SIGNALBOX_WORKERS === 1,
    rule("SIGNALBOX_WORKERS", "must be 1 without DATABASE_URL: the embedded database belongs to one process"),
  )
  .refine(...requiredForBucket("SIGNALBOX_S3_BUCKET"))
  .refine(...requiredForBucket("SIGNALBOX_S3_ACCESS_KEY_ID"))
  .refine(...requiredForBucket("SIGNALBOX_S3_SECRET_ACCESS_KEY"));

/** Timeouts in milliseconds. */
export interface UpstreamTimeouts {
  connect: number;
  /** Time to first byte. */
  firstByte: number;
  /** Idle time between chunks. */
  idle: number;
  /** Time to wait for the usage of a complete answer after its client disconnected. */
  abandoned: number;
}

/** A bucket of an S3-compatible service. */
export interface BucketSettings {
  /** Address of the service, without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  region: string;
  bucket: string;
  /** The bucket is the first part of the path, not of the host name. */
  pathStyle: boolean;
  /** Maximum duration of a write in milliseconds. */
  writeTimeoutMs: number;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Env {
  port: number;
  hostname: string;
  /** Undefined for the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  /** The server behind a pooler that shares sessions. */
  directDatabaseUrl: string | undefined;
  /** A hot standby for reads that may be a little old, and how old at most. */
  readDatabaseUrl: string | undefined;
  readMaxStalenessMs: number;
  dataDir: string;
  secretKey: Buffer;
  /** Secrets before a rotation, used only for decryption. */
  previousSecretKeys: readonly Buffer[];
  /** Start although stored secrets are encrypted with a key that is lost. */
  allowsUnreadableSecrets: boolean;
  adminEmail: string;
  adminPassword: string | undefined;
  managementKey: string | undefined;
  /** Vendors with their own zero data retention switch, in the order a, b, c. */
  zdrVendors: readonly [string, string, string];
  /** Number of processes that share the port. */
  workers: number;
  maxBodyBytes: number;
  /** 0 for no limit. */
  rateLimitPerMinute: number;
  /** 0 for no limit. */
  contentReadsPerMinute: number;
  allowPrivateUpstreams: boolean;
  upstreamTimeouts: UpstreamTimeouts;
  /** Milliseconds of silence of a stream after which a keep-alive is sent. */
  streamKeepAliveMs: number;
  /** Maximum duration of a content filter scan in milliseconds; the request is rejected after it. */
  filterTimeoutMs: number;
  /** Number of content filter threads. */
  filterWorkers: number;
  /** Server and sender of emails; undefined to send none. */
  smtp: { url: string; from: string } | undefined;
  /** Where the contents of new generations are stored. */
  contentStore: "database" | "s3";
  /** The bucket of contents; also read without writing to it. Undefined to use none. */
  contentBucket: BucketSettings | undefined;
  /** Grants access to `/metrics` in addition to management keys. */
  metricsToken: string | undefined;
  /** Number of models, and of keys, that metrics tell apart. */
  metricsLabels: number;
  /** Origin at which browsers reach the server; undefined to take it from each request. */
  publicUrl: string | undefined;
  /** Trust the proxy's `X-Forwarded-For`, `-Host` and `-Proto` headers. */
  trustProxy: boolean;
  logLevel: string;
  /** OpenTelemetry's standard variables. */
  openTelemetry: Readonly<Record<string, string | undefined>>;
}

function bucketOf(data: z.output<typeof Variables>): BucketSettings | undefined {
  const {
    SIGNALBOX_S3_BUCKET: bucket,
    SIGNALBOX_S3_REGION: region,
    SIGNALBOX_S3_ACCESS_KEY_ID: accessKeyId,
    SIGNALBOX_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = data;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const endpoint = data.SIGNALBOX_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  return {
    endpoint,
    region,
    bucket,
    pathStyle: data.SIGNALBOX_S3_PATH_STYLE,
    writeTimeoutMs: data.SIGNALBOX_S3_WRITE_TIMEOUT_MS,
    accessKeyId,
    secretAccessKey,
  };
}

/** Parses the configuration (docs/configuration.md); fails with a line that names an invalid variable. */
export function parseEnv(
  variables: Readonly<Record<string, string | undefined>>,
): Omit<Env, "secretKey"> & { secretKey?: Buffer } {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const parsed = Variables.safeParse(set);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => [path.slice(0, 1).join(""), message] as const);
    /** The first problem of each variable: a missing or wrong one may break further rules. */
    const first = problems.filter(([name], index) => problems.findIndex(([other]) => other === name) === index);
    throw new StartError(first.map((problem) => problem.join(" ")).join("; "));
  }
  const { data } = parsed;
  return {
    port: data.PORT,
    hostname: data.HOSTNAME,
    databaseUrl: data.DATABASE_URL,
    directDatabaseUrl: data.SIGNALBOX_DIRECT_DATABASE_URL,
    readDatabaseUrl: data.SIGNALBOX_READ_DATABASE_URL,
    readMaxStalenessMs: data.SIGNALBOX_READ_MAX_STALENESS_MS,
    dataDir: resolve(/* turbopackIgnore: true */ process.cwd(), data.SIGNALBOX_DATA_DIR),
    secretKey: data.SIGNALBOX_SECRET_KEY ? Buffer.from(data.SIGNALBOX_SECRET_KEY, "base64") : undefined,
    previousSecretKeys: data.SIGNALBOX_PREVIOUS_SECRET_KEYS.map((text) => Buffer.from(text, "base64")),
    allowsUnreadableSecrets: data.SIGNALBOX_ALLOW_UNREADABLE_SECRETS,
    adminEmail: data.SIGNALBOX_ADMIN_EMAIL.toLowerCase(),
    adminPassword: data.SIGNALBOX_ADMIN_PASSWORD,
    managementKey: data.SIGNALBOX_MANAGEMENT_KEY,
    zdrVendors: data.SIGNALBOX_ZDR_VENDORS.split(",") as [string, string, string],
    workers: data.SIGNALBOX_WORKERS,
    maxBodyBytes: data.SIGNALBOX_MAX_BODY_BYTES,
    rateLimitPerMinute: data.SIGNALBOX_RATE_LIMIT_PER_MINUTE,
    contentReadsPerMinute: data.SIGNALBOX_CONTENT_READS_PER_MINUTE,
    allowPrivateUpstreams: data.SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS ?? !data.DATABASE_URL,
    upstreamTimeouts: {
      connect: data.SIGNALBOX_UPSTREAM_CONNECT_TIMEOUT_MS,
      firstByte: data.SIGNALBOX_UPSTREAM_FIRST_BYTE_TIMEOUT_MS,
      idle: data.SIGNALBOX_UPSTREAM_IDLE_TIMEOUT_MS,
      abandoned: data.SIGNALBOX_UPSTREAM_ABANDONED_TIMEOUT_MS,
    },
    streamKeepAliveMs: data.SIGNALBOX_STREAM_KEEP_ALIVE_MS,
    filterTimeoutMs: data.SIGNALBOX_FILTER_TIMEOUT_MS,
    filterWorkers: data.SIGNALBOX_FILTER_WORKERS,
    smtp:
      data.SIGNALBOX_SMTP_URL && data.SIGNALBOX_SMTP_FROM
        ? { url: data.SIGNALBOX_SMTP_URL, from: data.SIGNALBOX_SMTP_FROM }
        : undefined,
    contentStore: data.SIGNALBOX_CONTENT_STORE,
    contentBucket: bucketOf(data),
    metricsToken: data.SIGNALBOX_METRICS_TOKEN,
    metricsLabels: data.SIGNALBOX_METRICS_LABELS,
    publicUrl: data.SIGNALBOX_PUBLIC_URL,
    trustProxy: data.SIGNALBOX_TRUST_PROXY,
    logLevel: data.SIGNALBOX_LOG_LEVEL,
    openTelemetry: Object.fromEntries(Object.entries(set).filter(([name]) => name.startsWith("OTEL_"))),
  };
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
