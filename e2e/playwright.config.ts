import { defineConfig } from "@playwright/test";
import type { PageOptions } from "./console/page-checks";
import type { ServerOptions } from "./fixtures";

/**
 * API specs that run over the embedded database too: what depends on transactions, locks, the order of concurrent writes, and how
 * the adapter converts values. `audit-coverage` calls every write operation. The console's tests run over it as well.
 */
const ON_BOTH = "{analytics,assignments,audit-coverage,fuzz,generations,idempotency,preset-concurrency}";

export default defineConfig<object, ServerOptions & PageOptions>({
  testDir: ".",
  outputDir: "../test-results/e2e",
  globalSetup: "./global-setup.ts",
  fullyParallel: true,
  forbidOnly: Boolean(process.env["CI"]),
  // Twice the processors of a small machine: tests often wait, for a page or for leases to expire.
  workers: 4,
  // Long enough for a busy machine; a test that passes doesn't wait for them.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  // Without transitions, pages are drawn less often.
  use: { screenshot: "only-on-failure", contextOptions: { reducedMotion: "reduce" } },
  projects: [
    { name: "process", testMatch: "process/**/*.spec.ts", workers: 2 },
    // `lib/server/fuzz.postgres.test.ts` sends random bodies to every operation on PostgreSQL.
    {
      name: "api",
      testMatch: "api/**/*.spec.ts",
      testIgnore: "api/fuzz.spec.ts",
      workers: 2,
      use: { database: "postgres" },
    },
    { name: "api-embedded", testMatch: `api/${ON_BOTH}.spec.ts`, use: { database: "embedded" } },
    { name: "console", testMatch: "console/**/*.spec.ts", workers: 3, use: { database: "embedded" } },
    // Not in CI: `npm run test:clients`, which installs the clients first.
    { name: "clients", testMatch: "clients/**/*.spec.ts", workers: 2, use: { database: "embedded" } },
    // For people, not for CI: `npm run screenshots`.
    {
      name: "screenshots",
      testMatch: "console/pages.spec.ts",
      workers: 2,
      use: { database: "embedded", screenshots: true },
    },
  ],
});
