import "server-only";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { applyMigrations } from "./migrations";
import { loadPGlite } from "./pglite";

/** Folder of an embedded database, or connection string of the PostgreSQL server. */
export type Target = { folder: string } | { url: string };

/**
 * Applies missing migrations, to an embedded database after it has been created, and returns their names. Nobody else may use the
 * embedded database or migrate the other meanwhile.
 */
export type Prepare = (target: Target) => Promise<string[]>;

export const prepareDatabase: Prepare = (target) =>
  "folder" in target ? prepareEmbedded(target.folder) : preparePostgres(target.url);

async function prepareEmbedded(folder: string): Promise<string[]> {
  const { PGlite, PrismaPGlite } = await loadPGlite();
  // What creating a database takes (300 MB) is freed only with the instance that did it.
  if (!existsSync(join(folder, "PG_VERSION"))) await (await PGlite.create(folder)).close();
  const pglite = await PGlite.create(folder);
  try {
    return await applyMigrations(new PrismaPGlite(pglite), (sql) => pglite.query<Record<string, unknown>>(sql));
  } finally {
    await pglite.close();
  }
}

async function preparePostgres(connectionString: string): Promise<string[]> {
  const connection = new pg.Client({ connectionString });
  connection.on("error", () => undefined);
  await connection.connect();
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on("error", () => undefined);
  try {
    return await applyMigrations(scriptsWhole(new PrismaPg(pool), connection), (sql) => connection.query(sql));
  } finally {
    await pool.end();
    await connection.end();
  }
}

/**
 * Runs scripts as a whole in one transaction: Prisma's adapter would split them at every semicolon, even in comments
 * and function bodies.
 */
function scriptsWhole(adapters: PrismaPg, connection: pg.Client): PrismaPg {
  const connect = adapters.connect.bind(adapters);
  const executeScript = (script: string) => connection.query(script).then(() => undefined);
  adapters.connect = async () => Object.assign(await connect(), { executeScript });
  return adapters;
}
