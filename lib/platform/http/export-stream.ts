import type { CsvTable } from "../csv";
import { StreamedAnswer } from "./event-stream";
import type { ExportFormat } from "./vocabulary";

const TYPES = { jsonl: "application/jsonl; charset=utf-8", csv: "text/csv; charset=utf-8" } as const satisfies Record<
  ExportFormat,
  string
>;

interface Export<Row> {
  /** Name of the file, without day and extension. */
  name: string;
  format: ExportFormat;
  now: Date;
  /** Read one batch at a time, so that memory doesn't grow with the export. */
  batches: AsyncIterable<readonly Row[]>;
  table: CsvTable<Row>;
}

/** Returns a file that is generated at the caller's pace. Closing the connection ends it. */
export function exportAnswer<Row>(
  { name, format, now, batches, table }: Export<Row>,
  headers: Readonly<Record<string, string>> = {},
): StreamedAnswer {
  const head = format === "csv" ? table.head : "";
  const lineOf = format === "csv" ? table.line : (row: Row) => `${JSON.stringify(row)}\n`;
  return new StreamedAnswer(textOf(batches, head, lineOf), {
    "content-type": TYPES[format],
    "content-disposition": `attachment; filename="${name}-${now.toISOString().slice(0, 10)}.${format}"`,
    ...headers,
  });
}

async function* textOf<Row>(
  batches: AsyncIterable<readonly Row[]>,
  head: string,
  lineOf: (row: Row) => string,
): AsyncGenerator<string, undefined> {
  if (head !== "") yield head;
  for await (const batch of batches) if (batch.length > 0) yield batch.map(lineOf).join("");
  return undefined;
}
