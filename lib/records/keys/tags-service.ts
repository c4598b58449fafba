import "server-only";
import type { Key as KeyRow } from "../../../prisma/generated/client";
import { invalid } from "../../platform/api-error";
import { recordChanges } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { MAX_TAGS } from "../tags/vocabulary";
import { lockKeys } from "./limits-service";
import { toAuditedKey } from "./rows";
import type { bulkTagKeys } from "./tags-contract";
import { count } from "../../platform/count";

interface Change {
  row: KeyRow;
  tags: string[];
  added: string[];
  removed: string[];
}

type Body = Input<typeof bulkTagKeys>["body"];

function changeOf(row: KeyRow, { add, remove }: Body): Change {
  const added = add.filter((tag) => !row.tags.includes(tag));
  const removed = remove.filter((tag) => row.tags.includes(tag));
  return { row, added, removed, tags: [...row.tags.filter((tag) => !removed.includes(tag)), ...added] };
}

/** Adds and removes tags of many keys. */
export async function tagKeys(
  context: Context,
  { body }: Input<typeof bulkTagKeys>,
): Promise<Result<typeof bulkTagKeys>> {
  return inTransaction(context.db, async (db) => {
    const rows = await lockKeys(db, context, body.key_hashes, ["key_hashes"]);
    const changes = [...rows.values()]
      .map((row) => changeOf(row, body))
      .filter(({ added, removed }) => added.length + removed.length > 0);
    const full = changes.filter(({ tags }) => tags.length > MAX_TAGS).map(({ row }) => row.name);
    if (full.length > 0) {
      const message = `would give more than ${MAX_TAGS} tags to ${count(full.length, "key")}: ${full.slice(0, 3).join(", ")}`;
      throw invalid([{ path: ["add"], message, code: "too_big" }]);
    }
    await write(db, context, changes);
    return { changed: changes.map(({ row, added, removed }) => ({ key_hash: row.hash, added, removed })) };
  });
}

async function write(db: Database, context: Context, changes: readonly Change[]): Promise<void> {
  const { now } = context;
  const tagsOf = JSON.stringify(changes.map(({ row: { id }, tags }) => ({ id, tags })));
  await db.$executeRaw`UPDATE keys SET tags = changed.tags, updated_at = ${now}
    FROM jsonb_to_recordset(${tagsOf}::jsonb) AS changed(id uuid, tags text[]) WHERE keys.id = changed.id`;
  await recordChanges(
    db,
    context,
    changes.map(({ row, tags }) => ({
      action: "key.update",
      target: { type: "key", id: row.id, name: row.name },
      workspaceId: row.workspaceId,
      before: toAuditedKey(row),
      after: toAuditedKey({ ...row, tags, updatedAt: now }),
    })),
  );
}
