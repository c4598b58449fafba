import type { LeafForm } from "./leaves";

/** A decoded run of text inside a leaf, as seen by detectors. */
export interface Fragment {
  text: string;
  /** Position in the leaf, as offsets in UTF-16 code units. */
  start: number;
  end: number;
  /** Maps a span of `text` to the leaf's offsets. */
  place: (start: number, end: number) => { start: number; end: number };
  /** Encodes a replacement for this position in the leaf. */
  encode: (text: string) => string;
}

/** Returns the readable fragments of a leaf. Invalid JSON and undecodable payloads are read as plain text. */
export function fragmentsOf(form: LeafForm, text: string): Fragment[] {
  if (form === "json") return jsonFragments(text) ?? [whole(text)];
  if (form === "payload") return payloadFragments(text) ?? [whole(text)];
  return [whole(text)];
}

const whole = (text: string): Fragment => ({
  text,
  start: 0,
  end: text.length,
  place: (start, end) => ({ start, end }),
  encode: (other) => other,
});

/** Returns the texts, keys and numbers of a JSON text; null when it is invalid. */
function jsonFragments(json: string): Fragment[] | null {
  try {
    JSON.parse(json);
  } catch {
    return null;
  }
  const fragments: Fragment[] = [];
  const number = /-?\d[\d.eE+-]*/y;
  for (let at = 0; at < json.length; at += 1) {
    number.lastIndex = at;
    if (json[at] === '"') {
      const end = closingQuote(json, at);
      fragments.push(jsonText(json.slice(at + 1, end), at + 1));
      at = end;
    } else if (number.test(json)) {
      fragments.push(jsonNumber(json.slice(at, number.lastIndex), at));
      at = number.lastIndex - 1;
    }
  }
  return fragments;
}

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

/** Returns the offset in escaped JSON of the code unit `decoded`. */
function rawOffset(raw: string, decoded: number): number {
  let at = 0;
  for (let unit = 0; unit < decoded; unit += 1) {
    if (raw[at] !== "\\") at += 1;
    else at += raw[at + 1] === "u" ? 6 : 2;
  }
  return at;
}

/** Replaces a number with a match, such as a card number, by a string. */
const jsonNumber = (text: string, at: number): Fragment => ({
  text,
  start: at,
  end: at + text.length,
  place: (start, end) => ({ start: at + start, end: at + end }),
  encode: (other) => (other === text ? text : JSON.stringify(other)),
});

const DATA_URL = /^data:[^,\s]*,/i;
const BASE64 = /^[\w+/-]*={0,2}\s*$/;

/**
 * Returns the text in a data URL or base64: empty for images, audio and other binary data, null when the payload is
 * neither.
 */
function payloadFragments(payload: string): Fragment[] | null {
  const prefix = DATA_URL.exec(payload)?.[0] ?? "";
  const encoded = payload.slice(prefix.length);
  const isBase64 = !prefix || /;base64,$/i.test(prefix);
  if (isBase64 && !BASE64.test(encoded)) return null;
  const text = isBase64 ? textOf(Buffer.from(encoded, "base64")) : percentDecoded(encoded);
  if (text === null) return isBase64 ? [] : null;
  return [
    {
      text,
      start: prefix.length,
      end: payload.length,
      // Encoded bytes don't align with characters, so the whole payload is the span.
      place: () => ({ start: prefix.length, end: payload.length }),
      encode: (other) => (isBase64 ? Buffer.from(other).toString("base64") : encodeURIComponent(other)),
    },
  ];
}

/** Decodes UTF-8; null when the bytes aren't text. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
