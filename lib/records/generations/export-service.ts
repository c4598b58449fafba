import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { encodeCursor } from "../../platform/http/cursor";
import { StreamedAnswer } from "../../platform/http/event-stream";
import type { Input } from "../../platform/http/operation";
import {
  EXPORT_COUNTED,
  type exportGenerations,
  type ExportFormat,
  type Generation,
  type GenerationFilters,
} from "./contract";
import { EXPORT_TOTAL_HEADER } from "./vocabulary";
import { csvHeader, csvLine } from "./csv";
import { countQuery, pageQuery, type Found } from "./page-store";
import { recordsOf, scopeOf } from "./service";

/** Records that are in memory at once. */
const BATCH = 500;

const TYPES = { jsonl: "application/jsonl; charset=utf-8", csv: "text/csv; charset=utf-8" } as const satisfies Record<
  ExportFormat,
  string
>;
const HEADS = { jsonl: "", csv: csvHeader } as const satisfies Record<ExportFormat, string>;
const LINES = { jsonl: (record: Generation) => `${JSON.stringify(record)}\n`, csv: csvLine } as const satisfies Record<
  ExportFormat,
  (record: Generation) => string
>;

/** The filtered set as a file, read as fast as the caller takes it; whoever closes the connection ends it. */
export async function exportAll(context: Context, { query }: Input<typeof exportGenerations>): Promise<StreamedAnswer> {
  const { format, ...filters } = query;
  const [counted] = await context.db.$queryRaw<{ total: number }[]>(
    countQuery(scopeOf(context), filters, EXPORT_COUNTED),
  );
  const total = counted?.total ?? 0;
  await recordChange(context.db, context, {
    action: "generation.export",
    target: { type: "organization", id: context.caller.organizationId },
    after: { format, count: total > EXPORT_COUNTED ? `more than ${EXPORT_COUNTED}` : total, filters },
  });
  const day = context.now.toISOString().slice(0, 10);
  return new StreamedAnswer(fileOf(context, filters, format), {
    "content-type": TYPES[format],
    "content-disposition": `attachment; filename="generations-${day}.${format}"`,
    [EXPORT_TOTAL_HEADER]: total > EXPORT_COUNTED ? `>${EXPORT_COUNTED}` : String(total),
  });
}

function fileOf(context: Context, filters: GenerationFilters, format: ExportFormat): ReadableStream<Uint8Array> {
  const lines = linesOf(context, filters, format);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => {
        await lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Never an empty text: a stream is asked again only after something came. */
async function* linesOf(
  context: Context,
  filters: GenerationFilters,
  format: ExportFormat,
): AsyncGenerator<string, undefined> {
  if (HEADS[format] !== "") yield HEADS[format];
  for await (const batch of batchesOf(context, filters)) if (batch.length > 0) yield batch.map(LINES[format]).join("");
  return undefined;
}

async function* batchesOf(context: Context, filters: GenerationFilters): AsyncGenerator<Generation[], undefined> {
  let cursor: string | undefined;
  do {
    context.signal.throwIfAborted();
    const found = await context.db.$queryRaw<Found[]>(
      pageQuery(scopeOf(context), { ...filters, cursor, limit: BATCH }),
    );
    const last = found[BATCH - 1];
    yield await recordsOf(context, found.slice(0, BATCH));
    cursor = found.length > BATCH && last ? encodeCursor([last.created_at, last.id]) : undefined;
  } while (cursor !== undefined);
  return undefined;
}
