import "server-only";
import { LRUCache } from "lru-cache";
import { Prisma } from "../../../prisma/generated/client";
import { ApiError } from "../api-error";
import { Batcher, batcherPerDatabase } from "../database/batcher";
import type { Database } from "../database/transaction";
import type { Env } from "../env";
import { logger } from "../logger";
import { keyedHash } from "../secrets";
import { networkOf } from "./client-network.mjs";
import { drawn, leftover, nextSize, runsLow, SHARE, stateOf, takeToken, type Bucket, type Slice } from "./rate-limit";
import { processWide } from "../process-wide";

/** A request without a token in its slice, or a slice that runs low. */
interface Draw {
  subject: string;
  perMinute: number;
  /** 1 when a request waits for the token. */
  waiting: 0 | 1;
  now: number;
}

const MOST_AT_ONCE = 500;
const MOST_SUBJECTS = 50_000;
/** A bucket is full after a minute; the rest allows for clocks that differ. */
const FULL_AFTER_MS = 5 * 60_000;

interface ProcessSlices {
  slices: LRUCache<string, Slice>;
  /** Subjects whose next slice is being taken. */
  toppingUp: Set<string>;
}

/** Slices of this process by database. */
const slicesByDatabase = processWide("slices", () => new WeakMap<Database, ProcessSlices>());

function processSlices(db: Database): ProcessSlices {
  const known = slicesByDatabase().get(db);
  if (known) return known;
  const created = { slices: new LRUCache<string, Slice>({ max: MOST_SUBJECTS }), toppingUp: new Set<string>() };
  slicesByDatabase().set(db, created);
  return created;
}

const draws = batcherPerDatabase(
  (db) =>
    new Batcher<Draw, boolean>((requested) => drawAll(db, requested), {
      items: MOST_AT_ONCE,
      weight: MOST_AT_ONCE,
      weigh: () => 1,
    }),
);

/**
 * Counts a request of `subject`; 0 per minute means no limit. All processes share the limit. Sets the `X-RateLimit-*` headers and
 * throws 429.
 */
export async function limitRate(
  db: Database,
  subject: string,
  perMinute: number,
  now: Date,
  headers: Headers,
): Promise<void> {
  if (perMinute === 0) return;
  const at = now.getTime();
  const { slices } = processSlices(db);
  const taken = takeToken(slices.get(subject), perMinute, at);
  let isAllowed = taken.verdict === "allowed";
  if (taken.verdict === "allowed") {
    slices.set(subject, taken.slice);
    if (runsLow(taken.slice)) topUp(db, { subject, perMinute, waiting: 0, now: at });
  } else if (taken.verdict === "unknown") {
    isAllowed = await draws(db).submit({ subject, perMinute, waiting: 1, now: at });
  }
  const { remaining, retryAfter, reset } = stateOf(slices.get(subject), perMinute, at);
  headers.set("x-ratelimit-limit", String(perMinute));
  headers.set("x-ratelimit-remaining", String(remaining));
  headers.set("x-ratelimit-reset", String(reset));
  if (!isAllowed)
    throw new ApiError(429, "Rate limit exceeded", { retry_after: retryAfter }, { "retry-after": String(retryAfter) });
}

/** Takes the next slice before it is needed. */
function topUp(db: Database, draw: Draw): void {
  const { toppingUp } = processSlices(db);
  if (toppingUp.has(draw.subject)) return;
  toppingUp.add(draw.subject);
  draws(db)
    .submit(draw)
    .catch((err: unknown) => {
      logger().warn({ err }, "a rate limit could not be read");
    })
    .finally(() => {
      toppingUp.delete(draw.subject);
    });
}

/** Tokens granted: one for each waiting request, and a share of the rest in advance. */
const GRANTED = Prisma.sql`
  SELECT least(waiting, floor(available)) + greatest(least(size, floor((available - waiting) / ${SHARE}::float8)), 0) AS granted`;

