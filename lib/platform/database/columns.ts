import { storableJson, storableText } from "./storable-json";
import type { Parameter } from "./statement";

/** Types of columns by name. `columns.service.test.ts` compares the lists with the tables. */
export type Columns = Readonly<Record<string, string>>;

/** A value of each column; undefined is stored as null. */
export type RowOf<Of extends Columns> = { [Name in keyof Of]: Value };
type Value = string | number | bigint | boolean | object | null | undefined;

/** A row as parameters in PostgreSQL's text format, in the order of its columns. */
export type Row = readonly (string | null)[];

/** The last time and its text, because the rows of a generation have the same time. */
let last = { at: NaN, text: "" };

function textOfTime(time: Date): string {
  const at = time.getTime();
  if (at !== last.at) last = { at, text: time.toISOString() };
  return last.text;
}

function parameterOf(type: string, value: Value): string | null {
  if (value === null || value === undefined) return null;
  if (type === "jsonb") return storableJson(value);
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object") return String(value);
  return value instanceof Date ? textOfTime(value) : storableJson(value);
}

export function toParameters<Of extends Columns>(columns: Of, row: RowOf<Of>): Row {
  const parameters: (string | null)[] = [];
  for (const name in columns) parameters.push(parameterOf(columns[name] as string, row[name]));
  return parameters;
}

/** Number of characters of a row. */
export function lengthOf(row: Row): number {
  let sum = 0;
  for (const value of row) if (value !== null) sum += value.length;
  return sum;
}

/** Kinds of statements by number of rows. A statement for one row takes half the time of a statement for arrays. */
export type Form = "none" | "one" | "many";

export const formOf = ({ length }: readonly unknown[]): Form => (length === 0 ? "none" : length === 1 ? "one" : "many");

/** Returns the parameters of rows: the values of one row, or an array for each column. */
export function parametersOf(form: Form, columns: Columns, rows: readonly Row[]): readonly Parameter[] {
  if (form === "none") return [];
  if (form === "one") return rows[0] ?? [];
  return Object.values(columns).map((type, index) => ({ type, elements: rows.map((row) => row[index] ?? null) }));
}

export const columnNames = (columns: Columns, prefix = ""): string =>
  Object.keys(columns)
    .map((name) => `${prefix}${name}`)
    .join(", ");

/**
 * The rows of parameters as a table: `(SELECT $1::text AS a, $2::uuid AS b) AS alias`, beginning with parameter `first`. Arrays are
 * expanded in the select list, because in FROM PostgreSQL stores the elements of each before it reads one.
 */
export const rowsFrom = (form: Form, columns: Columns, first: number, alias: string): string => {
  const values = Object.entries(columns).map(([name, type], index) =>
    form === "many" ? `unnest($${first + index}::${type}[]) AS ${name}` : `$${first + index}::${type} AS ${name}`,
  );
  return `(SELECT ${values.join(", ")}) AS ${alias}`;
};

export const countOf = (columns: Columns): number => Object.keys(columns).length;
