import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../lib/testing/postgres";
import { browserVersions } from "./browser";
import { ADMIN, MANAGEMENT_KEY, startServer } from "./server";

/** The first start builds if there is no current build. */
const BUILD_TIMEOUT_MS = 10 * 60_000;

/** Environment variables through which workers find the servers. */
export const SERVER_VARIABLES = {
  embedded: "E2E_EMBEDDED_URL",
  postgres: "E2E_POSTGRES_URL",
  postgresDatabase: "E2E_POSTGRES_DATABASE",
  /** The data folder of an installation that has been started once. Copying it takes a tenth of a first start. */
  startedFolder: "E2E_STARTED_FOLDER",
} as const;

const variables = {
  SIGNALBOX_ADMIN_EMAIL: ADMIN.email,
  SIGNALBOX_ADMIN_PASSWORD: ADMIN.password,
  SIGNALBOX_MANAGEMENT_KEY: MANAGEMENT_KEY,
  SIGNALBOX_RATE_LIMIT_PER_MINUTE: "0",
  SIGNALBOX_CONTENT_READS_PER_MINUTE: "0",
  SIGNALBOX_FILTER_TIMEOUT_MS: "60000",
  SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true",
};

interface Stoppable {
  stop: () => unknown;
}

/** Starts two production servers, on the embedded database and on PostgreSQL. */
export default async function setup(): Promise<() => Promise<void>> {
  process.stdout.write(`${browserVersions()}\n`);
  const stops: (() => unknown)[] = [];
  const teardown = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  /** What started is stopped at the end even if another one failed. */
  const startBoth = async <First extends Stoppable, Second extends Stoppable>(
    ...starts: [Promise<First>, Promise<Second>]
  ) => {
    await Promise.allSettled(starts.map((start) => start.then(({ stop }) => stops.push(stop))));
    return Promise.all(starts);
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-e2e-"));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const embeddedIn = (data: string) => ({
      name: `server-${data}`,
      variables: { ...variables, SIGNALBOX_DATA_DIR: join(folder, data) },
    });
    const [postgres, first] = await startBoth(startPostgres(), startServer(embeddedIn("started"), BUILD_TIMEOUT_MS));
    await first.stop();
    cpSync(join(folder, "started"), join(folder, "embedded"), { recursive: true });
    const connection = {
      DATABASE_URL: postgres.url("postgres"),
      SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64"),
      SIGNALBOX_DATA_DIR: join(folder, "postgres"),
    };
    const [embedded, overPostgres] = await startBoth(
      startServer(embeddedIn("embedded")),
      startServer({ name: "server-postgres", variables: { ...variables, ...connection } }),
    );
    process.env[SERVER_VARIABLES.startedFolder] = join(folder, "started");
    process.env[SERVER_VARIABLES.embedded] = embedded.url;
    process.env[SERVER_VARIABLES.postgres] = overPostgres.url;
    process.env[SERVER_VARIABLES.postgresDatabase] = connection.DATABASE_URL;
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}
