import { parseJson } from "../../platform/json-values";
import type { LeafForm } from "./leaves";

/** A decoded part of a leaf, as detectors read it. */
export interface Fragment {
  text: string;
  /** Position in the leaf, as offsets in UTF-16 code units. */
  start: number;
  end: number;
  /** Maps a span of `text` to the leaf's offsets. */
  place: (start: number, end: number) => { start: number; end: number };
  /** Encodes a replacement for this position in the leaf. */
  encode: (text: string) => string;
  /** Name of the property with this value. */
  label?: string | undefined;
}

/**
 * Returns the fragments of a leaf. Invalid JSON, undecodable base64 and the head of a data URL are read as plain text.
 */
export function fragmentsOf(form: LeafForm, text: string): Fragment[] {
  if (form === "json") return jsonFragments(text) ?? [part(text, 0, text.length)];
  if (form === "media" || form === "file") return payloadFragments(text, form === "file");
  return [part(text, 0, text.length)];
}

/** Returns a part of a leaf that is read without decoding. */
const part = (text: string, from: number, to: number): Fragment => ({
  text: text.slice(from, to),
  start: from,
  end: to,
  place: (start, end) => ({ start: from + start, end: from + end }),
  encode: (other) => other,
});

/** Returns the texts, keys and numbers of a JSON text; null when it is invalid. */
function jsonFragments(json: string): Fragment[] | null {
  try {
    parseJson(json);
  } catch {
    return null;
  }
  const fragments: Fragment[] = [];
  let label: string | undefined;
  const number = /-?\d[\d.eE+-]*/y;
  for (let at = 0; at < json.length; at += 1) {
    number.lastIndex = at;
    if (json[at] === '"') {
      const end = closingQuote(json, at);
      const fragment = jsonText(json.slice(at + 1, end), at + 1);
      colon.lastIndex = at = end;
      if (colon.test(json)) label = fragment.text;
      else fragment.label = label;
      fragments.push(fragment);
    } else if (number.test(json)) {
      fragments.push({ ...jsonNumber(json.slice(at, number.lastIndex), at), label });
      at = number.lastIndex - 1;
    } else if (json[at] === "}") label = undefined;
  }
  return fragments;
}

const colon = /"\s*:/y;

function closingQuote(json: string, opening: number): number {
  let at = opening + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

const unquoted = (text: string) => JSON.stringify(text).slice(1, -1);

function jsonText(raw: string, at: number): Fragment {
  const hasEscapes = raw.includes("\\");
  const offset = hasEscapes ? (decoded: number) => at + rawOffset(raw, decoded) : (decoded: number) => at + decoded;
  return {
    text: hasEscapes ? (JSON.parse(`"${raw}"`) as string) : raw,
    start: at,
    end: at + raw.length,
    place: (start, end) => ({ start: offset(start), end: offset(end) }),
    encode: unquoted,
  };
}

/** Returns the offset in escaped JSON of the code unit with the offset `decoded` in the unescaped text. */
function rawOffset(raw: string, decoded: number): number {
  let at = 0;
  for (let unit = 0; unit < decoded; unit += 1) {
    if (raw[at] !== "\\") at += 1;
    else at += raw[at + 1] === "u" ? 6 : 2;
  }
  return at;
}

/** Returns the fragment of a JSON number. A number with a match, such as a card number, is replaced by a string. */
const jsonNumber = (text: string, at: number): Fragment => ({
  text,
  start: at,
  end: at + text.length,
  place: (start, end) => ({ start: at + start, end: at + end }),
  encode: (other) => (other === text ? text : JSON.stringify(other)),
});

const DATA_URL = /^data:[^,]{0,400},/i;

/** Returns the head of a data URL, and the text that its data or base64 encodes; media has no text. */
function payloadFragments(payload: string, isFile: boolean): Fragment[] {
  const head = DATA_URL.exec(payload)?.[0] ?? "";
  const heads = head ? [part(payload, 0, head.length)] : [];
  const data = payload.slice(head.length);
  const raw = part(payload, head.length, payload.length);
  const decoded = (text: string, encode: (text: string) => string): Fragment => ({
    text,
    start: head.length,
    end: payload.length,
    // Encoded bytes don't align with characters, so the whole data is the span.
    place: () => ({ start: head.length, end: payload.length }),
    encode,
  });
  if (head && !/;\s*base64\s*,$/i.test(head)) {
    const text = percentDecoded(data);
    return [...heads, text === null ? raw : decoded(text, encodeURIComponent)];
  }
  const bytes = bytesOf(data);
  if (!bytes) return [...heads, raw];
  const content = textIn(bytes, head);
  if (content) return [...heads, decoded(content.text, (text) => content.encode(text).toString("base64"))];
  if (isMedia(bytes)) return heads;
  const written = Buffer.from(bytes).toString("latin1");
  const isLatin = isFile || controlShare(bytes) < BINARY;
  return [
    ...heads,
    raw,
    ...(isLatin ? [decoded(written, (text) => Buffer.from(text, "latin1").toString("base64"))] : []),
  ];
}

/** Decodes base64 or base64url, with or without line breaks; null for other data. */
function bytesOf(data: string): Buffer | null {
  const unbroken = /[\s%]/.test(data) ? (percentDecoded(data) ?? data).replace(/\s/g, "") : data;
  return /^[\w+/-]+={0,3}$/.test(unbroken) ? Buffer.from(unbroken, "base64") : null;
}

interface TextContent {
  text: string;
  encode: (text: string) => Buffer;
}

const utf8 = (bytes: Buffer): TextContent | null => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encode: (other) => Buffer.from(other) };
  } catch {
    return null;
  }
};

