import "server-only";
import { Buffer } from "node:buffer";

/** Longest text whose units are in a buffer that is used again. */
const LONGEST = 64 * 1024;
/** Length up to which a loop is faster than a native copy. */
const SHORT = 24;
/** Number of texts whose units are kept: a text, its normal form, and parts of them. */
const KEPT = 4;

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** A text as an array of UTF-16 code units. */
export interface CodeUnits {
  text: string;
  /** The units, followed by a zero; the rest of the array is undefined. */
  units: Uint16Array;
  /** False for a long text, of which only the last is kept. */
  isKept: boolean;
}

interface Kept extends CodeUnits {
  bytes: Buffer;
  used: number;
}

const kept: Kept[] = [];
let clock = 0;
let last: Kept | undefined;

const buffers = (length: number) => {
  const units = new Uint16Array(length + 1);
  return { units, bytes: Buffer.from(units.buffer) };
};

function fill({ text, units }: Pick<CodeUnits, "text" | "units">, bytes: Buffer): void {
  const { length } = text;
  if (length > SHORT && isLittleEndian) bytes.write(text, "utf16le");
  else for (let at = 0; at < length; at += 1) units[at] = text.charCodeAt(at);
  units[length] = 0;
}

/** Returns the place of a text among those that are kept, the one that was used least recently for another text. */
function placeFor(text: string): Kept {
  let oldest = kept[0];
  for (const one of kept) {
    if (one.text === text) return one;
    if (oldest === undefined || one.used < oldest.used) oldest = one;
  }
  if (oldest === undefined || kept.length < KEPT) {
    oldest = { text: "", isKept: true, used: 0, ...buffers(0) };
    oldest.units[0] = 0;
    kept.push(oldest);
  }
  if (oldest.units.length <= text.length)
    Object.assign(oldest, buffers(Math.min(LONGEST, Math.max(1024, 2 * text.length))));
  oldest.text = text;
  fill(oldest, oldest.bytes);
  return oldest;
}

/** The last text that is longer: detectors ask for its units at every word. */
let long: CodeUnits | undefined;

function longUnits(text: string): CodeUnits {
  if (long?.text === text) return long;
  const { units, bytes } = buffers(text.length);
  fill({ text, units }, bytes);
  return (long = { text, units, isKept: false });
}

/**
 * Returns the code units of a text. They are valid until those of some other texts are read. A loop over an array
 * reads a unit several times as fast as `charCodeAt`.
 */
export function codeUnits(text: string): CodeUnits {
  if (last?.text === text) return last;
  if (text.length > LONGEST) return longUnits(text);
  last = placeFor(text);
  last.used = clock += 1;
  return last;
}

/** Returns the code units of a text if they are kept. */
export const keptUnits = (text: string): Uint16Array | undefined => kept.find((one) => one.text === text)?.units;

/** Returns the UTF-16 code units of a text, followed by a zero. */
export const unitsOf = (text: string): Uint16Array => codeUnits(text).units;
