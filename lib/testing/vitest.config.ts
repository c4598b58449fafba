import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const resolve = { alias: { "@": here("../.."), "server-only": here("./server-only.ts") } };

/** Tests of what services and stores do to a database: each test creates its own organization; files share a database and a process. */
const service = ["lib/**/*{service,store}.test.ts"];
/** Tests of a whole process, a whole database or a whole database server have one to themselves. */
const alone = ["lib/**/*.{alone,postgres}.test.ts"];

/** Long enough for a busy machine; what is awaited usually happens within milliseconds. */
const timeouts = { testTimeout: 240_000, hookTimeout: 600_000, expect: { poll: { timeout: 60_000 } } };
/** Warnings are part of what tests bring about. */
const env = { SIGNALBOX_LOG_LEVEL: "error" };
const setupFiles = [here("./seed.setup.ts")];
const onDatabase = {
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
          exclude: [...service, ...alone],
        },
      },
      { resolve, test: { ...onDatabase, name: "service", include: service, isolate: false } },
      { resolve, test: { ...onDatabase, name: "service-alone", include: alone } },
    ],
  },
});
