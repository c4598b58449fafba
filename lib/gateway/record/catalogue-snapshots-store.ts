import "server-only";
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Prisma } from "../../../prisma/generated/client";
import { storableJson } from "../../platform/database/storable-json";
import type { Database } from "../../platform/database/transaction";
import type { Endpoint } from "../../engine/endpoint";

/** The endpoints of one model as a request found them, identified by a content hash. */
export interface CatalogueSnapshot {
  hash: string;
  endpoints: readonly Endpoint[];
}

/** A snapshot that isn't known to have been stored in the current hour. */
export interface NewSnapshot {
  organizationId: string;
  hash: string;
  json: string;
  seenAt: Date;
}

/**
 * Creates one snapshot per model, so that the number of snapshots grows with the catalogue and its changes, not with
 * the combinations in requests.
 */
export function snapshotsOf(endpoints: readonly Endpoint[]): CatalogueSnapshot[] {
  const byModel = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const { slug } = endpoint.model;
    const ofModel = byModel.get(slug);
    if (ofModel) ofModel.push(endpoint);
    else byModel.set(slug, [endpoint]);
  }
  return [...byModel.values()].map(snapshotOf);
}

/** The last snapshot by its first endpoint. The catalogue's endpoints stay the same objects until it changes. */
const snapshots = new WeakMap<Endpoint, CatalogueSnapshot>();

function snapshotOf(endpoints: readonly Endpoint[]): CatalogueSnapshot {
  const [first] = endpoints as [Endpoint];
  const known = snapshots.get(first);
  if (known?.endpoints.length === endpoints.length && endpoints.every((one, index) => one === known.endpoints[index]))
    return known;
  const hash = createHash("sha256").update(JSON.stringify(endpoints)).digest("base64url").slice(0, 32);
  const snapshot = { hash, endpoints };
  snapshots.set(first, snapshot);
  return snapshot;
}

const HOUR_MS = 60 * 60_000;
const MOST_REMEMBERED = 20_000;
/**
 * Hashes known to be stored, with the hour. A hash seen in a later hour is written again, so that `seen_at` is accurate
 * to the hour.
 */
const remembered = new WeakMap<Database, LRUCache<string, true>>();

const keyOf = ({ organizationId, hash, seenAt }: Omit<NewSnapshot, "json">) =>
  `${Math.floor(seenAt.getTime() / HOUR_MS)} ${organizationId} ${hash}`;

/** Returns the snapshots that aren't stored yet. */
export const missingSnapshots = (
  db: Database,
  organizationId: string,
  snapshots: readonly CatalogueSnapshot[],
  seenAt: Date,
): NewSnapshot[] =>
  snapshots
    .filter(({ hash }) => !remembered.get(db)?.has(keyOf({ organizationId, hash, seenAt })))
    .map(({ hash, endpoints }) => ({ organizationId, hash, json: storableJson(endpoints), seenAt }));

/**
 * Stores the missing snapshots. Runs as a separate statement before the records, touching only this table and writing
 * rows in a fixed order, so that two processes can't deadlock.
 */
export async function storeSnapshots(db: Database, given: readonly NewSnapshot[]): Promise<void> {
  const snapshots = [...new Map(given.map((one) => [`${one.organizationId} ${one.hash}`, one])).entries()].toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  if (snapshots.length === 0) return;
  const rows = snapshots.map(
    ([, { organizationId, hash, json, seenAt }]) =>
      Prisma.sql`(${organizationId}::uuid, ${hash}, ${json}::jsonb, ${seenAt}::timestamptz)`,
  );
  await db.$executeRaw`
    INSERT INTO catalogue_snapshots (organization_id, hash, endpoints, seen_at) VALUES ${Prisma.join(rows)}
    ON CONFLICT (organization_id, hash) DO UPDATE SET seen_at = greatest(catalogue_snapshots.seen_at, excluded.seen_at)`;
  const known = remembered.get(db) ?? new LRUCache<string, true>({ max: MOST_REMEMBERED });
  remembered.set(db, known);
  for (const [, snapshot] of snapshots) known.set(keyOf(snapshot), true);
}

/** Adds an unknown data region to snapshots from before endpoints had one. */
const withRegion = (endpoint: Endpoint): Endpoint => ({ ...UNKNOWN_REGION, ...endpoint });
const UNKNOWN_REGION = { dataRegion: "global" } as const;

/** Loads the endpoints of snapshots by hash; snapshots that were deleted are missing from the result. */
export async function loadSnapshots(
  db: Database,
  organizationId: string,
  hashes: readonly string[],
): Promise<Map<string, Endpoint[]>> {
  if (hashes.length === 0) return new Map();
  const rows = await db.catalogueSnapshot.findMany({ where: { organizationId, hash: { in: [...hashes] } } });
  return new Map(rows.map(({ hash, endpoints }) => [hash, (endpoints as unknown as Endpoint[]).map(withRegion)]));
}

/** Returns a request's endpoints in their original order; null when a snapshot is missing. */
export function endpointsOf(
  catalogue: readonly string[],
  snapshots: ReadonlyMap<string, readonly Endpoint[]>,
): Endpoint[] | null {
  const found = catalogue.map((hash) => snapshots.get(hash));
  const endpoints = found.flatMap((ofModel) => ofModel ?? []);
  return found.includes(undefined) ? null : endpoints.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
