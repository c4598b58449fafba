export type Cell = string | number | boolean | null;

/** Matches text that a spreadsheet may run as a formula, even in full-width characters or after white space. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A CSV cell (RFC 4180). A text that a spreadsheet would run as a formula is prefixed with an apostrophe; a number is unchanged. */
export function csvCell(value: Cell): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const inert = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

const lineOf = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(",")}\r\n`;

export interface CsvTable<Row> {
  head: string;
  line: (row: Row) => string;
}

/** Returns the lines of a table whose columns are read from its rows. */
export const csvTable = <Row>(columns: Readonly<Record<string, (row: Row) => Cell>>): CsvTable<Row> => ({
  head: lineOf(Object.keys(columns)),
  line: (row) => lineOf(Object.values(columns).map((read) => read(row))),
});
