import "server-only";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { StartError } from "../start-error";
import { openEmbedded, openPostgres, type EmbeddedDatabase } from "./open";

/** A table that was copied and compared. */
export interface MovedTable {
  table: string;
  rows: number;
}

/** Tables that belong to a server or to its transaction numbers, not to the data. */
const LEFT = ["_prisma_migrations", "instances", "policy_changes"];
const JOBS = "signalbox_jobs.job";
/** Pages of 8 kB read at a time: with long contents, which are stored beside the pages, a multiple of that. */
const PAGES = 1_000;

type Rows = (sql: string) => Promise<{ rows: Record<string, unknown>[] }>;

/**
 * Copies everything of a data folder's embedded database to an empty PostgreSQL database, in one transaction that ends only if count and
 * checksum of every table agree. The data folder stays as it is.
 * @throws StartError if a process uses the data folder, or the PostgreSQL database has an organization
 */
export async function moveToPostgres(dataDir: string, connectionString: string): Promise<MovedTable[]> {
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

async function copyAll(source: EmbeddedDatabase, target: pg.Client): Promise<MovedTable[]> {
  const into: Rows = (sql) => target.query(sql);
  await source.query("SET TimeZone = 'UTC'");
  await target.query("SET LOCAL TimeZone = 'UTC'; LOCK TABLE organizations IN ACCESS EXCLUSIVE MODE");
  const { rows: organizations } = await into("SELECT 1 FROM organizations LIMIT 1");
  if (organizations.length > 0)
    throw new StartError("The PostgreSQL database has an organization already. Move into an empty database");
  const tables = await tablesOf(source.query);
  const restore = await withoutRules(target);
  await target.query(`TRUNCATE ${tables.map(({ name }) => name).join(", ")}`);
  const moved: MovedTable[] = [];
  for (const table of [...tables, await pendingJobs(source.query)]) {
    await copyTable(source, target, table);
    const [before, after] = [await sumOf(source.query, table), await sumOf(into, table)];
    if (before.rows !== after.rows || before.sum !== after.sum)
      throw new Error(`${table.name} differs: ${before.rows} rows before and ${after.rows} after`);
    moved.push({ table: table.name, rows: Number(before.rows) });
  }
  await copySequences(source.query, target);
  await target.query(restore);
  return moved;
}

interface Table {
  name: string;
  columns: string;
  condition: string;
  pages: number;
}

const describe = async (query: Rows, name: string, condition: string): Promise<Table> => {
  const { rows } = await query(`
    SELECT (
      SELECT string_agg(quote_ident(attname), ', ' ORDER BY attname) FROM pg_attribute
      WHERE attrelid = '${name}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    ) AS columns, (
      SELECT coalesce(max(pg_relation_size(relid)), 0) / current_setting('block_size')::int + 1 FROM pg_partition_tree('${name}'::regclass) WHERE isleaf
    )::int AS pages`);
  return { name, condition, columns: String(rows[0]?.["columns"]), pages: Number(rows[0]?.["pages"]) };
};

async function tablesOf(query: Rows): Promise<Table[]> {
  const { rows } = await query(`
    SELECT quote_ident(relname) AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN (${LEFT.map((name) => `'${name}'`).join(", ")})
    ORDER BY relname`);
  const tables: Table[] = [];
  for (const { name } of rows) tables.push(await describe(query, String(name), "true"));
  return tables;
}

/** Deliveries that are due or were interrupted; what is finished tells nothing. */
const pendingJobs = (query: Rows): Promise<Table> => describe(query, JOBS, "state < 'completed'");

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

/** Number of rows and a sum of their hashes, which doesn't depend on their order. */
async function sumOf(query: Rows, { name, columns, condition }: Table): Promise<{ rows: string; sum: string }> {
  const { rows } = await query(`
    SELECT count(*)::text AS rows, coalesce(sum(('x' || left(md5(ROW(${columns})::text), 15))::bit(60)::bigint), 0)::text AS sum
    FROM ${name} WHERE ${condition}`);
  return { rows: String(rows[0]?.["rows"]), sum: String(rows[0]?.["sum"]) };
}

async function copySequences(query: Rows, target: pg.Client): Promise<void> {
  const { rows } = await query(
    "SELECT quote_ident(sequencename) AS name, last_value::text AS at FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL",
  );
  for (const { name, at } of rows) await target.query(`SELECT setval('${String(name)}', ${String(at)})`);
}
