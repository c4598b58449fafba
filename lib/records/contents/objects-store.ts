import "server-only";
import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";
import { ApiError } from "../../platform/api-error";
import type { Database } from "../../platform/database/transaction";
import type { BucketSettings, Env } from "../../platform/env";
import { logger } from "../../platform/logger";
import { instruments } from "../../platform/metrics/instruments";
import { Bucket } from "../../platform/outbound/s3";
import { contentKey, findContentKey } from "./keys-store";
import { openObject, sealObject } from "./sealed-object";
import { processWide } from "../../platform/process-wide";

/** The parts of a context that objects need. */
export interface ObjectContext {
  readonly db: Database;
  readonly settings: Env;
}

const READ_LIMIT_MS = 15_000;
/** Pause after a failed write. */
const PAUSE_MS = 5_000;
/** Maximum number of concurrent writes; further contents are stored in the database. */
const MOST_WRITES = 256;
const READS_AT_ONCE = 8;
const MAX_OBJECT_BYTES = 32 * 1024 * 1024;
const MAX_CONTENT_BYTES = 256 * 1024 * 1024;

const compressed = promisify(gzip);
const expanded = promisify(gunzip);

interface State {
  bucket: Bucket;
  writes: number;
  /** End of the pause on the process's monotonic clock. */
  pausedUntil: number;
}

const buckets = processWide("buckets", () => new WeakMap<BucketSettings, State>());

function stateOf(settings: BucketSettings): State {
  const known = buckets().get(settings);
  if (known) return known;
  // The operator chose the address, which is often private.
  const state = { bucket: new Bucket(settings, { allowPrivate: true }), writes: 0, pausedUntil: -Infinity };
  buckets().set(settings, state);
  return state;
}

/** Returns the configured bucket, or null. */
export const bucketOf = ({ contentBucket }: Env): Bucket | null =>
  contentBucket ? stateOf(contentBucket).bucket : null;

export const contentSignal = (ms = READ_LIMIT_MS): AbortSignal => AbortSignal.timeout(ms);

/** The size of a written object; null if the content stays in the database, permanently or until it can be moved. */
export interface Upload {
  bytes: number | null;
  isFinal: boolean;
}

const NOT_NOW: Upload = { bytes: null, isFinal: false };

/**
 * Writes an object. The content stays in the database when the write fails, during the pause after a failure, or with
 * too many concurrent writes.
 */
export async function writeObject(
  { db, settings }: ObjectContext,
  organizationId: string,
  storageKey: string,
  json: string,
): Promise<Upload> {
  const { contentBucket } = settings;
  if (!contentBucket) return NOT_NOW;
  const { contentUploads } = instruments();
  const state = stateOf(contentBucket);
  if (performance.now() < state.pausedUntil || state.writes >= MOST_WRITES) {
    contentUploads.inc({ result: "skipped" });
    return NOT_NOW;
  }
  state.writes += 1;
  try {
    const key = await contentKey(db, settings, organizationId);
    const sealed = sealObject(key, storageKey, await compressed(json, { level: constants.Z_BEST_SPEED }));
    if (sealed.length > MAX_OBJECT_BYTES) return { bytes: null, isFinal: true };
    await state.bucket.put(storageKey, sealed, "application/octet-stream", contentSignal(contentBucket.writeTimeoutMs));
    contentUploads.inc({ result: "written" });
    return { bytes: sealed.length, isFinal: true };
  } catch (err) {
    state.pausedUntil = performance.now() + PAUSE_MS;
    contentUploads.inc({ result: "failed" });
    logger().warn({ err }, "content could not be written to the object storage; it is stored in the database");
    return NOT_NOW;
  } finally {
    state.writes -= 1;
  }
}

/** Reads an object; null if the object or its organization's key doesn't exist. */
async function readObject(
  { db, settings }: ObjectContext,
  organizationId: string,
  key: string,
): Promise<ContentRow | null> {
  const bucket = bucketOf(settings);
  if (!bucket) throw unavailable("not configured");
  const [sealed, secret] = await Promise.all([
    bucket.get(key, MAX_OBJECT_BYTES, contentSignal()),
    findContentKey(db, settings, organizationId),
  ]).catch((err: unknown) => {
    logger().warn({ err }, "content could not be read from the object storage");
    throw unavailable("unreachable");
  });
  if (!sealed || !secret) return null;
  const json = await expanded(openObject(secret, key, sealed), { maxOutputLength: MAX_CONTENT_BYTES });
  const { blocked_input, tool_calls, ...rest } = JSON.parse(json.toString("utf8")) as StoredObject;
  return { ...rest, blockedInput: blocked_input, toolCalls: tool_calls, storageKey: key };
}

const unavailable = (cause: string) =>
  new ApiError(503, "This content can't be read because the object storage is unavailable. Try again later", {
    reason: "content_store_unavailable",
    cause,
  });

/** The JSON of an object. */
export interface StoredObject {
  input: unknown;
  blocked_input: unknown;
  completion: string | null;
  reasoning: string | null;
  tool_calls: unknown;
  choices: unknown;
  error: unknown;
  /** Undefined in older objects. */
  items?: unknown;
}

/** The columns that locate a content, and contain it unless it is in an object. */
export interface ContentRow {
  input: unknown;
  blockedInput: unknown;
  completion: string | null;
  reasoning: string | null;
  toolCalls: unknown;
  choices: unknown;
  error: unknown;
  /** Undefined in older objects, and when it isn't read. */
  items?: unknown;
  storageKey: string | null;
}

/**
 * Returns the content of a row from the database or its object; null if the object doesn't exist. Must not be called in
 * a transaction, which would wait for the object storage.
 */
export async function loadContent(
  context: ObjectContext,
  organizationId: string,
  row: ContentRow,
): Promise<ContentRow | null> {
  return row.storageKey === null ? row : readObject(context, organizationId, row.storageKey);
}

/** Loads several contents, a few at a time. */
export async function loadContents(
  context: ObjectContext,
  organizationId: string,
  rows: readonly ContentRow[],
): Promise<(ContentRow | null)[]> {
  const contents: (ContentRow | null)[] = [];
  for (let first = 0; first < rows.length; first += READS_AT_ONCE) {
    const part = rows.slice(first, first + READS_AT_ONCE);
    contents.push(...(await Promise.all(part.map((row) => loadContent(context, organizationId, row)))));
  }
  return contents;
}
