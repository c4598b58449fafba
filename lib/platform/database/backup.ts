import "server-only";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { openDataFolder } from "../data-folder";
import { StartError } from "../start-error";
import type { Query } from "./migrations";
import { lockDataFolder } from "./process-lock";
import { describeTable, publicTables, sumOf, type TableSum } from "./table-sums";

/** Description of a backup, by which a restore is checked. */
export interface Manifest {
  format: 1;
  createdAt: string;
  database: "embedded" | "postgresql";
  /** Secret keys that stored secrets are encrypted with, by their ids. */
  secretKeyIds: string[];
  tables: TableSum[];
}

/** The database of an install, and the secret keys that are configured for it. */
export interface Install {
  databaseUrl: string | undefined;
  dataDir: string;
  secretKeyIds: readonly string[];
  /** Environment of PostgreSQL's tools. */
  environment: NodeJS.ProcessEnv;
}

const MANIFEST = "manifest.json";
const DUMP = "signalbox.dump";
const DATA = "pgdata";
/** Tables of running servers, which aren't restored. */
const OF_SERVERS = ["instances", "policy_changes"];

/**
 * Backs an install up to a new folder: PostgreSQL by `pg_dump`, also while servers run; the embedded database by copying its folder,
 * which no process may use meanwhile. The manifest is written last, and describes exactly what the backup contains.
 */
