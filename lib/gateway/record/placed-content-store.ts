import "server-only";
import type { Context } from "../../platform/context";
import { toParameters, type Row } from "../../platform/database/columns";
import { cached } from "../../platform/database/policy-cache";
import type { Database } from "../../platform/database/transaction";
import { excerptsOf } from "../../records/contents/excerpts";
import { writeObject, type StoredObject } from "../../records/contents/objects-store";
import { storageKeyOf } from "../../records/contents/sealed-object";
import { CONTENT_COLUMNS } from "./record-rows";
import type { StoredPrompt } from "./stored-prompt";

type Column = keyof typeof CONTENT_COLUMNS;
const NAMES = Object.keys(CONTENT_COLUMNS) as Column[];
const PARTS: readonly (keyof StoredObject)[] = [
  "input",
  "blocked_input",
  "completion",
  "reasoning",
  "tool_calls",
  "choices",
  "error",
  "items",
];

/** Returns the JSON of an object from a row, whose JSON columns are already serialized. */
const jsonOf = (valueOf: (column: Column) => string | null): string => {
  const parts = PARTS.map((name) => {
    const value = valueOf(name);
    return `"${name}":${CONTENT_COLUMNS[name] === "jsonb" ? (value ?? "null") : JSON.stringify(value)}`;
  });
  return `{${parts.join(",")}}`;
};

/**
 * Writes a content to the object storage, if it is configured and the workspace logs contents. Returns the row that
 * refers to it. A content that can't be written stays in its row and is moved later.
 */
export async function placed(context: Context, id: string, prompt: StoredPrompt, row: Row): Promise<Row> {
  const { caller, db, settings, now } = context;
  if (settings.contentStore !== "s3" || !(await logsContent(db, caller.workspaceId))) return row;
  const valueOf = (column: Column) => row[NAMES.indexOf(column)] ?? null;
  const storageKey = storageKeyOf(caller.organizationId, now, id);
  const { bytes, isFinal } = await writeObject(context, caller.organizationId, storageKey, jsonOf(valueOf));
  if (bytes === null && isFinal) return row;
  if (bytes === null) return row.with(NAMES.indexOf("awaits_upload"), "true");
  return toParameters(CONTENT_COLUMNS, {
    ...excerptsOf(prompt.messages, valueOf("completion")),
    created_at: now,
    generation_id: id,
    search_text: valueOf("search_text"),
    storage_key: storageKey,
    stored_bytes: bytes,
    awaits_upload: null,
  });
}

/** Returns whether a workspace logs contents, at most a second out of date. The recording statement checks it again. */
export async function logsContent(db: Database, workspaceId: string): Promise<boolean> {
  const isLogging = await cached(db, ["logging", workspaceId], async () => {
    const [row] = await db.$queryRaw<{ organizationId: string; value: boolean }[]>`
      SELECT organization_id AS "organizationId", content_logging AS value FROM workspaces WHERE id = ${workspaceId}::uuid`;
    return row ?? null;
  });
  return isLogging ?? false;
}