function utf16(bytes: Buffer, isBigEndian: boolean): TextContent {
  const swapped = (given: Buffer) => (isBigEndian ? Buffer.from(given.subarray(0, given.length & ~1)).swap16() : given);
  return {
    text: swapped(bytes).toString("utf16le"),
    encode: (other) => swapped(Buffer.from(other, "utf16le")),
  };
}

/** Decodes UTF-16 with a byte order mark, a declared charset or many zero bytes, else UTF-8; null for others. */
function textIn(bytes: Buffer, head: string): TextContent | null {
  const [first, second] = bytes;
  const declared = /charset\s*=\s*"?utf-?16(be)?/i.exec(head);
  if (first === 0xfe && second === 0xff) return utf16(bytes, true);
  if (first === 0xff && second === 0xfe) return utf16(bytes, false);
  const sample = bytes.subarray(0, 4096);
  const zeros = (odd: number) =>
    sample.reduce((count, byte, at) => count + (byte === 0 && (at & 1) === odd ? 1 : 0), 0);
  const [even, odd] = [zeros(0), zeros(1)];
  const isWide = Math.abs(even - odd) > sample.length / 8 && !isMedia(bytes);
  if (isWide || declared) return utf16(bytes, isWide ? even > odd : declared?.[1] !== undefined);
  return utf8(bytes);
}

/** Signatures of images, audio, video, PDF, Office files and archives, in hexadecimal. */
const SIGNATURES =
  /^(?:89504e47|ffd8ff|47494638|52494646|424d|494433|ff[ef][2-9a-f]|4f676753|664c6143|25504446|504b0304|.{8}66747970|1a45dfa3|49492a00|4d4d002a|1f8b|377abcaf|d0cf11e0|00000100)/;
/** Minimum share of control characters in binary data. In compressed data, it is about 0.1. */
const BINARY = 0.02;

function controlShare(bytes: Buffer): number {
  const sample = bytes.subarray(0, 65_536);
  const controls = sample.reduce(
    (count, byte) => count + (byte < 9 || (byte > 13 && byte < 32) || byte === 127 ? 1 : 0),
    0,
  );
  return controls / Math.max(1, sample.length);
}

/** True for binary data with the signature of a known format. Text that starts like a signature is still scanned. */
const isMedia = (bytes: Buffer): boolean =>
  SIGNATURES.test(bytes.subarray(0, 16).toString("hex")) && controlShare(bytes) >= BINARY;

function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
