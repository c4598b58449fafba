import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const resolve = { alias: { "@": here("../.."), "server-only": here("./server-only.ts") } };

/** Tests of what services do to a database: each file gets its own. */
const onAnyDatabase = ["lib/**/service.test.ts", "lib/**/*.service.test.ts"];
const onEmbedded = ["lib/**/*.embedded.test.ts"];
const onPostgres = ["lib/**/*.postgres.test.ts"];
const databaseTimeouts = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  root: here("../.."),
  test: {
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          globalSetup: here("./scan-worker.setup.ts"),
          include: ["lib/**/*.test.ts", "components/**/*.test.ts"],
          exclude: [...onAnyDatabase, ...onEmbedded, ...onPostgres],
        },
      },
      {
        resolve,
        test: {
          ...databaseTimeouts,
          name: "service-embedded",
          include: [...onAnyDatabase, ...onEmbedded],
          globalSetup: [here("./embedded.setup.ts"), here("./scan-worker.setup.ts")],
        },
      },
      {
        resolve,
        test: {
          ...databaseTimeouts,
          name: "service-postgres",
          include: [...onAnyDatabase, ...onPostgres],
          globalSetup: [here("./postgres.setup.ts"), here("./scan-worker.setup.ts")],
        },
      },
    ],
  },
});
