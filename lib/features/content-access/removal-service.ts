import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import { encodeCursor } from "../../platform/http/cursor";
import type { Input, Result } from "../../platform/http/operation";
import { MAX_COUNTED, type deleteGenerationContents } from "./removal-contract";
import { countQuery, pageQuery, WITH_CONTENT } from "../../records/generations/page-store";
import { readLog } from "../../records/generations/read-store";
import { contentScope } from "../../records/generations/service";

type Removal = Input<typeof deleteGenerationContents>;
type Answer = Result<typeof deleteGenerationContents>;

/**
 * Deletes one batch of stored contents, newest first, with an audit event in the same transaction, and returns the
 * position of the next. After an interruption, deletion can continue or start again.
 */
export async function removeMany(
  context: Context,
  { query: { dry_run, limit, cursor, ...filters } }: Removal,
): Promise<Answer> {
  if (dry_run === "true") return { deleted_count: 0, next_cursor: null, preview: await counted(context, filters) };
  return inTransaction(context.db, async (db) => {
    const { organizationId } = context.caller;
    // Serialized: two deletions locking the same rows in different orders would deadlock.
    await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`content removal ${organizationId}`}, 0))`;
    const [batch] = await readLog(
      db,
      filters,
      (limited) => limited.$queryRaw<
        { deleted: number; has_more: boolean; created_at: Date | null; id: string | null }[]
      >`
      WITH page AS MATERIALIZED (${pageQuery(contentScope(context, "contents:delete", filters), { ...filters, limit, cursor }, WITH_CONTENT)}),
      chosen AS (SELECT created_at, id FROM page ORDER BY created_at DESC, id DESC LIMIT ${limit}),
      gone AS (
        DELETE FROM generation_contents AS content USING chosen
        WHERE content.created_at = chosen.created_at AND content.generation_id = chosen.id
      ), marked AS (
        UPDATE generations SET content_deleted_at = ${context.now} FROM chosen
        WHERE generations.organization_id = ${organizationId}::uuid AND generations.created_at = chosen.created_at AND generations.id = chosen.id
          AND generations.content_deleted_at IS NULL
        RETURNING 1
      ), last AS (SELECT created_at, id FROM chosen ORDER BY created_at, id LIMIT 1)
      SELECT (SELECT count(*)::int FROM marked) AS deleted, (SELECT count(*) FROM page) > ${limit} AS has_more,
        (SELECT created_at FROM last) AS created_at, (SELECT id FROM last) AS id`,
    );
    if (!batch) throw new Error("an aggregate has one row");
    const { deleted, has_more, created_at, id } = batch;
    if (deleted > 0) {
      const target = { type: "organization", id: organizationId };
      await recordChange(db, context, {
        action: "generation.delete_contents",
        target,
        after: { deleted_count: deleted, filters },
      });
    }
    return {
      deleted_count: deleted,
      next_cursor: has_more && created_at && id !== null ? encodeCursor([created_at, id]) : null,
    };
  });
}

async function counted(context: Context, filters: Parameters<typeof countQuery>[1]): Promise<Answer["preview"]> {
  const count = countQuery(contentScope(context, "contents:delete", filters), filters, MAX_COUNTED, WITH_CONTENT);
  const [row] = await readLog(context.db, filters, (db) => db.$queryRaw<{ total: number }[]>(count));
  const total = row?.total ?? 0;
  return { count: Math.min(total, MAX_COUNTED), is_more: total > MAX_COUNTED };
}
