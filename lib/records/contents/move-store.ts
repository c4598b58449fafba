import "server-only";
import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import { json } from "../../platform/database/json";
import { storableJson } from "../../platform/database/storable-json";
import { excerptsOf } from "./excerpts";
import { writeObject, type ObjectContext, type StoredObject } from "./objects-store";
import { storageKeyOf } from "./sealed-object";

const BATCH = 20;
const MARKED_AT_ONCE = 1_000;

/**
 * Moves waiting contents to the object storage, oldest first, until none is left or a write fails. Two processes may
 * move the same content, since they write the same object. Returns the number of moved contents.
 */
export async function moveContents(context: ObjectContext, signal: AbortSignal): Promise<number> {
  const { db, settings } = context;
  if (settings.contentStore !== "s3") return 0;
  for (let moved = 0; ;) {
    const rows = await db.generationContent.findMany({
      // A server of the last release leaves contents of deleted generations.
      where: { awaitsUpload: true, generation: { is: {} } },
      include: { generation: { select: { organizationId: true } } },
      orderBy: [{ createdAt: "asc" }, { generationId: "asc" }],
      take: BATCH,
    });
    for (const { generation, createdAt, generationId, ...row } of rows) {
      if (signal.aborted) return moved;
      const { organizationId } = generation;
      const storageKey = storageKeyOf(organizationId, createdAt, generationId);
      const { input, blockedInput, completion, reasoning, toolCalls, choices, error, items } = row;
      const stored: StoredObject = {
        input,
        blocked_input: blockedInput,
        completion,
        reasoning,
        tool_calls: toolCalls,
        choices,
        error,
        items,
      };
      const { bytes, isFinal } = await writeObject(context, organizationId, storageKey, JSON.stringify(stored));
      if (bytes === null && !isFinal) return moved;
      const excerpts = excerptsOf((input as { messages: ChatMessage[] }).messages, completion);
      const { count } = await db.generationContent.updateMany({
        where: { createdAt, generationId, awaitsUpload: true },
        data:
          bytes === null
            ? { awaitsUpload: null }
            : {
                input: JSON.parse(storableJson(excerpts.input)) as object,
                blockedInput: json(null),
                completion: excerpts.completion?.toWellFormed() ?? null,
                reasoning: null,
                toolCalls: json(null),
                choices: json(null),
                error: json(null),
                items: json(null),
                storageKey,
                storedBytes: bytes,
                awaitsUpload: null,
              },
      });
      moved += count;
      // The content was deleted in the meantime. Its removal is dropped if another process moved it.
      if (count === 0)
        await db.contentRemoval.createMany({ data: [{ storageKey, createdAt, generationId }], skipDuplicates: true });
    }
    if (rows.length < BATCH) return moved;
  }
}

/** Marks the contents in the database, so that `moveContents` moves them. Returns their number. */
export async function markContents({ db }: Pick<ObjectContext, "db">): Promise<number> {
  let marked = 0;
  for (let after: Place | null = { created_at: new Date(0), id: "" }; after;) {
    const [batch]: (Place & { marked: number })[] = await db.$queryRaw`
      WITH chosen AS (
        SELECT created_at, generation_id FROM generation_contents
        WHERE (created_at, generation_id) > (${after.created_at}::timestamptz, ${after.id})
          AND storage_key IS NULL AND awaits_upload IS NULL
        ORDER BY created_at, generation_id LIMIT ${MARKED_AT_ONCE}
      ), marked AS (
        UPDATE generation_contents AS contents SET awaits_upload = true FROM chosen
        WHERE contents.created_at = chosen.created_at AND contents.generation_id = chosen.generation_id
        RETURNING contents.created_at, contents.generation_id
      )
      SELECT created_at, generation_id AS id, (SELECT count(*)::int FROM marked) AS marked
      FROM marked ORDER BY created_at DESC, generation_id DESC LIMIT 1`;
    marked += batch?.marked ?? 0;
    after = batch ?? null;
  }
  return marked;
}

/** A position among contents, ordered by time. */
interface Place {
  created_at: Date;
  id: string;
}
