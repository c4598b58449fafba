import "server-only";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../../../prisma/generated/client";
import { arrayOnTheWire } from "./array-parameter";
import { finishWrites } from "./batcher";
import { KeptConnection } from "./kept-connection";
import { lockDataFolder } from "./process-lock";
import { StartError } from "../start-error";
import { addressOf, settle } from "./connection";
import { applyMigrations, outdatedMigrations, readMigrations, type Query } from "./migrations";
import { attachCache, PolicyCache } from "./policy-cache";
import { partitionNewInstall } from "./partitions";
import { attachPendingLists, MERGE, PendingLists } from "./pending-lists";
import { loadPGlite } from "./pglite";
import { prepareDatabase, type Prepare } from "./prepare";
import { CHANNEL, listenForOwnChanges, watchPolicy } from "./policy-watch";
import { attachStatements, parameterText, type RunStatement } from "./statement";
import { statementNames } from "./statement-names";

export interface OpenDatabase {
  client: PrismaClient;
  query: Query;
  /** Runs the job queue's own SQL: one statement with values, or a script without. */
  runSql: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;
  appliedMigrations: string[];
  /** Closes the database after pending writes. */
  close: () => Promise<void>;
}

export interface EmbeddedDatabase extends OpenDatabase {
  /** The rows of a query, in the text format of COPY. */
  copyOut: (query: string) => Promise<Blob>;
}

/** Arbitrary constant: the lock that serializes migrations of servers started together. */
const MIGRATION_LOCK = 7_316_204;
const POOL_SIZE = 20;
/** Less than the default of 128 MB, which the process would fill and never return: the operating system caches the files. */
const EMBEDDED_PARAMETERS = ["-c", "shared_buffers=32MB"];

/** Opens the embedded database of a data folder; `prepare` creates and migrates it. */
export async function openEmbedded(dataDir: string, prepare: Prepare = prepareDatabase): Promise<EmbeddedDatabase> {
  const unlock = await lockDataFolder(dataDir);
  try {
    const { PGlite } = await loadPGlite();
    const startParams = [...PGlite.defaultStartParams, ...EMBEDDED_PARAMETERS];
    const folder = join(dataDir, "pgdata");
    const prepared = existsSync(join(folder, "PG_VERSION")) ? [] : await prepare({ folder });
    let pglite = await PGlite.create(folder, { startParams });
    if ((await outdatedMigrations((sql) => pglite.query(sql), await readMigrations())).length > 0) {
      await pglite.close();
      prepared.push(...(await prepare({ folder })));
      pglite = await PGlite.create(folder, { startParams });
    }
    const opened = await fromPGlite(pglite);
    return { ...opened, appliedMigrations: prepared, close: () => opened.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Creates the client for a running PGlite. */
export async function fromPGlite(pglite: PGlite): Promise<EmbeddedDatabase> {
  const { PrismaPGlite } = await loadPGlite();
  const adapters = new PrismaPGlite(pglite);
  const query: Query = (sql) => pglite.query<Record<string, unknown>>(sql);
  const appliedMigrations = await applyMigrations(adapters, query);
  await partitionNewInstall(query);
  const client = new PrismaClient({ adapter: adapters });
  const cache = new PolicyCache();
  await pglite.listen(CHANNEL, (organizationId) => cache.drop(organizationId));
  // This process makes every change and is notified before the change is answered.
  cache.confirm(Infinity);
  attachCache(client, cache);
  attachStatements(client, preparedBy(pglite));
  const runScript = async (script: string) => {
    try {
      return await pglite.exec(script);
    } catch (error) {
      await pglite.exec("ROLLBACK");
      throw error;
    }
  };
  const runSql: OpenDatabase["runSql"] = async (text, values) =>
    (values ? pglite.query(text, values) : (await runScript(text)).at(-1)) ?? { rows: [] };
  return {
    client,
    query,
    runSql,
    copyOut: async (select) => (await pglite.query(`COPY (${select}) TO '/dev/blob'`)).blob ?? new Blob(),
    appliedMigrations,
    close: () =>
      finishWrites(client)
        .then(() => client.$disconnect())
        .then(() => pglite.close()),
  };
}

/** Runs statements by PREPARE and EXECUTE: PGlite's own queries are parsed and planned each time. */
function preparedBy(pglite: PGlite): RunStatement {
  const prepared = new Map<string, Promise<unknown>>();
  return async ({ name, text }, values) => {
    const preparing = prepared.get(name) ?? pglite.exec(`PREPARE ${name} AS ${text}`);
    prepared.set(name, preparing);
    await preparing;
    const literals = values.map(parameterText).map((value) => (value === null ? "NULL" : pg.escapeLiteral(value)));
    const results = await pglite.exec(`EXECUTE ${name}(${literals.join(", ")})`);
    return results.at(-1)?.rows ?? [];
  };
}

interface PostgresOptions {
  poolSize?: number;
  directUrl?: string | undefined;
  /** Migrates the database. */
  prepare?: Prepare;
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
  // The pool listens only while a connection is idle; one that is lost between two statements of its user would end the process.
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
  const runSql: OpenDatabase["runSql"] = (text, values) => (values ? pool.query(text, values) : runScript(pool, text));
  return {
    client,
    query: (sql) => pool.query(sql),
    runSql,
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
    const isCurrent = (await outdatedMigrations(query, await readMigrations())).length === 0;
    const applied = isCurrent ? [] : await prepare({ url });
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

/** Discards the connection of a failed script, which may have left a transaction open. */
async function runScript(pool: pg.Pool, script: string): Promise<pg.QueryResult> {
  const connection = await pool.connect();
  try {
    const result = await connection.query(script);
    connection.release();
    return result;
  } catch (error) {
    connection.release(true);
    throw error;
  }
}
