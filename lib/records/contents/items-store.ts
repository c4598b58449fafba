import "server-only";
import type { Database } from "../../platform/database/transaction";
import { loadContents, type ContentRow, type ObjectContext } from "./objects-store";

type Item = Record<string, unknown> & { id: string };

interface Found {
  item_id: string;
  /** Null if the content is in an object, or the items are too large. */
  item: Item | null;
  storage_key: string | null;
  /** Total size of the items up to this one. */
  bytes: number;
}

/** Maximum number of objects in memory at once. */
const OBJECTS_AT_ONCE = 8;

/**
 * Returns items of a key's responses whose content is still stored, by id; null if they are larger than `maxBytes`.
 * Omits an id that occurs in several responses, because it is ambiguous.
 */
export async function loadItems(
  context: ObjectContext & { now: Date },
  { organizationId, keyId }: { organizationId: string; keyId: string },
  ids: readonly string[],
  maxBytes: number,
): Promise<Map<string, Item> | null> {
  const items = new Map<string, Item>();
  const found = await findItems(context.db, { organizationId, keyId, ids, maxBytes, now: context.now });
  const inObjects = new Map<string, string[]>();
  let bytes = 0;
  for (const { item_id, item, storage_key, ...row } of found) {
    bytes = Math.max(bytes, row.bytes);
    if (item) items.set(item_id, item);
    if (storage_key !== null) inObjects.set(storage_key, [...(inObjects.get(storage_key) ?? []), item_id]);
  }
  const objects = [...inObjects];
  for (let first = 0; first < objects.length && bytes <= maxBytes; first += OBJECTS_AT_ONCE) {
    const part = objects.slice(first, first + OBJECTS_AT_ONCE);
    const contents = await loadContents(
      context,
      organizationId,
      part.map(([key]) => rowOf(key)),
    );
    for (const [index, content] of contents.entries())
      for (const item of (content?.items ?? []) as Item[])
        if (part[index]?.[1].includes(item.id)) {
          items.set(item.id, item);
          bytes += Buffer.byteLength(JSON.stringify(item));
        }
  }
  return bytes > maxBytes ? null : items;
}

/** A content in an object. */
const rowOf = (storageKey: string): ContentRow => ({
  input: null,
  blockedInput: null,
  completion: null,
  reasoning: null,
  toolCalls: null,
  choices: null,
  error: null,
  storageKey,
});

/** The lateral joins read the partition of each item, and at most two places of an id. */
const findItems = (
  db: Database,
  given: { organizationId: string; keyId: string; ids: readonly string[]; maxBytes: number; now: Date },
): Promise<Found[]> => db.$queryRaw`
  WITH places AS (
    SELECT given.id AS item_id, min(place.created_at) AS created_at, min(place.generation_id) AS generation_id
    FROM unnest(${given.ids}::text[]) AS given(id) CROSS JOIN LATERAL (
      SELECT created_at, generation_id FROM response_items
      WHERE key_id = ${given.keyId}::uuid AND item_id = given.id LIMIT 2
    ) AS place
    GROUP BY given.id HAVING count(*) = 1
  ), found AS (
    SELECT places.item_id, content.storage_key, content.item,
      sum(coalesce(octet_length(content.item::text), 0)) OVER (ORDER BY places.item_id) AS bytes
    FROM places CROSS JOIN LATERAL (
      SELECT workspace_id FROM generations
      WHERE organization_id = ${given.organizationId}::uuid AND created_at = places.created_at AND id = places.generation_id
      OFFSET 0
    ) AS generation
    JOIN workspaces ON workspaces.id = generation.workspace_id
      AND (content_retention_days IS NULL
        OR places.created_at >= ${given.now}::timestamptz - make_interval(days => content_retention_days))
    CROSS JOIN LATERAL (
      SELECT storage_key, (
        SELECT item FROM jsonb_array_elements(items) AS item WHERE item ->> 'id' = places.item_id LIMIT 1
      ) AS item
      FROM generation_contents
      WHERE created_at = places.created_at AND generation_id = places.generation_id OFFSET 0
    ) AS content
  )
  SELECT item_id, storage_key, bytes::float8 AS bytes, CASE WHEN bytes <= ${given.maxBytes} THEN item END AS item FROM found`;
