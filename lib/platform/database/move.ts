import "server-only";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { StartError } from "../start-error";
import type { Query } from "./migrations";
import { openEmbedded, openPostgres, type EmbeddedDatabase } from "./open";
import { partitionPast } from "./partitions";
import { describeTable, publicTables, sumOf, type Table, type TableSum } from "./table-sums";

/** Tables that belong to a server or to its transaction numbers, not to the data. */
const LEFT = ["_prisma_migrations", "instances", "policy_changes"];
const JOBS = "signalbox_jobs.job";
/** Pages of 8 kB read at a time: with long contents, which are stored beside the pages, a multiple of that. */
const PAGES = 1_000;

/**
 * Copies everything of a data folder's embedded database to an empty PostgreSQL database, in one transaction that ends only if count and
 * checksum of every table agree. The data folder stays as it is.
 * @throws StartError if a process uses the data folder, or the PostgreSQL database has an organization
 */
export async function moveToPostgres(dataDir: string, connectionString: string): Promise<TableSum[]> {
  const source = await openEmbedded(dataDir);
  try {
    // Creates the tables.
    await (await openPostgres(connectionString)).close();
    const target = new pg.Client({ connectionString });
    await target.connect();
    try {
      await target.query("BEGIN");
      const moved = await copyAll(source, target);
      await target.query("COMMIT");
      await target.query("ANALYZE");
      return moved;
    } finally {
      await target.end();
    }
  } finally {
    await source.close();
  }
}

async function copyAll(source: EmbeddedDatabase, target: pg.Client): Promise<TableSum[]> {
  const into: Query = (sql) => target.query(sql);
  await source.query("SET TimeZone = 'UTC'");
  await target.query("SET LOCAL TimeZone = 'UTC'; LOCK TABLE organizations IN ACCESS EXCLUSIVE MODE");
  const { rows: organizations } = await into("SELECT 1 FROM organizations LIMIT 1");
  if (organizations.length > 0)
    throw new StartError("The PostgreSQL database has an organization already. Move into an empty database");
  const tables = await publicTables(source.query, LEFT);
  const { rows: log } = await source.query("SELECT min(created_at) AS oldest FROM generations");
  if (log[0]?.["oldest"]) await partitionPast(into, log[0]["oldest"] as Date);
  const restore = await withoutRules(target);
  await target.query(`TRUNCATE ${tables.map(({ name }) => name).join(", ")}`);
  const moved: TableSum[] = [];
  for (const table of [...tables, await pendingJobs(source.query)]) {
    await copyTable(source, target, table);
    const [before, after] = [await sumOf(source.query, table), await sumOf(into, table)];
    if (before.rows !== after.rows || before.sum !== after.sum)
      throw new Error(`${table.name} differs: ${before.rows} rows before and ${after.rows} after`);
    moved.push(after);
  }
  await copySequences(source.query, target);
  await target.query(restore);
  return moved;
}

/** Deliveries that are due or were interrupted; what is finished tells nothing. */
const pendingJobs = (query: Query): Promise<Table> => describeTable(query, JOBS, "state < 'completed'");

/** Takes off the constraints that would demand an order of tables, and the triggers that would note each row; returns the SQL that restores them. */
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

async function copyTable(source: EmbeddedDatabase, target: pg.Client, table: Table): Promise<void> {
  const { name, columns, condition, pages } = table;
  for (let page = 0; page < pages; page += PAGES) {
    const copied = await source.copyOut(`
      SELECT ${columns} FROM ${name} WHERE ${condition} AND ctid >= '(${page},0)'::tid AND ctid < '(${page + PAGES},0)'::tid`);
    if (copied.size === 0) continue;
    const rows = Readable.fromWeb(copied.stream() as ReadableStream);
    await pipeline(rows, target.query(from(`COPY ${name} (${columns}) FROM STDIN`)));
  }
}

async function copySequences(query: Query, target: pg.Client): Promise<void> {
  const { rows } = await query(
    "SELECT quote_ident(sequencename) AS name, last_value::text AS at FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL",
  );
  for (const { name, at } of rows) await target.query(`SELECT setval('${String(name)}', ${String(at)})`);
}
