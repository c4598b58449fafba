import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseEnv, variableNames } from "./env";
import { StartError } from "./start-error";

const problem = (variables: Record<string, string>) => {
  try {
    parseEnv(variables);
    return null;
  } catch (error) {
    return error instanceof StartError ? error.message : error;
  }
};

describe("parseEnv", () => {
  it("has the documented defaults", () => {
    expect(parseEnv({})).toMatchObject({
      port: 3000,
      hostname: "127.0.0.1",
      databaseUrl: undefined,
      adminEmail: "admin@localhost",
      zdrVendors: ["anthropic", "openai", "google"],
      maxBodyBytes: 8 * 1024 * 1024,
      rateLimitPerMinute: 1200,
      contentReadsPerMinute: 60,
      allowPrivateUpstreams: true,
      publicUrl: undefined,
      trustsProxy: false,
      workers: 1,
      upstreamTimeouts: { connect: 10_000, firstByte: 300_000, idle: 300_000, abandoned: 60_000 },
      streamKeepAliveMs: 10_000,
      filterTimeoutMs: 5_000,
      filterWorkers: 1,
      metricsToken: undefined,
    });
  });

  it("names everything that a bucket lacks at once, without its secret", () => {
    const given = {
      SIGNALBOX_CONTENT_STORE: "s3",
      SIGNALBOX_S3_ENDPOINT: "ftp://x",
      SIGNALBOX_S3_SECRET_ACCESS_KEY: "hush",
    };
    expect(problem(given)).toBe(
      "SIGNALBOX_S3_ENDPOINT must be a URL such as https://s3.eu-central-1.amazonaws.com; SIGNALBOX_S3_BUCKET is required to store contents in a bucket; SIGNALBOX_S3_ACCESS_KEY_ID is required to store contents in a bucket",
    );
    const s3 = { SIGNALBOX_S3_BUCKET: "b-1", SIGNALBOX_S3_ACCESS_KEY_ID: "a", SIGNALBOX_S3_SECRET_ACCESS_KEY: "s" };
    expect(parseEnv({ ...s3, SIGNALBOX_S3_REGION: "eu-central-1" })).toMatchObject({
      contentStore: "database",
      contentBucket: { endpoint: "https://s3.eu-central-1.amazonaws.com", bucket: "b-1", pathStyle: false },
    });
  });

  it("treats an empty variable as unset", () => expect(parseEnv({ PORT: "", DATABASE_URL: "" }).port).toBe(3000));

  it("forbids private upstreams with PostgreSQL by default", () => {
    const postgres = {
      DATABASE_URL: "postgresql://localhost/x",
      SIGNALBOX_SECRET_KEY: Buffer.alloc(32).toString("base64"),
    };
    expect(parseEnv(postgres).allowPrivateUpstreams).toBe(false);
    expect(parseEnv({ ...postgres, SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true" }).allowPrivateUpstreams).toBe(true);
  });

  it.each<[variable: string, variables: Record<string, string>]>([
    ["PORT", { PORT: "web" }],
    ["PORT", { PORT: "65536" }],
    ["SIGNALBOX_UPSTREAM_IDLE_TIMEOUT_MS", { SIGNALBOX_UPSTREAM_IDLE_TIMEOUT_MS: "0" }],
    ["SIGNALBOX_FILTER_WORKERS", { SIGNALBOX_FILTER_WORKERS: "65" }],
    ["SIGNALBOX_METRICS_TOKEN", { SIGNALBOX_METRICS_TOKEN: "short" }],
    ["DATABASE_URL", { DATABASE_URL: "mysql://localhost/x" }],
    ["SIGNALBOX_DIRECT_DATABASE_URL", { SIGNALBOX_DIRECT_DATABASE_URL: "postgresql://localhost/x" }],
    ["SIGNALBOX_READ_DATABASE_URL", { SIGNALBOX_READ_DATABASE_URL: "postgresql://localhost/x" }],
    ["SIGNALBOX_SECRET_KEY", { DATABASE_URL: "postgresql://localhost/x" }],
    ["SIGNALBOX_SECRET_KEY", { SIGNALBOX_SECRET_KEY: Buffer.alloc(31).toString("base64") }],
    ["SIGNALBOX_SECRET_KEY", { SIGNALBOX_SECRET_KEY: "not base64!" }],
    ["SIGNALBOX_PREVIOUS_SECRET_KEYS", { SIGNALBOX_PREVIOUS_SECRET_KEYS: "AAAA,not base64!" }],
    ["SIGNALBOX_ADMIN_EMAIL", { SIGNALBOX_ADMIN_EMAIL: "nobody" }],
    ["SIGNALBOX_ADMIN_PASSWORD", { SIGNALBOX_ADMIN_PASSWORD: "short" }],
    ["SIGNALBOX_MANAGEMENT_KEY", { SIGNALBOX_MANAGEMENT_KEY: "too-short" }],
    ["SIGNALBOX_MANAGEMENT_KEY", { SIGNALBOX_MANAGEMENT_KEY: "x".repeat(201) }],
    ["SIGNALBOX_MANAGEMENT_KEY", { SIGNALBOX_MANAGEMENT_KEY: `sb-mgmt-v1-${"x".repeat(48)}` }],
    ["SIGNALBOX_ZDR_VENDORS", { SIGNALBOX_ZDR_VENDORS: "anthropic,openai" }],
    ["SIGNALBOX_ZDR_VENDORS", { SIGNALBOX_ZDR_VENDORS: "openai,openai,google" }],
    ["SIGNALBOX_RATE_LIMIT_PER_MINUTE", { SIGNALBOX_RATE_LIMIT_PER_MINUTE: "-1" }],
    ["SIGNALBOX_WORKERS", { SIGNALBOX_WORKERS: "0" }],
    ["SIGNALBOX_WORKERS", { SIGNALBOX_WORKERS: "65" }],
    ["SIGNALBOX_WORKERS", { SIGNALBOX_WORKERS: "auto" }],
    ["SIGNALBOX_WORKERS", { SIGNALBOX_WORKERS: "2" }],
    ["SIGNALBOX_TRUST_PROXY", { SIGNALBOX_TRUST_PROXY: "yes" }],
  ])("fails with a line that names %s", (variable, variables) =>
    expect(problem(variables)).toMatch(new RegExp(`^${variable} `)),
  );

  it.each([
    ["SIGNALBOX_PUBLIC_URL", "foo", "must be a URL such as https://signalbox.example"],
    ["SIGNALBOX_PUBLIC_URL", "https://a.example/b", "must not contain a path"],
    ["HOSTNAME", "999.1.1.1", "must be an IP address or a host name of this machine"],
    ["HOSTNAME", "127.0.0.1:3000", "must be an IP address or a host name of this machine"],
    ["HOSTNAME", "http://localhost", "must be an IP address or a host name of this machine"],
  ])("%s=%s is refused with the rule", (name, value, rule) => {
    expect(problem({ [name]: value })).toBe(`${name} ${rule}`);
  });

  it.each(["0.0.0.0", "::", "::1", "localhost", "pod-7.signalbox_net", "3f2a9c1b7d4e", "123456789012"])(
    "HOSTNAME may be %s",
    (hostname) => expect(parseEnv({ HOSTNAME: hostname })).toMatchObject({ hostname }),
  );

  it("names every wrong variable at once, each with one rule", () => {
    const wrong = {
      PORT: "web",
      SIGNALBOX_PUBLIC_URL: "foo",
      DATABASE_URL: "postgresql://localhost/x",
      SIGNALBOX_SECRET_KEY: "short",
      SIGNALBOX_SMTP_URL: "smtp://mail.example.com",
    };
    expect(problem(wrong)?.toString().split("; ")).toEqual([
      "PORT must be a port number",
      "SIGNALBOX_SECRET_KEY must be base64",
      "SIGNALBOX_PUBLIC_URL must be a URL such as https://signalbox.example",
      "SIGNALBOX_SMTP_FROM is required with SIGNALBOX_SMTP_URL",
    ]);
    expect(problem({ PORT: "web", DATABASE_URL: "postgresql://localhost/x" })).toBe(
      "PORT must be a port number; SIGNALBOX_SECRET_KEY is required with DATABASE_URL (32 random bytes, base64)",
    );
  });

  it("never includes a secret in an error", () => {
    expect(problem({ SIGNALBOX_ADMIN_PASSWORD: "hunter2" })).not.toContain("hunter2");
  });
});

describe("documented variables", () => {
  const names = variableNames().sort();
  const example = [...readFileSync(".env.example", "utf8").matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );

  it(".env.example lists each once", () => expect(example.map(([name]) => name).sort()).toEqual(names));

  it(".env.example has the defaults", () => {
    const values = Object.fromEntries(example.filter(([name]) => name !== "DATABASE_URL"));
    expect(parseEnv(values)).toEqual(parseEnv({}));
  });

  it("docs/configuration.md describes each once", () => {
    const rows = readFileSync("docs/configuration.md", "utf8").match(/^\| `.*?\|/gm) ?? [];
    expect(rows.flatMap((row) => row.match(/[A-Z][A-Z0-9_]{2,}/g) ?? []).sort()).toEqual(names);
  });
});
