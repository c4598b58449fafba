import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const resolve = { alias: { "@": here("../.."), "server-only": here("./server-only.ts") } };

/** Tests of what services do to a database: each test makes its own organization, and files share a database and a process. */
const onAnyDatabase = ["lib/**/{service,store}.test.ts", "lib/**/*{-,.}{service,store}.test.ts"];
/** Those of what a process or a database holds as a whole have one for themselves. */
const alone = ["lib/**/*.alone.test.ts"];
const onEmbedded = ["lib/**/*.embedded.test.ts"];
const onPostgres = ["lib/**/*.postgres.test.ts"];
const databaseTimeouts = { testTimeout: 60_000, hookTimeout: 120_000 };
const embedded = { ...databaseTimeouts, globalSetup: [here("./embedded.setup.ts"), here("./scan-worker.setup.ts")] };
const postgres = { ...databaseTimeouts, globalSetup: [here("./postgres.setup.ts"), here("./scan-worker.setup.ts")] };

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
          exclude: [...onAnyDatabase, ...alone, ...onEmbedded, ...onPostgres],
        },
      },
      { resolve, test: { ...embedded, name: "service-embedded", include: onAnyDatabase, isolate: false } },
      { resolve, test: { ...embedded, name: "service-embedded-alone", include: [...alone, ...onEmbedded] } },
      { resolve, test: { ...postgres, name: "service-postgres", include: onAnyDatabase, isolate: false } },
      { resolve, test: { ...postgres, name: "service-postgres-alone", include: [...alone, ...onPostgres] } },
    ],
  },
});
