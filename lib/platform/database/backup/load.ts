import "server-only";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { StartError } from "../../start-error";
import { withInitial } from "../baseline";
import { outdatedMigrations, readMigrations, type Query } from "../migrations";
import { partitionNewInstall, partitionPast } from "../partitions";
import { prepareDatabase } from "../prepare";
import { sumOf, type Contents, type Table } from "./contents";

/** A backup that can be read. */
export interface Backup {
  contents: Contents;
  /** Rows of a table in the text format of COPY, in one or several pieces. */
  rows: (table: Table) => AsyncIterable<Readable> | Iterable<Readable>;
  close: () => Promise<void>;
}

/**
 * Fills an empty database with a backup in one transaction, which commits only if count and checksum of every table match. The
 * database gets the backup's migrations; the next start applies later ones.
 * @throws StartError if the database is in use, the backup is of a newer version, or a table differs
 */
export async function load(connectionString: string, { contents, rows }: Backup): Promise<void> {
  const { oldest, sequences, tables } = contents;
  const migrations = withInitial(contents.migrations);
  const target = new pg.Client({ connectionString });
  await target.connect();
  try {
    const query: Query = (sql) => target.query(sql);
    await assertUnused(query, migrations);
    await prepareDatabase(connectionString, migrations);
    // The tables of an older version are partitioned after they have been migrated.
    const isCurrent = (await outdatedMigrations(query, await readMigrations())).length === 0;
    if (isCurrent) await partitionNewInstall(query);
    await target.query("BEGIN; SET LOCAL TimeZone = 'UTC'");
    if (isCurrent && oldest) await partitionPast(query, new Date(oldest));
    const restoreRules = await withoutRules(target);
    await target.query(`TRUNCATE ${tables.map(({ name }) => name).join(", ")}`);
    for (const table of tables) {
      for await (const piece of rows(table))
        await pipeline(piece, target.query(from(`COPY ${table.name} (${table.columns}) FROM STDIN`)));
      const found = await sumOf(query, table);
      if (found.rows !== table.rows || found.sum !== table.sum)
        throw new StartError(`The table ${table.name} differs from the backup: nothing was restored`);
    }
    for (const [name, last] of Object.entries(sequences))
      await target.query("SELECT setval($1::regclass, $2::bigint)", [name, last]);
    await target.query(restoreRules);
    await target.query("COMMIT");
    await target.query("ANALYZE");
  } finally {
    await target.end();
  }
}

/** Tables without rows remain after a failed attempt. */
async function assertUnused(query: Query, migrations: readonly string[]): Promise<void> {
  const { rows } = await query(
    "SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') LIMIT 1",
  );
  if (rows.length === 0) return;
  const { rows: tables } = await query("SELECT to_regclass('organizations') AS organizations");
  const isOurs = tables[0]?.["organizations"] !== null;
  const { rows: used } = isOurs ? await query("SELECT 1 FROM organizations LIMIT 1") : { rows };
  const { rows: applied } = isOurs ? await query("SELECT migration_name FROM _prisma_migrations") : { rows: [] };
  const isSame = applied.every((row) => migrations.includes(String(row["migration_name"])));
  if (used.length > 0 || !isSame)
    throw new StartError("The PostgreSQL database has tables already. Restore into a new, empty database");
}

/**
 * Drops the constraints that would require an order of tables, and the triggers that would run for each row. Returns the SQL that
 * restores them.
 */
async function withoutRules(target: pg.Client): Promise<string> {
  const { rows: keys } = await target.query<{ place: string; name: string; definition: string }>(`
    SELECT conrelid::regclass::text AS place, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace`);
  const { rows: triggers } = await target.query<{ place: string }>(`
    SELECT DISTINCT tgrelid::regclass::text AS place FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace`);
  const off = [
    ...keys.map(({ place, name }) => `ALTER TABLE ${place} DROP CONSTRAINT ${name}`),
    ...triggers.map(({ place }) => `ALTER TABLE ${place} DISABLE TRIGGER USER`),
  ];
  const on = [
    ...keys.map(({ place, name, definition }) => `ALTER TABLE ${place} ADD CONSTRAINT ${name} ${definition}`),
    ...triggers.map(({ place }) => `ALTER TABLE ${place} ENABLE TRIGGER USER`),
  ];
  await target.query(off.join(";\n"));
  return on.join(";\n");
}
