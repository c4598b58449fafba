import "server-only";
import { createHash, randomInt } from "node:crypto";
import { v7 } from "uuid";
import { randomBase62 } from "./secrets";

/** A 32-bit start value that leaves room for increments. */
const FIRST_SEQ_BELOW = 2 ** 31;
let last = { msecs: 0, seq: 0 };

/** Generates a time-ordered identifier (RFC 9562, version 7); identifiers of one process ascend within a millisecond (section 6.2, method 1). */
export function uuidv7(now: Date): string {
  const msecs = now.getTime();
  last = { msecs, seq: msecs === last.msecs ? last.seq + 1 : randomInt(FIRST_SEQ_BELOW) };
  return v7(last);
}

/** Generates the same identifier for the same time and text, so that repeated writes are duplicates. */
export const repeatableUuid = (at: Date, text: string): string =>
  v7({ msecs: at.getTime(), random: createHash("sha256").update(text).digest() });

/** Generates the unique part of ids that an upstream's answer lacks. */
export const newResponseSeed = (): string => randomBase62(16);
export const newUserId = (): string => `user_${randomBase62(24)}`;

/** Generates `gen-<unix second>-<20 base62>`, containing the generation's start. */
export const newGenerationId = (now: Date): string => `gen-${Math.floor(now.getTime() / 1000)}-${randomBase62(20)}`;

const REQUEST_ID = /^req-([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** A caller may send an id that it received before, and clocks of servers differ. */
const [BEFORE_MS, AFTER_MS] = [60_000, 60 * 60_000];

/** Returns the time range of the requests with an id; null for ids of callers, which contain no time. */
export function requestTimes(id: string): { gte: Date; lt: Date } | null {
  const [, high = "", low = ""] = REQUEST_ID.exec(id) ?? [];
  const at = Number.parseInt(high + low, 16);
  return Number.isNaN(at) ? null : { gte: new Date(at - BEFORE_MS), lt: new Date(at + AFTER_MS) };
}

/** Returns a generation id's second as a time range; null for an invalid id. */
export function generationSecond(id: string): { gte: Date; lt: Date } | null {
  const second = /^gen-(\d{1,10})-[0-9A-Za-z]{20}$/.exec(id)?.[1];
  return second ? { gte: new Date(Number(second) * 1000), lt: new Date(Number(second) * 1000 + 1000) } : null;
}
