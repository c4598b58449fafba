import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { onReplica } from "../../platform/database/replica";
import { encodeCursor } from "../../platform/http/cursor";
import type { StreamedAnswer } from "../../platform/http/event-stream";
import { exportAnswer } from "../../platform/http/export-stream";
import type { Input } from "../../platform/http/operation";
import { EXPORT_COUNTED, type exportGenerations, type Generation, type GenerationFilters } from "./contract";
import { EXPORT_TOTAL_HEADER } from "../../platform/http/vocabulary";
import { GENERATION_TABLE } from "./csv";
import { countQuery, pageQuery, type Found } from "./page-store";
import { withRange } from "./range";
import { readLog } from "./read-store";
import { recordsOf, logScope } from "./service";

/** Number of records loaded at once. */
const BATCH = 500;

/** Streams matching generations as a file, as fast as the client reads. A disconnect stops it. */
export async function exportAll(context: Context, { query }: Input<typeof exportGenerations>): Promise<StreamedAnswer> {
  const { format, ...given } = query;
  const filters = withRange(given, context.now);
  const count = countQuery(logScope(context, filters), filters, EXPORT_COUNTED);
  const [counted] = await onReplica(context.db, (replica) =>
    readLog(replica, filters, (db) => db.$queryRaw<{ total: number }[]>(count)),
  );
  const total = counted?.total ?? 0;
  await recordChange(context.db, context, {
    action: "generation.export",
    target: { type: "organization", id: context.caller.organizationId },
    after: { format, count: total > EXPORT_COUNTED ? `more than ${EXPORT_COUNTED}` : total, filters },
  });
  return exportAnswer(
    {
      name: "generations",
      format,
      now: context.now,
      batches: batchesOf(context, filters),
      table: GENERATION_TABLE,
    },
    { [EXPORT_TOTAL_HEADER]: total > EXPORT_COUNTED ? `>${EXPORT_COUNTED}` : String(total) },
  );
}

async function* batchesOf(context: Context, filters: GenerationFilters): AsyncGenerator<Generation[], undefined> {
  let cursor: string | undefined;
  do {
    context.signal.throwIfAborted();
    const query = pageQuery(logScope(context, filters), { ...filters, cursor, limit: BATCH });
    const { found, records } = await onReplica(context.db, async (replica) => {
      const rows = await readLog(replica, filters, (db) => db.$queryRaw<Found[]>(query));
      return { found: rows, records: await recordsOf({ ...context, db: replica }, rows.slice(0, BATCH)) };
    });
    const last = found[BATCH - 1];
    yield records;
    cursor = found.length > BATCH && last ? encodeCursor([last.created_at, last.id]) : undefined;
  } while (cursor !== undefined);
  return undefined;
}
