import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { applyMigrations } from "./migrations";

/** Applies missing migrations to the database of a connection string, and returns their names. No other process may migrate it meanwhile. */
export type Prepare = (connectionString: string) => Promise<string[]>;

/** @param only Names of the migrations to apply; all by default. */
export async function prepareDatabase(connectionString: string, only?: readonly string[]): Promise<string[]> {
  const connection = new pg.Client({ connectionString });
  connection.on("error", () => undefined);
  await connection.connect();
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on("error", () => undefined);
  try {
    return await applyMigrations(scriptsWhole(new PrismaPg(pool), connection), (sql) => connection.query(sql), only);
  } finally {
    await pool.end();
    await connection.end();
  }
}

/**
 * Runs scripts as a whole in one transaction: Prisma's adapter would split them at every semicolon, including those in comments and
 * function bodies.
 */
function scriptsWhole(adapters: PrismaPg, connection: pg.Client): PrismaPg {
  const connect = adapters.connect.bind(adapters);
  const executeScript = (script: string) => connection.query(script).then(() => undefined);
  adapters.connect = async () => Object.assign(await connect(), { executeScript });
  return adapters;
}
