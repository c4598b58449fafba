import "server-only";
import { createReadStream, createWriteStream, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { z } from "zod";
import { openDataFolder } from "../../data-folder";
import { StartError } from "../../start-error";
import { hasEmbedded, removeEmbedded, runningUrl, startEmbedded } from "../embedded/open";
import { assertReadable, Contents, readContents, selectFrom } from "./contents";
import { load, type Backup } from "./load";
import { hasFormerDatabase, readFormerDatabase } from "./former";

/** The database of an install, and the ids of the secret keys that are configured for it. */
export interface Install {
  /** Undefined for the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  secretKeyIds: readonly string[];
}

const Manifest = z.object({ format: z.literal(2), createdAt: z.iso.datetime(), ...Contents.shape });
/** Format of backups before COPY was used. */
const FormerManifest = z.object({ format: z.literal(1), database: z.enum(["embedded", "postgresql"]) });

const MANIFEST = "manifest.json";
const fileOf = (folder: string, table: string): string => join(folder, `${table}.copy.gz`);

/**
 * Backs an install up to a new folder, from one snapshot, even while servers run. The folder has a file for each table, in the text
 * format of COPY, and the manifest, which is written last.
 */
export async function backUp(install: Install, to: string, now: Date): Promise<Contents> {
  if (existsSync(to) && readdirSync(to).length > 0) throw new StartError(`${to} isn't empty`);
  openDataFolder(to);
  const contents = await withDatabase(install, (client) => writeTables(client, to));
  assertReadable(contents, install.secretKeyIds);
  const manifest: z.output<typeof Manifest> = { format: 2, createdAt: now.toISOString(), ...contents };
  writeFileSync(join(to, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return contents;
}

/** Runs work on the install's database. The server of a data folder is started if it doesn't run. */
async function withDatabase<Result>(
  { databaseUrl, dataDir }: Install,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const running = databaseUrl ?? (await runningUrl(dataDir));
  const server = running === null ? await startExisting(dataDir) : null;
  const client = new pg.Client({ connectionString: running ?? server?.url });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
    await server?.stop();
  }
}

function startExisting(dataDir: string): ReturnType<typeof startEmbedded> {
  if (!hasEmbedded(dataDir)) throw new StartError(`${dataDir} has no embedded database. Set SIGNALBOX_DATA_DIR`);
  return startEmbedded(dataDir);
}

async function writeTables(client: pg.Client, folder: string): Promise<Contents> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const contents = await readContents((sql) => client.query(sql));
  for (const table of contents.tables)
    await pipeline(
      client.query(copyTo(`COPY (${selectFrom(table)}) TO STDOUT`)),
      createGzip({ level: 1 }),
      createWriteStream(fileOf(folder, table.name)),
    );
  await client.query("COMMIT");
  return contents;
}

/**
 * Restores a backup, or the data folder of a version up to 0.2, into an empty database: that of `databaseUrl`, or a new one in the data folder.
 * @throws StartError if the target is in use, the secret key is another one, or a table differs
 */
export async function restore({ databaseUrl, dataDir, secretKeyIds }: Install, from: string): Promise<Contents> {
  const backup = await readBackup(from);
  try {
    assertReadable(backup.contents, secretKeyIds);
    await (databaseUrl ? load(databaseUrl, backup) : loadEmbedded(dataDir, backup));
    return backup.contents;
  } finally {
    await backup.close();
  }
}

async function readBackup(from: string): Promise<Backup> {
  const path = join(from, MANIFEST);
  if (!existsSync(path) && hasFormerDatabase(from)) return readFormerDatabase(from);
  if (!existsSync(path)) throw new StartError(`${from} isn't a complete backup: ${MANIFEST} is missing`);
  const text: unknown = JSON.parse(readFileSync(path, "utf8"));
  const former = FormerManifest.safeParse(text);
  if (former.data?.database === "embedded") return readFormerDatabase(from);
  if (former.data)
    throw new StartError(`${from} was made by pg_dump. Restore its file signalbox.dump by pg_restore: docs/runbook.md`);
  const { data: contents } = Manifest.safeParse(text);
  if (!contents) throw new StartError(`${path} is of another version of Signalbox`);
  return {
    contents,
    rows: ({ name }) => [createReadStream(fileOf(from, name)).pipe(createGunzip())],
    close: () => Promise.resolve(),
  };
}

async function loadEmbedded(dataDir: string, backup: Backup): Promise<void> {
  if (hasEmbedded(dataDir)) throw new StartError(`${dataDir} has a database already. Restore into a new data folder`);
  const server = await startEmbedded(dataDir);
  let isLoaded = false;
  try {
    await load(server.url, backup);
    isLoaded = true;
  } finally {
    await server.stop();
    if (!isLoaded) removeEmbedded(dataDir);
  }
}