interface DrawnRow {
  subject: string;
  tokens: number;
  at: Date;
  granted: number;
}

/**
 * Takes tokens from buckets in one statement: one for each waiting request, and a slice in advance up to a share of the free tokens.
 * Returns the requests that got a token.
 */
async function drawAll(db: Database, requested: readonly Draw[]): Promise<boolean[]> {
  const { slices } = processSlices(db);
  const now = Math.max(...requested.map((draw) => draw.now));
  const waitingBySubject = new Map<string, number>();
  for (const { subject, waiting } of requested)
    waitingBySubject.set(subject, (waitingBySubject.get(subject) ?? 0) + waiting);
  const limits = new Map(requested.map(({ subject, perMinute }) => [subject, perMinute]));
  // Sort, so that parallel statements lock their rows in the same order.
  const wanted = [...limits]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([subject, perMinute]) => ({
      subject,
      perMinute,
      waiting: waitingBySubject.get(subject) ?? 0,
      size: nextSize(slices.get(subject), perMinute, now),
      returned: leftover(slices.get(subject), now),
    }));
  for (const { subject, returned } of wanted) {
    const slice = slices.get(subject);
    if (slice && returned > 0) slices.set(subject, { ...slice, tokens: 0 });
  }
  const rows = await db.$queryRaw<DrawnRow[]>`
    WITH wanted AS MATERIALIZED (
      SELECT * FROM unnest(
        ${wanted.map(({ subject }) => subject)}::text[], ${wanted.map(({ perMinute }) => perMinute)}::float8[],
        ${wanted.map(({ waiting }) => waiting)}::float8[], ${wanted.map(({ size }) => size)}::float8[], ${wanted.map(({ returned }) => returned)}::float8[]
      ) AS wanted(subject, per_minute, waiting, size, returned)
    )
    INSERT INTO rate_buckets AS bucket (subject, tokens, at, granted)
    SELECT subject, per_minute - taken.granted, ${new Date(now)}, taken.granted
    FROM wanted CROSS JOIN LATERAL (SELECT per_minute AS available) AS full_bucket CROSS JOIN LATERAL (${GRANTED}) AS taken
    ORDER BY subject
    ON CONFLICT (subject) DO UPDATE SET (tokens, at, granted) = (
      SELECT available - taken.granted, greatest(bucket.at, excluded.at), taken.granted
      FROM wanted
        CROSS JOIN LATERAL (
          SELECT least(per_minute, bucket.tokens + returned + greatest(extract(epoch FROM excluded.at - bucket.at), 0) * per_minute / 60) AS available
        ) AS refilled
        CROSS JOIN LATERAL (${GRANTED}) AS taken
      WHERE wanted.subject = bucket.subject
    )
    RETURNING subject, tokens, at, granted`;
  const granted = new Map<string, number>();
  for (const row of rows) {
    const { waiting = 0, size = 0 } = wanted.find(({ subject }) => subject === row.subject) ?? {};
    granted.set(row.subject, Math.min(waiting, row.granted));
    const bucket: Bucket = { tokens: row.tokens, at: row.at.getTime() };
    const ahead = Math.max(0, row.granted - waiting);
    slices.set(row.subject, drawn(slices.get(row.subject), ahead, bucket, size, now));
  }
  return requested.map(({ subject, waiting }) => {
    const left = granted.get(subject) ?? 0;
    if (waiting === 1) granted.set(subject, left - 1);
    return waiting === 1 && left >= 1;
  });
}

/** Deletes the buckets that are full again, because a missing bucket counts as full. */
export async function deleteFullBuckets(db: Database, now: Date): Promise<void> {
  await db.rateBucket.deleteMany({ where: { at: { lt: new Date(now.getTime() - FULL_AFTER_MS) } } });
}

/** The subject of requests without a key or session: a hash of the client's network. */
export const networkSubject = (ip: string | null, { secretKey }: Pick<Env, "secretKey">): string =>
  `client:${keyedHash(secretKey, "rate limit", networkOf(ip))}`;
