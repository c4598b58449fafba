import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Context } from "../../platform/context";
import type { GenerationFilters } from "../../records/generations/contract";
import { countQuery, pageQuery, type Found, type Scope } from "../../records/generations/page-store";
import { withRange } from "../../records/generations/range";
import { readLog } from "../../records/generations/read-store";
import { loadContents, type ContentRow } from "../../records/contents/objects-store";
import { encodeCursor } from "../../platform/http/cursor";
import type { ChatMessage, ToolCall } from "../../engine/protocols/contracts/chat-messages-contract";

/** Number of generations loaded at once. */
const BATCH = 100;
/** Maximum stored size of content loaded at once, in bytes, unless a single one is larger. */
const CONTENT_AT_ONCE = 4 * 1024 * 1024;

/** The columns of a generation needed for a replay. */
export interface RecordedRow {
  created_at: Date;
  id: string;
  key_id: string | null;
  user_id: string | null;
  status: "succeeded" | "failed" | "blocked" | "cancelled";
  error_status: number | null;
  error_message: string | null;
  model: string;
  provider_slug: string | null;
  cost_micro_usd: bigint;
  attempts: unknown;
  content_stored: boolean;
  content_deleted_at: Date | null;
  policy_facts: unknown;
  decisions: unknown;
  /** Stored size of prompt and completion in bytes; null without a prompt. */
  size: number | null;
}

/** The generations to replay: the newest `last` of those that match. */
export interface Selection {
  last: number;
  scope: Scope;
  filters: GenerationFilters & { workspace_id: string };
}

const readSelected = <Row>({ db }: Context, { q }: GenerationFilters, query: Prisma.Sql): Promise<Row[]> =>
  readLog(db, { q, path: ["selection", "from"] }, (limited) => limited.$queryRaw<Row[]>(query));

/** Counts the selection, up to `last` plus one. */
export async function countSelected(context: Context, { last, scope, filters }: Selection): Promise<number> {
  const query = countQuery(scope, withRange(filters, context.now), last);
  const [counted] = await readSelected<{ total: number }>(context, filters, query);
  return counted?.total ?? 0;
}

/** Yields the newest `most` generations of the selection after the cursor, in batches, prefetching the next one. */
export async function* selectedBatches(
  context: Context,
  { scope, filters: given }: Selection,
  most: number,
  cursor: string | undefined,
): AsyncGenerator<RecordedRow[], void> {
  const filters = withRange(given, context.now);
  const load = async (from: string | undefined, limit: number) => {
    const page = pageQuery(scope, { ...filters, cursor: from, limit });
    const found = await readSelected<Found>(context, filters, page);
    return { rows: await rowsOf(context, found.slice(0, limit)), hasMore: found.length > limit };
  };
  let left = most;
  let loading = left > 0 ? load(cursor, Math.min(BATCH, left)) : null;
  while (loading) {
    const { rows, hasMore }: Awaited<ReturnType<typeof load>> = await loading;
    context.signal.throwIfAborted();
    left -= rows.length;
    const end = rows.at(-1);
    loading = hasMore && left > 0 && end ? load(encodeCursor([end.created_at, end.id]), Math.min(BATCH, left)) : null;
    // When the consumer stops, a pending failure has no handler.
    loading?.catch(() => undefined);
    yield rows;
  }
}

/** Raw SQL loads records and decisions in one statement, with only the necessary columns. */
export async function rowsOf({ db, caller }: Context, found: readonly Found[]): Promise<RecordedRow[]> {
  if (found.length === 0) return [];
  return db.$queryRaw<RecordedRow[]>`
    SELECT g.created_at, g.id, g.key_id, g.user_id, g.status::text, g.error_status, g.error_message, g.model, g.provider_slug,
           g.cost_micro_usd, g.attempts, g.content_stored, g.content_deleted_at, g.policy_facts, coalesce(c.stored_bytes, pg_column_size(c.input) + coalesce(pg_column_size(c.completion), 0)) AS size,
           coalesce((
             SELECT jsonb_agg(to_jsonb(d) - ARRAY['created_at', 'generation_id', 'position', CASE WHEN d.exception IS NULL THEN 'exception' END, CASE WHEN d.reason IS NULL THEN 'reason' END, CASE WHEN d.direction IS NULL THEN 'direction' END, CASE WHEN d.withheld IS NULL THEN 'withheld' END] ORDER BY d.position)
             FROM decisions d WHERE d.created_at = g.created_at AND d.generation_id = g.id
           ), '[]') AS decisions
    FROM generations g LEFT JOIN generation_contents c ON c.created_at = g.created_at AND c.generation_id = g.id
    WHERE g.organization_id = ${caller.organizationId}::uuid AND (g.created_at, g.id) IN (${placesOf(found)})
    ORDER BY g.created_at DESC, g.id DESC`;
}

/**
 * Splits rows so that their content fits into memory, and loads the stored messages of rows that `isNeeded` selects.
 */
export async function* withMessages(
  context: Context,
  rows: readonly RecordedRow[],
  isNeeded: (row: RecordedRow) => boolean,
): AsyncGenerator<{ rows: RecordedRow[]; texts: ReadonlyMap<string, StoredTexts> }, void> {
  let part: RecordedRow[] = [];
  let size = 0;
  const load = async () => ({ rows: part, texts: await textsOf(context, part.filter(isNeeded)) });
  for (const row of rows) {
    const own = isNeeded(row) ? (row.size ?? 0) : 0;
    if (part.length > 0 && size + own > CONTENT_AT_ONCE) {
      yield await load();
      part = [];
      size = 0;
    }
    part.push(row);
    size += own;
  }
  yield await load();
}

/** The stored content of a generation. */
export interface StoredTexts {
  messages: readonly ChatMessage[];
  answer: ChatMessage | null;
}
export const NO_TEXTS: StoredTexts = { messages: [], answer: null };

interface StoredRow extends ContentRow {
  generationId: string;
}

/** Loads stored content by generation. */
export async function textsOf(context: Context, rows: readonly Found[]): Promise<Map<string, StoredTexts>> {
  if (rows.length === 0) return new Map();
  const found = await context.db.$queryRaw<StoredRow[]>`
    SELECT generation_id AS "generationId", input, completion, reasoning, tool_calls AS "toolCalls", choices,
      NULL AS "blockedInput", NULL AS error, storage_key AS "storageKey"
    FROM generation_contents WHERE (created_at, generation_id) IN (${placesOf(rows)})`;
  const contents = await loadContents(context, context.caller.organizationId, found);
  return new Map(
    found.flatMap(({ generationId }, index) => {
      const content = contents[index];
      return content ? [[generationId, textsFrom(content)]] : [];
    }),
  );
}

const textsFrom = ({ input, completion, reasoning, toolCalls, choices }: ContentRow): StoredTexts => ({
  messages: (input as { messages?: ChatMessage[] }).messages ?? [],
  answer: {
    role: "assistant",
    content: completion,
    ...(reasoning !== null && { reasoning }),
    ...(toolCalls !== null && { tool_calls: toolCalls as ToolCall[] }),
    ...(choices !== null && { choices: choices as unknown[] }),
  },
});

const placesOf = (found: readonly Found[]) =>
  Prisma.join(found.map(({ created_at, id }) => Prisma.sql`(${created_at}::timestamptz, ${id})`));
