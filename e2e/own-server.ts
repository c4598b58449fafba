import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { SERVER_VARIABLES } from "./global-setup";
import { ADMIN, launchServer, MANAGEMENT_KEY, untilReady, type Server } from "./server";
import { unique } from "./world";

interface OwnServer {
  /** Prefix of log file names. */
  name: string;
  /** Environment of every start: a separate data folder and the embedded database. */
  variables: Record<string, string>;
  /** Starts a server for one test, stopped at the end of the test. */
  start: (more?: Readonly<Record<string, string>>, options?: readonly string[], port?: number) => Promise<Server>;
}

interface OwnServerOptions {
  /** Starts with an empty data folder instead of a copy of an installation that was started once and never used. */
  isFirstStart: boolean;
}

/** Fixture for tests of the process: start, stop, crashes, limits. */
export const test = base.extend<OwnServerOptions & { own: OwnServer }>({
  isFirstStart: [false, { option: true }],
  own: async ({ isFirstStart }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-process-"));
    if (!isFirstStart) cpSync(process.env[SERVER_VARIABLES.startedFolder] ?? "", folder, { recursive: true });
    const name = unique("own-server");
    const variables = {
      SIGNALBOX_DATA_DIR: folder,
      SIGNALBOX_ADMIN_PASSWORD: ADMIN.password,
      SIGNALBOX_MANAGEMENT_KEY: MANAGEMENT_KEY,
      SIGNALBOX_RATE_LIMIT_PER_MINUTE: "0",
      SIGNALBOX_FILTER_TIMEOUT_MS: "60000",
    };
    const running: Server[] = [];
    let started = 0;
    const start: OwnServer["start"] = async (more = {}, options = [], ...[port]) => {
      const server = await launchServer({
        name: `${name}-${(started += 1)}`,
        variables: { ...variables, ...more },
        options,
        ...(port !== undefined && { port }),
      });
      running.push(server);
      return untilReady(server);
    };
    await use({ name, variables, start });
    await Promise.all(running.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  },
});

export { expect } from "@playwright/test";
