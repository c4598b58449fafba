import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const resolve = { alias: { "@": here("../.."), "server-only": here("./server-only.ts") } };

/** Services and stores on a database. Each test creates its own organization; files share a database and a process. */
const service = ["lib/**/*{service,store}.test.ts"];
/** Only in `npm run test:all`: tests that need a process, a database or a server to themselves, or take long. */
const long = ["lib/**/*.{alone,postgres,long}.test.ts"];

const common = {
  // Long enough for a busy machine; expected events usually occur within milliseconds.
  testTimeout: 240_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
  // Tests cause warnings on purpose.
  env: { SIGNALBOX_LOG_LEVEL: "error" },
  setupFiles: [here("./random.setup.ts")],
};
const workers = here("./workers.setup.ts");
const onDatabase = { ...common, globalSetup: [here("./postgres.setup.ts"), workers] };

export default defineConfig({
  root: here("../.."),
  test: {
    maxWorkers: 2,
    projects: [
      {
        resolve,
        test: {
          ...common,
          name: "unit",
          isolate: false,
          globalSetup: workers,
          include: ["lib/**/*.test.ts", "components/**/*.test.ts"],
          exclude: [...service, ...long],
        },
      },
      {
        resolve,
        test: {
          ...common,
          name: "component",
          environment: "happy-dom",
          setupFiles: here("./component.setup.ts"),
          include: ["components/**/*.test.tsx"],
        },
      },
      { resolve, test: { ...onDatabase, name: "service", include: service, exclude: long, isolate: false } },
      { resolve, test: { ...onDatabase, name: "long", include: long } },
    ],
  },
});
