import { storableJson, storableText } from "./storable-json";
import type { Parameter } from "./statement";

/** Types of columns by name. `columns.service.test.ts` compares the lists with the tables. */
export type Columns = Readonly<Record<string, string>>;

/** A value of each column; undefined is stored as null. */
export type RowOf<Of extends Columns> = { [Name in keyof Of]: Value };
type Value = string | number | bigint | boolean | object | null | undefined;

/** A row as parameters, in the order of its columns. */
export type Row = readonly Parameter[];

function parameterOf(type: string, value: Value): Parameter {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (type === "jsonb" || typeof value === "object") return storableJson(value);
  return storableText(String(value));
}

export const toParameters = <Of extends Columns>(columns: Of, row: RowOf<Of>): Row =>
  Object.keys(columns).map((name) => parameterOf(columns[name] as string, row[name]));

/** Number of characters of a row. */
export const lengthOf = (row: Row): number => row.reduce((sum, value) => sum + (value?.length ?? 0), 0);

function quoted(value: Parameter): string {
  if (value === null) return "NULL";
  const escaped = value.includes("\\") ? value.replaceAll("\\", "\\\\") : value;
  return `"${escaped.includes('"') ? escaped.replaceAll('"', '\\"') : escaped}"`;
}

/** One array for each column, in PostgreSQL's text format. */
export const toArrays = (columns: Columns, rows: readonly Row[]): string[] =>
  Object.keys(columns).map((_, index) => `{${rows.map((row) => quoted(row[index] ?? null)).join(",")}}`);

export const columnNames = (columns: Columns, prefix = ""): string =>
  Object.keys(columns)
    .map((name) => `${prefix}${name}`)
    .join(", ");

/** The rows of arrays as a table: `unnest($1::text[], $2::uuid[]) AS alias(a, b)`, beginning with parameter `first`. */
export const rowsFrom = (columns: Columns, first: number, alias: string): string => {
  const arrays = Object.values(columns).map((type, index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(", ")}) AS ${alias}(${columnNames(columns)})`;
};

export const countOf = (columns: Columns): number => Object.keys(columns).length;
