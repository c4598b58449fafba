import "server-only";
import { createHash, randomInt } from "node:crypto";
import { v7 } from "uuid";
import { randomBase62 } from "./secrets";

/** Of 32 bits: leaves room to count on. */
const FIRST_SEQ_BELOW = 2 ** 31;
let last = { msecs: 0, seq: 0 };

/** A time-ordered identifier (RFC 9562, version 7); those that a process makes in one millisecond ascend (section 6.2, method 1). */
export function uuidv7(now: Date): string {
  const msecs = now.getTime();
  last = { msecs, seq: msecs === last.msecs ? last.seq + 1 : randomInt(FIRST_SEQ_BELOW) };
  return v7(last);
}

/** The same identifier for the same time and text: what is written again under it is there already. */
export const repeatableUuid = (at: Date, text: string): string =>
  v7({ msecs: at.getTime(), random: createHash("sha256").update(text).digest() });

export const newUserId = (): string => `user_${randomBase62(24)}`;

/** `gen-<unix second>-<20 base62>`: carries the second in which the generation began. */
export const newGenerationId = (now: Date): string => `gen-${Math.floor(now.getTime() / 1000)}-${randomBase62(20)}`;

/** The second that a generation id carries, as a time range; null when the text is no generation id. */
export function generationSecond(id: string): { gte: Date; lt: Date } | null {
  const second = /^gen-(\d{1,10})-[0-9A-Za-z]{20}$/.exec(id)?.[1];
  return second ? { gte: new Date(Number(second) * 1000), lt: new Date(Number(second) * 1000 + 1000) } : null;
}
