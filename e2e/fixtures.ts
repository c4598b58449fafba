import { test as base } from "@playwright/test";
import { createApi, type Api } from "./api-client";
import { browserOptions } from "./browser";
import { SERVER_VARIABLES } from "./global-setup";
import { MANAGEMENT_KEY } from "./server";
import { createWorld, type World } from "./world";

export interface ServerOptions {
  /** The server a project's tests use. */
  database: "embedded" | "postgres";
}

interface TestFixtures {
  /** A separate workspace for the test, created through the API. */
  world: World;
}

interface WorkerFixtures extends ServerOptions {
  /** Root URL of the server, without `/v1`. */
  serverUrl: string;
  /** The API with the first management key of the installation. */
  api: Api;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  database: ["embedded", { scope: "worker", option: true }],
  serverUrl: [
    async ({ database }, use) => {
      const url = process.env[SERVER_VARIABLES[database]];
      if (!url) throw new Error("the servers are started by the global setup");
      await use(url);
    },
    { scope: "worker" },
  ],
  api: [({ serverUrl }, use) => use(createApi(serverUrl, MANAGEMENT_KEY)), { scope: "worker" }],
  launchOptions: [async ({}, use) => use(await browserOptions()), { scope: "worker" }],
  baseURL: ({ serverUrl }, use) => use(serverUrl),
  world: async ({ api }, use) => use(await createWorld(api)),
});

export { expect } from "@playwright/test";
