import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const resolve = { alias: { "@": here("../.."), "server-only": here("./server-only.ts") } };

/** Tests of what services and stores do to a database: each test creates its own organization; files share a database and a process. */
const service = ["lib/**/*{service,store}.test.ts"];
/** Tests of a whole process or a whole database have one to themselves. */
const alone = ["lib/**/*.alone.test.ts"];
const onEmbedded = ["lib/**/*.embedded.test.ts"];
const onPostgres = ["lib/**/*.postgres.test.ts"];

/**
 * Service tests that run on the embedded database too, because it differs there: one connection for everybody, so a query outside
 * the transaction that holds it waits forever; row locks; the job queue; how the adapter converts values. The API tests call
 * every write operation on it as well.
 */
const ON_BOTH = [
  "analytics/rollup-service.test.ts",
  "budgets/alerts-service.test.ts",
  "budgets/service.test.ts",
  "content-access/removal-service.test.ts",
  "database/columns.service.test.ts",
  "database/constraints.service.test.ts",
  "database/literal.service.test.ts",
  "database/statement.service.test.ts",
  "exceptions/service.test.ts",
  "exports/run-service.test.ts",
  "gateway/policy-freshness.service.test.ts",
  "gateway/policy-tables.service.test.ts",
  "generations/narrow-store.test.ts",
  "gateway/service.test.ts",
  "guardrails/assignments-service.test.ts",
  "http/rate-limiter.service.test.ts",
  "guardrails/service.test.ts",
  "keys/limits-service.test.ts",
  "keys/service.test.ts",
  "members/service.test.ts",
  "models/service.test.ts",
  "organization/service.test.ts",
  "presets/service.test.ts",
  "record/record-store.test.ts",
  "providers/service.test.ts",
  "retention/service.test.ts",
  "server/secret-rollout.service.test.ts",
  "server/job-workers.service.test.ts",
  "session/factors-service.test.ts",
  "session/service.test.ts",
  "webhooks/service.test.ts",
  "workspaces/service.test.ts",
];
const files = readdirSync(here(".."), { recursive: true, encoding: "utf8" });
const missing = ON_BOTH.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)));
if (missing.length > 0) throw new Error(`vitest.config.ts names tests that don't exist: ${missing.join(", ")}`);
const serviceOnBoth = ON_BOTH.map((name) => `lib/**/${name}`);

/** Long enough for a busy machine; what is awaited usually happens within milliseconds. */
const timeouts = { testTimeout: 240_000, hookTimeout: 600_000, expect: { poll: { timeout: 60_000 } } };
/** Warnings are part of what tests bring about. */
const env = { SIGNALBOX_LOG_LEVEL: "error" };
const setupFiles = [here("./seed.setup.ts")];
const embedded = {
  ...timeouts,
  env,
  setupFiles,
  globalSetup: [here("./embedded.setup.ts"), here("./workers.setup.ts")],
};
const postgres = {
  ...timeouts,
  env,
  setupFiles,
  globalSetup: [here("./postgres.setup.ts"), here("./workers.setup.ts")],
};

export default defineConfig({
  root: here("../.."),
  test: {
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          ...timeouts,
          env,
          setupFiles,
          name: "unit",
          isolate: false,
          globalSetup: here("./workers.setup.ts"),
          include: ["lib/**/*.test.ts", "components/**/*.test.ts"],
          exclude: [...service, ...alone, ...onEmbedded, ...onPostgres],
        },
      },
      { resolve, test: { ...embedded, name: "service-embedded", include: serviceOnBoth, isolate: false } },
      { resolve, test: { ...embedded, name: "service-embedded-alone", include: [...alone, ...onEmbedded] } },
      { resolve, test: { ...postgres, name: "service-postgres", include: service, isolate: false } },
      { resolve, test: { ...postgres, name: "service-postgres-alone", include: [...alone, ...onPostgres] } },
    ],
  },
});
