import "server-only";
import { z } from "zod";
import { StartError } from "../../start-error";
import type { Query } from "../migrations";

/** Tables of running servers and of migrations. They aren't part of a backup. */
const LEFT = ["_prisma_migrations", "instances", "policy_changes", "recurring_jobs"];

/** A table, or the rows of it that match a condition. */
const Table = z.object({
  name: z.string(),
  columns: z.string(),
  condition: z.string(),
  rows: z.number(),
  /** Sum of the rows' hashes, independent of their order. */
  sum: z.string(),
});
export type Table = z.output<typeof Table>;

/** Contents of a backup. A restore is checked against them. */
export const Contents = z.object({
  /** Names of the migrations that the database had. */
  migrations: z.array(z.string()),
  /** Secret keys that stored secrets are encrypted with, by their ids. */
  secretKeyIds: z.array(z.string()),
  /** Last values by name. */
  sequences: z.record(z.string(), z.string()),
  /** Time of the oldest generation. */
  oldest: z.iso.datetime().nullable(),
  tables: z.array(Table),
});
export type Contents = z.output<typeof Contents>;

/** Describes a database; all queries must see the same snapshot. */
export async function readContents(query: Query): Promise<Contents> {
  // Times are compared as text.
  await query("SET TimeZone = 'UTC'");
  const { rows: migrations } = await query(
    "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1",
  );
  const { rows: sequences } = await query(
    "SELECT quote_ident(sequencename) AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL",
  );
  const { rows: log } = await query("SELECT min(created_at) AS oldest FROM generations");
  return {
    migrations: migrations.map(({ name }) => String(name)),
    secretKeyIds: await keyIdsOf(query),
    sequences: Object.fromEntries(sequences.map(({ name, last }) => [String(name), String(last)])),
    oldest: (log[0]?.["oldest"] as Date | null)?.toISOString() ?? null,
    tables: await tablesOf(query),
  };
}

/** Partitions are read through their parents. */
async function tablesOf(query: Query): Promise<Table[]> {
  const { rows } = await query(`
    SELECT quote_ident(relname) AS name, relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY relname`);
  const tables: Table[] = [];
  for (const { name, relname } of rows)
    if (!LEFT.includes(String(relname)))
      tables.push(await describeTable(query, { name: String(name), condition: "true" }));
  return tables;
}

async function describeTable(query: Query, { name, condition }: Pick<Table, "name" | "condition">): Promise<Table> {
  const { rows } = await query(`
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attname) AS columns FROM pg_attribute
    WHERE attrelid = '${name}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`);
  const part = { name, condition, columns: String(rows[0]?.["columns"]) };
  return { ...part, ...(await sumOf(query, part)) };
}

type Part = Pick<Table, "name" | "columns" | "condition">;

/** Returns the SQL that reads the rows of a table or part. */
export const selectFrom = ({ name, columns, condition }: Part): string =>
  `SELECT ${columns} FROM ${name} WHERE ${condition}`;

/** The session's time zone must be UTC. */
export async function sumOf(query: Query, { name, columns, condition }: Part): Promise<Pick<Table, "rows" | "sum">> {
  const { rows } = await query(`
    SELECT count(*)::text AS rows, coalesce(sum(('x' || left(md5(ROW(${columns})::text), 15))::bit(60)::bigint), 0)::text AS sum
    FROM ${name} WHERE ${condition}`);
  return { rows: Number(rows[0]?.["rows"]), sum: String(rows[0]?.["sum"]) };
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

/** @throws StartError if a secret key of the contents isn't among the configured ones */
export function assertReadable({ secretKeyIds }: Contents, configured: readonly string[]): void {
  const missing = secretKeyIds.filter((id) => !configured.includes(id));
  if (missing.length > 0)
    throw new StartError(
      `Secrets in the backup are encrypted with the key ${missing.join(", ")}, which isn't configured here. Set SIGNALBOX_SECRET_KEY, or put the file secret-key into the data folder`,
    );
}
