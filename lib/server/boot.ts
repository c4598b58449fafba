import "server-only";
import { endGenerations } from "../gateway/record/open-generations-service";
import { bootstrap, type Bootstrapped } from "./bootstrap";
import { openEmbedded, openPostgres, type OpenDatabase } from "../platform/database/open";
import { prepareApart } from "../platform/database/prepare-apart";
import { openReplica } from "../platform/database/replica-watch";
import { env, type Env } from "../platform/env";
import { warmUpValidation } from "./warm-up";
import { bindToSecret, startSecretRollout } from "./secret-rollout";
import { startJobWorkers } from "./job-workers";
import { answerCollections } from "../platform/metrics/workers";
import { logger } from "../platform/logger";
import { startTelemetry, stopTelemetry } from "../platform/telemetry/telemetry";
import { correctVendors } from "../records/models/vendor-correction-service";
import { measureEmbedded } from "../records/organization/embedded-use-service";
import { StartError } from "../platform/start-error";

/** Time to record requests that are running when the process ends. */
const END_GENERATIONS_MS = 2_000;
/** Number of database connections of one process, and the approximate total of all workers. */
const MOST_CONNECTIONS = 20;
const CONNECTIONS_TOGETHER = 80;
const FEWEST_CONNECTIONS = 4;

const poolSize = (workers: number): number =>
  Math.max(FEWEST_CONNECTIONS, Math.min(MOST_CONNECTIONS, Math.floor(CONNECTIONS_TOGETHER / workers)));

const FIRST_MEASUREMENT_MS = 10_000;
const MEASURE_EVERY_MS = 60_000;

export interface Runtime {
  db: OpenDatabase["client"];
  database: OpenDatabase;
}

/** One runtime per process, shared by all bundles: the embedded database has a single owner. */
const holder = globalThis as typeof globalThis & { __signalbox?: Promise<Runtime> };

/**
 * Opens and migrates the database and creates the first organization, once; a failed start ends the process with one
 * line.
 */
export function boot(): Promise<Runtime> {
  return (holder.__signalbox ??= start());
}

async function start(): Promise<Runtime> {
  try {
    const settings = env();
    await startTelemetry(settings.openTelemetry, new Date());
    const database = settings.databaseUrl
      ? withReplica(
          await openPostgres(settings.databaseUrl, {
            poolSize: poolSize(settings.workers),
            directUrl: settings.directDatabaseUrl,
            prepare: prepareApart,
          }),
          settings,
        )
      : await openEmbedded(settings.dataDir, { prepare: prepareApart });
    const stopRollout = await startSecretRollout(database.client, settings);
    const bootstrapped = await bootstrap(database.client, settings, new Date());
    await bindToSecret(database.client, settings);
    await correctVendors(database.client, settings.zdrVendors, new Date());
    if (bootstrapped) showCredentials(bootstrapped, `http://${settings.hostname}:${settings.port}`);
    if (!settings.databaseUrl) watchEmbedded(database.client);
    answerCollections();
    await warmUpValidation();
    return { db: database.client, database: withWorkers(database, settings, stopRollout) };
  } catch (error) {
    process.stderr.write(`Signalbox could not start: ${error instanceof StartError ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** Opens the standby for reads, if one is configured. */
function withReplica(database: OpenDatabase, settings: Env): OpenDatabase {
  const { databaseUrl, directDatabaseUrl, readDatabaseUrl: readUrl, readMaxStalenessMs: maxStalenessMs } = settings;
  const primaryUrl = directDatabaseUrl ?? databaseUrl;
  if (!primaryUrl || !readUrl) return database;
  const closeReplica = openReplica(database.client, {
    primaryUrl,
    readUrl,
    maxStalenessMs,
    poolSize: poolSize(settings.workers),
  });
  const close = async () => {
    await closeReplica();
    await database.close();
  };
  return { ...database, close };
}

/** Starts job workers, which run until the database is closed. */
function withWorkers(database: OpenDatabase, settings: Env, stopRollout: () => Promise<void>): OpenDatabase {
  const stopWorkers = startJobWorkers(database, settings, () => new Date());
  const close = async () => {
    try {
      await endGenerations(END_GENERATIONS_MS);
      await stopWorkers();
      await stopRollout();
      await stopTelemetry();
    } finally {
      await database.close();
    }
  };
  return { ...database, close };
}

/** Schedules the measurement of the embedded database, some time after the start. */
function watchEmbedded(db: Runtime["db"]): void {
  const measure = () => {
    measureEmbedded(db).catch((err: unknown) => {
      logger().error({ err }, "the embedded database can't be measured");
    });
  };
  setTimeout(measure, FIRST_MEASUREMENT_MS).unref();
  setInterval(measure, MEASURE_EVERY_MS).unref();
}

/** Prints the first credentials once; afterwards only their hashes are stored. */
function showCredentials({ adminEmail, adminPassword, managementKey }: NonNullable<Bootstrapped>, url: string): void {
  const lines = [
    "Signalbox is set up. Save these credentials; they are shown only once:",
    `  Console         ${url}`,
    `  Admin email     ${adminEmail}`,
    `  Admin password  ${adminPassword ?? "(set in SIGNALBOX_ADMIN_PASSWORD)"}`,
    `  Management key  ${managementKey ?? "(set in SIGNALBOX_MANAGEMENT_KEY)"}`,
  ];
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}
