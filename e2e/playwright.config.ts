import { defineConfig } from "@playwright/test";
import type { PageOptions } from "./console/page-checks";
import type { ServerOptions } from "./fixtures";

export default defineConfig<object, ServerOptions & PageOptions>({
  testDir: ".",
  outputDir: "../test-results/e2e",
  globalSetup: "./global-setup.ts",
  fullyParallel: true,
  forbidOnly: Boolean(process.env["CI"]),
  // Twice the processors of a small machine, because tests often wait for a page or for leases to expire.
  workers: 4,
  // Long enough for a busy machine; a passing test doesn't wait for them.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  // Without transitions, pages are drawn less often.
  use: { screenshot: "only-on-failure", contextOptions: { reducedMotion: "reduce" } },
  projects: [
    { name: "process", testMatch: "process/**/*.spec.ts", workers: 2 },
    { name: "api", testMatch: "api/**/*.spec.ts", workers: 2, use: { database: "postgres" } },
    { name: "console", testMatch: "console/**/*.spec.ts", workers: 3, use: { database: "embedded" } },
    // The tests of `process` and `console` that `npm test` runs.
    {
      name: "journeys",
      testMatch: "{console,process}/**/*.spec.ts",
      grep: /@journey/,
      workers: 3,
      use: { database: "embedded" },
    },
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
