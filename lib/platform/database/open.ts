import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../../../prisma/generated/client";
import { arrayOnTheWire } from "./array-parameter";
import type { Env } from "../env";
import { finishWrites } from "./batcher";
import { baseline } from "./baseline";
import { KeptConnection } from "./kept-connection";
import { StartError } from "../start-error";
import { addressOf, settle } from "./connection";
import { runningUrl, startEmbedded } from "./embedded/open";
import { outdatedMigrations, readMigrations, type Query } from "./migrations";
import { attachCache, PolicyCache } from "./policy-cache";
import { partitionNewInstall } from "./partitions";
import { attachPendingLists, MERGE, PendingLists } from "./pending-lists";
import { prepareDatabase, type Prepare } from "./prepare";
import { listenForOwnChanges, watchPolicy } from "./policy-watch";
import { attachStatements } from "./statement";
import { statementNames } from "./statement-names";

export interface OpenDatabase {
  client: PrismaClient;
  query: Query;
  appliedMigrations: string[];
  /** Closes the database after pending writes. */
  close: () => Promise<void>;
}

/** Arbitrary id of the lock that serializes migrations of servers started together. */
const MIGRATION_LOCK = 7_316_204;
const POOL_SIZE = 20;

interface PostgresOptions {
  poolSize?: number;
  directUrl?: string | undefined;
  /** Migrates the database. */
  prepare?: Prepare;
}

/** Starts the embedded database of a data folder, and opens it. */
export async function openEmbedded(dataDir: string, options: PostgresOptions = {}): Promise<OpenDatabase> {
  const server = await startEmbedded(dataDir);
  try {
    const opened = await openPostgres(server.url, options);
    const close = async () => {
      try {
        await opened.close();
      } finally {
        await server.stop();
      }
    };
    return { ...opened, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Opens the database of an install for a command, whether its server runs or not. */
export async function openInstall({
  databaseUrl,
  dataDir,
}: Pick<Env, "databaseUrl" | "dataDir">): Promise<OpenDatabase> {
  const url = databaseUrl ?? (await runningUrl(dataDir));
  return url === null ? openEmbedded(dataDir) : openPostgres(url);
}

/** Connects to and migrates a PostgreSQL database, one starting process at a time. */
export async function openPostgres(
  connectionString: string,
  { poolSize = POOL_SIZE, directUrl, prepare = prepareDatabase }: PostgresOptions = {},
): Promise<OpenDatabase> {
  const address = addressOf(connectionString, directUrl);
  const cache = new PolicyCache();
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    ...(!address.sharesSessions && {
      onConnect: async (connection) => {
        await settle(connection);
        await listenForOwnChanges(connection, cache);
      },
    }),
  });
  pool.on("error", () => undefined);
  // The pool listens only while a connection is idle. A connection that is lost between two statements would end the process.
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  const appliedMigrations =
    address.directUrl === null ? await assertMigrated(pool) : await migrate(address.directUrl, prepare);
  const names = address.hasNames ? { statementNameGenerator: statementNames() } : {};
  const client = new PrismaClient({ adapter: new PrismaPg(pool, names) });
  const stopWatching = await watchPolicy(cache, address, pool);
  const pendingLists = new PendingLists(() => pool.query(MERGE));
  attachCache(client, cache);
  attachPendingLists(client, pendingLists);
  const statements = new KeptConnection(pool);
  attachStatements(client, ({ name, text }, values) =>
    statements.query({
      text,
      values: values.map((value) => (typeof value === "object" && value !== null ? arrayOnTheWire(value) : value)),
      ...(address.hasNames && { name }),
    }),
  );
  return {
    client,
    query: (sql) => pool.query(sql),
    appliedMigrations,
    close: () =>
      finishWrites(client)
        .then(() => pendingLists.settled())
        .then(() => statements.release())
        .then(stopWatching)
        .then(() => client.$disconnect())
        .then(() => pool.end()),
  };
}

/** Applies migrations while no other process does. */
async function migrate(url: string, prepare: Prepare): Promise<string[]> {
  const migrator = new pg.Client({ connectionString: url });
  migrator.on("error", () => undefined);
  await migrator.connect();
  try {
    await migrator.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const query: Query = (sql) => migrator.query(sql);
    const migrations = await readMigrations();
    await baseline(query, migrations);
    const isCurrent = (await outdatedMigrations(query, migrations)).length === 0;
    const applied = isCurrent ? [] : await prepare(url);
    await partitionNewInstall(query);
    return applied;
  } finally {
    await migrator.end();
  }
}

/** Fails if migrations are missing: the lock for applying them needs a session. */
async function assertMigrated(pool: pg.Pool): Promise<string[]> {
  const missing = await outdatedMigrations((sql) => pool.query(sql), await readMigrations());
  if (missing.length > 0)
    throw new StartError(
      "The database has to be migrated, which isn't possible through PgBouncer. Set SIGNALBOX_DIRECT_DATABASE_URL to the PostgreSQL server",
    );
  return [];
}
