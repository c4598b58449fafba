/** The free tokens of a subject, as last read. Times are in milliseconds since the epoch. */
export interface Bucket {
  tokens: number;
  at: number;
}

/** Tokens that a process has taken from a bucket in advance. */
export interface Slice {
  tokens: number;
  /** Number of tokens to take at a time. */
  size: number;
  drawnAt: number;
  bucket: Bucket;
}

/** Tokens in the first slice. */
const FIRST_SIZE = 4;
/** If a slice lasts less than this, the next one is doubled. */
const SHORT_MS = 1_000;
/** After this time, a slice expires: its rest is returned to the bucket, and the next one is halved. */
export const SLICE_MS = 10_000;
/** Divisor of the free tokens, for the share that a process may take in advance. */
export const SHARE = 8;

const perMs = (perMinute: number): number => perMinute / 60_000;

/** Returns the tokens of a bucket of `perMinute` tokens, refilled evenly. */
const refilled = ({ tokens, at }: Bucket, perMinute: number, now: number): number =>
  Math.min(perMinute, tokens + Math.max(0, now - at) * perMs(perMinute));

const isFresh = ({ drawnAt }: Slice, now: number): boolean => now < drawnAt + SLICE_MS;

/** Returns the rest of an expired slice, to be returned to the bucket. */
export const leftover = (slice: Slice | undefined, now: number): number =>
  slice && !isFresh(slice, now) ? slice.tokens : 0;

/** Returns the size of the next slice, which grows with the rate of requests. */
export function nextSize(slice: Slice | undefined, perMinute: number, now: number): number {
  if (!slice) return FIRST_SIZE;
  const lasted = now - slice.drawnAt;
  if (lasted < SHORT_MS) return Math.min(perMinute, slice.size * 2);
  return lasted > SLICE_MS ? Math.max(FIRST_SIZE, Math.floor(slice.size / 2)) : slice.size;
}

/** Returns a slice after `granted` tokens were taken from the bucket. */
export const drawn = (slice: Slice | undefined, granted: number, bucket: Bucket, size: number, now: number): Slice => ({
  tokens: granted + (slice && isFresh(slice, now) ? slice.tokens : 0),
  size,
  drawnAt: now,
  bucket,
});

/** Takes a token from a slice. Returns `unknown` if the bucket may have a token: it is known to be empty only until its next token. */
export function takeToken(
  slice: Slice | undefined,
  perMinute: number,
  now: number,
): { verdict: "allowed"; slice: Slice } | { verdict: "refused" | "unknown" } {
  if (slice && slice.tokens >= 1 && isFresh(slice, now))
    return { verdict: "allowed", slice: { ...slice, tokens: slice.tokens - 1 } };
  return { verdict: slice && slice.tokens < 1 && refilled(slice.bucket, perMinute, now) < 1 ? "refused" : "unknown" };
}

/** True if less than half of a slice is left, so that the next slice is taken before it is needed. */
export const runsLow = ({ tokens, size }: Slice): boolean => tokens * 2 < size;

/** The state of a limit, as responses show it. */
export interface RateState {
  remaining: number;
  /** Seconds until the next request is allowed. */
  retryAfter: number;
  /** Unix seconds at which the bucket is full again. */
  reset: number;
}

export function stateOf(slice: Slice | undefined, perMinute: number, now: number): RateState {
  const { tokens, bucket } = slice ?? { tokens: 0, bucket: { tokens: perMinute, at: now } };
  const left = Math.min(perMinute, tokens + refilled(bucket, perMinute, now));
  return {
    remaining: Math.floor(left),
    retryAfter: Math.max(1, Math.ceil((1 - left) / perMs(perMinute) / 1000)),
    reset: Math.ceil((now + (perMinute - left) / perMs(perMinute)) / 1000),
  };
}
