import { LRUCache } from "lru-cache";
import { ApiError } from "../api-error";

export interface Bucket {
  tokens: number;
  /** Time of `tokens` in milliseconds since the epoch. */
  at: number;
}

export interface Verdict {
  allowed: boolean;
  bucket: Bucket;
  remaining: number;
  /** Seconds until the next request is allowed; 0 when this one is. */
  retryAfter: number;
  /** Unix seconds at which the bucket is full again. */
  reset: number;
}

/** Takes a token from a bucket of `perMinute` tokens, refilled evenly. */
export function takeToken(previous: Bucket | undefined, perMinute: number, now: number): Verdict {
  const perMs = perMinute / 60_000;
  const { tokens, at } = previous ?? { tokens: perMinute, at: now };
  const available = Math.min(perMinute, tokens + Math.max(0, now - at) * perMs);
  const allowed = available >= 1;
  const left = allowed ? available - 1 : available;
  return {
    allowed,
    bucket: { tokens: left, at: now },
    remaining: Math.floor(left),
    retryAfter: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1000)),
    reset: Math.ceil((now + (perMinute - left) / perMs) / 1000),
  };
}

/** Buckets of this process, evicting the least recently used. */
const buckets = new LRUCache<string, Bucket>({ max: 50_000 });

/** Counts a request of `subject`; 0 per minute means no limit. Sets the `X-RateLimit-*` headers and throws 429. */
export function limitRate(subject: string, perMinute: number, now: Date, headers: Headers): void {
  if (perMinute === 0) return;
  const verdict = takeToken(buckets.get(subject), perMinute, now.getTime());
  buckets.set(subject, verdict.bucket);
  headers.set("x-ratelimit-limit", String(perMinute));
  headers.set("x-ratelimit-remaining", String(verdict.remaining));
  headers.set("x-ratelimit-reset", String(verdict.reset));
  if (!verdict.allowed) {
    throw new ApiError(
      429,
      "Rate limit exceeded",
      { retry_after: verdict.retryAfter },
      { "retry-after": String(verdict.retryAfter) },
    );
  }
}