export async function backUp(install: Install, to: string, now: Date): Promise<Manifest> {
  if (existsSync(to) && readdirSync(to).length > 0) throw new StartError(`${to} isn't empty`);
  openDataFolder(to);
  const { databaseUrl, dataDir } = install;
  const contents = databaseUrl
    ? await dump(install, databaseUrl, join(to, DUMP))
    : await copyFolder(dataDir, join(to, DATA));
  assertReadable(contents.secretKeyIds, install);
  const database = databaseUrl ? "postgresql" : "embedded";
  const manifest: Manifest = { format: 1, createdAt: now.toISOString(), database, ...contents };
  writeFileSync(join(to, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/**
 * Restores a backup into an empty database of the same kind, and compares every table with the manifest.
 * @throws StartError if the target is in use, the secret key is another one, or a table differs
 */
export async function restore(install: Install, from: string): Promise<Manifest> {
  const manifest = readManifest(from);
  assertReadable(manifest.secretKeyIds, install);
  const { databaseUrl, dataDir } = install;
  if ((manifest.database === "postgresql") !== (databaseUrl !== undefined))
    throw new StartError(
      manifest.database === "postgresql"
        ? "This is a backup of a PostgreSQL database. Set DATABASE_URL to an empty one"
        : "This is a backup of an embedded database. Unset DATABASE_URL to restore it into SIGNALBOX_DATA_DIR",
    );
  if (databaseUrl) await restoreDump(install, databaseUrl, join(from, DUMP), manifest);
  else await restoreFolder(dataDir, join(from, DATA), manifest);
  return manifest;
}

type Contents = Pick<Manifest, "secretKeyIds" | "tables">;

async function contentsOf(query: Query): Promise<Contents> {
  await query("SET TimeZone = 'UTC'");
  const tables: TableSum[] = [];
  for (const table of [...(await publicTables(query, OF_SERVERS)), await describeTable(query, "signalbox_jobs.job")])
    tables.push(await sumOf(query, table));
  return { secretKeyIds: await keyIdsOf(query), tables };
}

/** Ids of the secret keys in all ciphertexts, which begin with `v2`, the key's id and a nonce. */
async function keyIdsOf(query: Query): Promise<string[]> {
  const { rows: columns } = await query(`
    SELECT quote_ident(relname) AS place, quote_ident(attname) AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND NOT attisdropped
      AND attname ~ 'ciphertext|secret|credentials' AND atttypid IN ('text'::regtype, 'jsonb'::regtype)`);
  if (columns.length === 0) return [];
  const { rows } = await query(
    `SELECT DISTINCT id[1] AS id FROM (${columns
      .map(
        ({ place, name }) =>
          `SELECT regexp_matches(${String(name)}::text, 'v2\\.([0-9a-f]{12})\\.[A-Za-z0-9+/]{16}\\.', 'g') AS id FROM ${String(place)}`,
      )
      .join(" UNION ALL ")}) ids ORDER BY 1`,
  );
  return rows.map(({ id }) => String(id));
}

function assertReadable(needed: readonly string[], { secretKeyIds }: Install): void {
  const missing = needed.filter((id) => !secretKeyIds.includes(id));
  if (missing.length > 0)
    throw new StartError(
      `Secrets in the backup are encrypted with the key ${missing.join(", ")}, which isn't configured here. Set SIGNALBOX_SECRET_KEY, or put the file secret-key into the data folder`,
    );
}

function readManifest(from: string): Manifest {
  const path = join(from, MANIFEST);
  if (!existsSync(path)) throw new StartError(`${from} isn't a complete backup: ${MANIFEST} is missing`);
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  if ((manifest.format as number) !== 1) throw new StartError(`${path} is of another version of Signalbox`);
  return manifest;
}

function assertSame({ tables: expected }: Manifest, { tables: found }: Contents): void {
  const differing = expected.filter(({ table, rows, sum }) => {
    const restored = found.find((one) => one.table === table);
    return restored?.rows !== rows || restored.sum !== sum;
  });
  if (differing.length > 0)
    throw new StartError(`These tables differ from the backup: ${differing.map(({ table }) => table).join(", ")}`);
}

const FORGET_SERVERS = OF_SERVERS.map((name) => `DELETE FROM ${name}`).join("; ");

/** Dumps and adds up one snapshot. */
async function dump(install: Install, connectionString: string, file: string): Promise<Contents> {
  return connected(connectionString, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { rows } = await client.query<{ id: string }>("SELECT pg_export_snapshot() AS id");
    const dumped = run(install, "pg_dump", connectionString, [
      "--format=custom",
      `--snapshot=${rows[0]?.id}`,
      `--file=${file}`,
    ]);
    const [contents] = await Promise.all([contentsOf((sql) => client.query(sql)), dumped]);
    return contents;
  });
}

async function restoreDump(
  install: Install,
  connectionString: string,
  file: string,
  manifest: Manifest,
): Promise<void> {
  await connected(connectionString, async (client) => {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') LIMIT 1",
    );
    if (rows.length > 0)
      throw new StartError("The PostgreSQL database has tables already. Restore into a new, empty database");
    await run(install, "pg_restore", connectionString, ["--no-owner", "--single-transaction", "--exit-on-error", file]);
    assertSame(manifest, await contentsOf((sql) => client.query(sql)));
    await client.query(`${FORGET_SERVERS}; ANALYZE`);
  });
}

async function connected<Result>(connectionString: string, use: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs a tool of PostgreSQL on the database; the password isn't among its arguments, which other users can see. */
async function run(
  { environment }: Install,
  tool: string,
  connectionString: string,
  options: readonly string[],
): Promise<void> {
  const url = new URL(connectionString);
  const password = decodeURIComponent(url.password);
  url.password = "";
  const child = spawn(tool, [`--dbname=${url.href}`, ...options], {
    env: { ...environment, ...(password && { PGPASSWORD: password }) },
    stdio: ["ignore", "inherit", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  const [code] = (await once(child, "close").catch((error: unknown) => {
    throw new StartError(`${tool} can't be run; it comes with PostgreSQL's client programs: ${String(error)}`);
  })) as [number | null];
  if (code !== 0) throw new StartError(`${tool} failed: ${output.trim()}`);
}

async function copyFolder(dataDir: string, copy: string): Promise<Contents> {
  if (!existsSync(join(dataDir, DATA))) throw new StartError(`${dataDir} has no embedded database`);
  const unlock = await lockDataFolder(dataDir);
  try {
    cpSync(join(dataDir, DATA), copy, { recursive: true });
  } finally {
    unlock();
  }
  return inFolder(copy, contentsOf);
}

async function restoreFolder(dataDir: string, copy: string, manifest: Manifest): Promise<void> {
  const folder = join(dataDir, DATA);
  const unlock = await lockDataFolder(dataDir);
  try {
    if (existsSync(folder)) throw new StartError(`${dataDir} has a database already. Restore into a new data folder`);
    const restoring = join(dataDir, "pgdata-restoring");
    cpSync(copy, restoring, { recursive: true });
    await inFolder(restoring, async (query) => {
      assertSame(manifest, await contentsOf(query));
      for (const name of OF_SERVERS) await query(`DELETE FROM ${name}`);
    });
    renameSync(restoring, folder);
  } finally {
    unlock();
  }
}

/** Opens a copy of an embedded database as it is, without migrating it. */
async function inFolder<Result>(folder: string, use: (query: Query) => Promise<Result>): Promise<Result> {
  const pglite = await PGlite.create(folder);
  try {
    return await use((sql) => pglite.query<Record<string, unknown>>(sql));
  } finally {
    await pglite.close();
  }
}
