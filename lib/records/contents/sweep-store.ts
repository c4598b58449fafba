import "server-only";
import { generationSecond } from "../../platform/ids";
import type { Bucket } from "../../platform/outbound/s3";
import { bucketOf, contentSignal, type ObjectContext } from "./objects-store";
import { CONTENTS } from "./sealed-object";

const DAY_MS = 24 * 60 * 60_000;
/** Days compared object by object, because a process may have ended between writing the object and the record. */
const COMPARED_DAYS = 8;
const AT_ONCE = 16;
/** The character after `/`, so that it sorts after every key of a folder. */
const AFTER_SLASH = "0";
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Removes objects without a content that are at least a day old: from records that were never written, dropped
 * partitions and deleted organizations. Older days without contents in the database are removed as a whole. Returns the
 * number of removed objects.
 */
export async function sweepObjects(context: ObjectContext, now: Date, signal: AbortSignal): Promise<number> {
  const bucket = bucketOf(context.settings);
  if (!bucket) return 0;
  let removed = 0;
  for await (const organization of foldersOf(bucket, CONTENTS)) {
    if (!UUID.test(organization)) continue;
    const isKnown = (await context.db.organization.count({ where: { id: organization } })) > 0;
    for await (const day of foldersOf(bucket, `${CONTENTS}${organization}/`)) {
      if (signal.aborted) return removed;
      const start = new Date(DAY.test(day) ? `${day}T00:00:00Z` : Number.NaN);
      const age = now.getTime() - start.getTime();
      if (!(age >= 2 * DAY_MS)) continue;
      const isCompared = isKnown && (age < COMPARED_DAYS * DAY_MS || (await hasContents(context, organization, start)));
      if (isCompared && age >= COMPARED_DAYS * DAY_MS) continue;
      for await (const keys of pagesOf(bucket, `${CONTENTS}${organization}/${day}/`)) {
        const orphans = isCompared ? await withoutContent(context, keys) : keys;
        for (let first = 0; first < orphans.length; first += AT_ONCE)
          await Promise.all(orphans.slice(first, first + AT_ONCE).map((key) => bucket.delete(key, contentSignal())));
        removed += orphans.length;
      }
    }
  }
  return removed;
}

/** Yields the folders below a prefix by listing the first key of each. */
async function* foldersOf(bucket: Bucket, prefix: string): AsyncGenerator<string, void> {
  for (let after = ""; ;) {
    const [key] = await bucket.list(prefix, after, contentSignal());
    if (key === undefined) return;
    const folder = key.slice(prefix.length).split("/")[0] ?? "";
    yield folder;
    after = `${prefix}${folder}${AFTER_SLASH}`;
  }
}

async function* pagesOf(bucket: Bucket, prefix: string): AsyncGenerator<string[], void> {
  for (let after = ""; ;) {
    const keys = await bucket.list(prefix, after, contentSignal());
    const last = keys.at(-1);
    if (last === undefined) return;
    yield keys;
    after = last;
  }
}

const idOf = (key: string) => key.slice(key.lastIndexOf("/") + 1);

async function hasContents({ db }: ObjectContext, organizationId: string, start: Date): Promise<boolean> {
  const end = new Date(start.getTime() + DAY_MS);
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM generations g
      JOIN generation_contents c ON c.created_at = g.created_at AND c.generation_id = g.id AND c.storage_key IS NOT NULL
      WHERE g.organization_id = ${organizationId}::uuid AND g.created_at >= ${start} AND g.created_at < ${end}
        AND c.created_at >= ${start} AND c.created_at < ${end}
    ) AS found`;
  return row?.found ?? false;
}

/** Returns the keys without a content of their generation. The generation's id contains the second of its time. */
async function withoutContent({ db }: ObjectContext, keys: readonly string[]): Promise<string[]> {
  const places = keys.flatMap((key) => {
    const second = generationSecond(idOf(key));
    return second ? [{ key, id: idOf(key), ...second }] : [];
  });
  if (places.length === 0) return [];
  return (
    await db.$queryRaw<{ key: string }[]>`
      SELECT place.key FROM unnest(${places.map(({ key }) => key)}::text[], ${places.map(({ id }) => id)}::text[],
        ${places.map(({ gte }) => gte)}::timestamptz[], ${places.map(({ lt }) => lt)}::timestamptz[]) AS place(key, id, first, after)
      WHERE NOT EXISTS (
        SELECT 1 FROM generation_contents c
        WHERE c.created_at >= place.first AND c.created_at < place.after AND c.generation_id = place.id AND c.storage_key = place.key
      )`
  ).map(({ key }) => key);
}
