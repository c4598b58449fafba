import { storableJson, storableText } from "./storable-json";
import type { Parameter } from "./statement";

/** Types of columns by name. `columns.service.test.ts` compares the lists with the tables. */
export type Columns = Readonly<Record<string, string>>;

/** A value of each column; undefined is stored as null. */
export type RowOf<Of extends Columns> = { [Name in keyof Of]: Value };
type Value = string | number | bigint | boolean | object | null | undefined;

/** A row as parameters, in the order of its columns. */
export type Row = readonly Parameter[];

/** The last time as text: the rows of a generation have the same. */
let last = { at: NaN, text: "" };

function textOfTime(time: Date): string {
  const at = time.getTime();
  if (at !== last.at) last = { at, text: time.toISOString() };
  return last.text;
}

function parameterOf(type: string, value: Value): Parameter {
  if (value === null || value === undefined) return null;
  if (type === "jsonb") return storableJson(value);
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object") return String(value);
  return value instanceof Date ? textOfTime(value) : storableJson(value);
}

export function toParameters<Of extends Columns>(columns: Of, row: RowOf<Of>): Row {
  const parameters: Parameter[] = [];
  for (const name in columns) parameters.push(parameterOf(columns[name] as string, row[name]));
  return parameters;
}

/** Number of characters of a row. */
export function lengthOf(row: Row): number {
  let sum = 0;
  for (const value of row) if (value !== null) sum += value.length;
  return sum;
}

function quoted(value: Parameter): string {
  if (value === null) return "NULL";
  const escaped = value.includes("\\") ? value.replaceAll("\\", "\\\\") : value;
  return `"${escaped.includes('"') ? escaped.replaceAll('"', '\\"') : escaped}"`;
}

/** One array for each column, in PostgreSQL's text format. */
export const toArrays = (columns: Columns, rows: readonly Row[]): string[] =>
  Object.keys(columns).map((_, index) => {
    let array = "";
    for (const row of rows) array += array === "" ? quoted(row[index] ?? null) : `,${quoted(row[index] ?? null)}`;
    return `{${array}}`;
  });

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
