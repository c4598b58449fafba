import { defineConfig } from "@playwright/test";
import type { ServerOptions } from "./fixtures";

export default defineConfig<object, ServerOptions>({
  testDir: ".",
  outputDir: "../test-results/e2e",
  globalSetup: "./global-setup.ts",
  fullyParallel: true,
  forbidOnly: Boolean(process.env["CI"]),
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: { trace: "on-first-retry", screenshot: "only-on-failure" },
  projects: [
    { name: "api-embedded", testMatch: "api/**/*.spec.ts", use: { database: "embedded" } },
    { name: "api-postgres", testMatch: "api/**/*.spec.ts", use: { database: "postgres" } },
    { name: "process", testMatch: "process/**/*.spec.ts" },
    { name: "console", testMatch: "console/**/*.spec.ts", use: { database: "embedded" } },
  ],
});
