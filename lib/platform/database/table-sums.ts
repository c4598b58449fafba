import "server-only";
import type { Query } from "./migrations";

/** A table, or the part of it that a condition leaves, as it is copied and compared. */
export interface Table {
  name: string;
  columns: string;
  condition: string;
  pages: number;
}

/** Number of rows, and a sum of their hashes that doesn't depend on their order. */
export interface TableSum {
  table: string;
  rows: number;
  sum: string;
}

export const describeTable = async (query: Query, name: string, condition = "true"): Promise<Table> => {
  const { rows } = await query(`
    SELECT (
      SELECT string_agg(quote_ident(attname), ', ' ORDER BY attname) FROM pg_attribute
      WHERE attrelid = '${name}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    ) AS columns, (
      SELECT coalesce(max(pg_relation_size(relid)), 0) / current_setting('block_size')::int + 1 FROM pg_partition_tree('${name}'::regclass) WHERE isleaf
    )::int AS pages`);
  return { name, condition, columns: String(rows[0]?.["columns"]), pages: Number(rows[0]?.["pages"]) };
};

/** Tables of the schema `public` without partitions, which are read through their parents. */
export async function publicTables(query: Query, without: readonly string[] = []): Promise<Table[]> {
  const { rows } = await query(`
    SELECT quote_ident(relname) AS name, relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY relname`);
  const tables: Table[] = [];
  for (const { name, relname } of rows)
    if (!without.includes(String(relname))) tables.push(await describeTable(query, String(name)));
  return tables;
}

/** The session's time zone must be UTC: times are compared as text. */
export async function sumOf(query: Query, { name, columns, condition }: Table): Promise<TableSum> {
  const { rows } = await query(`
    SELECT count(*)::text AS rows, coalesce(sum(('x' || left(md5(ROW(${columns})::text), 15))::bit(60)::bigint), 0)::text AS sum
    FROM ${name} WHERE ${condition}`);
  return { table: name, rows: Number(rows[0]?.["rows"]), sum: String(rows[0]?.["sum"]) };
}
