export type Cell = string | number | boolean | null;

/** A CSV cell (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvCell(value: Cell): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

const lineOf = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(",")}\r\n`;

export interface CsvTable<Row> {
  head: string;
  line: (row: Row) => string;
}

/** The lines of a table whose columns are read from its rows. */
export const csvTable = <Row>(columns: Readonly<Record<string, (row: Row) => Cell>>): CsvTable<Row> => ({
  head: lineOf(Object.keys(columns)),
  line: (row) => lineOf(Object.values(columns).map((read) => read(row))),
});
