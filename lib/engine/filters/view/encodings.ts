import { unitsOf } from "../code-units";

/** A part of a text that decodes to readable text. */
export interface Decoded {
  family: string;
  start: number;
  end: number;
  text: string;
}

const SHORTEST = 8;
/** Length of the shortest run of base64 that may encode an injection. */
const SHORTEST_RUN = 12;

/** Returns the decoded text if readable; the first bytes decide, so that images are rejected cheaply. */
function readable(bytes: Uint8Array): string | null {
  if (
    bytes.length < SHORTEST ||
    bytes.subarray(0, 64).some((byte) => byte < 9 || (byte > 13 && byte < 32) || byte === 127)
  )
    return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function base64(encoded: string): string | null {
  const plain = encoded.replaceAll("-", "+").replaceAll("_", "/");
  try {
    return readable(
      Uint8Array.from(atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain), (unit) => unit.charCodeAt(0)),
    );
  } catch {
    return null;
  }
}

const hex = (encoded: string) =>
  readable(Uint8Array.from(encoded.match(/[0-9A-Fa-f]{2}/g) ?? [], (pair) => parseInt(pair, 16)));
const escaped = (encoded: string) =>
  encoded.replace(
    /\\u([0-9A-Fa-f]{4})|&#(?:x([0-9A-Fa-f]{2,6})|(\d{2,7}));/g,
    (_, unit?: string, point?: string, decimal?: string) =>
      String.fromCharCode(decimal ? Number(decimal) : parseInt(unit ?? point ?? "20", 16)),
  );
const ROT13_WORD = /vafgehpgvba|cebzcg|flfgrz|ehyrf|erfgevpgvba/i;
const rot13 = (encoded: string) =>
  !ROT13_WORD.test(encoded)
    ? null
    : encoded.replace(/[a-z]/gi, (letter) =>
        String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)),
      );

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Values of base64 digits in both alphabets, by character code; -1 for other characters. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  BASE64.indexOf(String.fromCharCode(code).replace("-", "+").replace("_", "/")),
);
const digitAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? (DIGITS[code] as number) : -1;
};

/** Returns the runs of at least `shortest` base64 digits, skipping shorter words without reading them whole. */
function longWords(text: string, shortest: number): { start: number; end: number }[] {
  const words: { start: number; end: number }[] = [];
  let past = 0;
  while (past + shortest <= text.length) {
    let start = past + shortest;
    while (start > past && digitAt(text, start - 1) >= 0) start -= 1;
    if (start > past) past = start;
    else {
      let end = past + shortest;
      while (end < text.length && digitAt(text, end) >= 0) end += 1;
      words.push({ start: past, end });
      past = end + 1;
    }
  }
  return words;
}

/** True when the first digits stand for text, which excludes most words and paths cheaply. */
function isTextual(text: string, start: number): boolean {
  /** Number of bytes that must continue a character in UTF-8. */
  let open = 0;
  for (let at = start; at < start + 8; at += 4) {
    const bits =
      (digitAt(text, at) << 18) | (digitAt(text, at + 1) << 12) | (digitAt(text, at + 2) << 6) | digitAt(text, at + 3);
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (bits >> shift) & 255;
      if (byte < 128 ? open > 0 || byte < 9 || (byte > 13 && byte < 32) || byte === 127 : byte < 192 !== open > 0)
        return false;
      if (byte >= 192) open = byte < 224 ? 1 : byte < 240 ? 2 : 3;
      else if (open > 0) open -= 1;
    }
  }
  return true;
}

/** Hexadecimal digits, and characters before a pair of them, as bits by code unit. */
const [HEX_DIGIT, BEFORE_PAIR] = [1, 2];
const HEX_KINDS = new Uint8Array(65536);
for (const character of "0123456789abcdefABCDEF") HEX_KINDS[character.charCodeAt(0)] = HEX_DIGIT;
for (const character of "x :,-") HEX_KINDS[character.charCodeAt(0)] = BEFORE_PAIR;

/** True when 20 hexadecimal digits follow each other, or eight pairs with something before each. */
function hasHexadecimal(text: string): boolean {
  const units = unitsOf(text);
  let [digits, pairs, last] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const kind = HEX_KINDS[units[at] as number] as number;
    if (kind === HEX_DIGIT) {
      digits += 1;
      if (digits === 20) return true;
      continue;
    }
    digits = 0;
    if (
      kind === 0 ||
      HEX_KINDS[units[at + 1] as number] !== HEX_DIGIT ||
      HEX_KINDS[units[at + 2] as number] !== HEX_DIGIT
    )
      continue;
    // A backslash or zero may belong to the next pair.
    pairs = at - last === 3 || at - last === 4 ? pairs + 1 : 1;
    last = at;
    if (pairs === 8) return true;
  }
  return false;
}

/** One way to encode text: `gate` is a condition on texts that contain it, cheaper than the pattern. */
interface Encoding {
  family: string;
  gate: (text: string) => boolean;
  pattern: RegExp;
  decode: (encoded: string) => string | null;
}

export const ENCODINGS: readonly Encoding[] = [
  {
    family: "hex_encoded_injection",
    gate: hasHexadecimal,
    pattern: /(?:[0-9A-Fa-f]{2}){10,}|(?:(?:\\x|0x|[ :,-])[0-9A-Fa-f]{2}){8,}/g,
    decode: (encoded) => hex(encoded.replace(/\\x|0x/g, "")),
  },
  {
    family: "url_encoded_injection",
    gate: (text) => text.includes("%"),
    pattern: /(?:%[0-9A-Fa-f]{2}[\w.~+-]{0,24}){2,}/g,
    decode: (encoded) =>
      readable(
        new TextEncoder().encode(
          encoded
            .replaceAll("+", " ")
            .replace(/%([0-7][0-9A-Fa-f])/g, (_, byte: string) => String.fromCharCode(parseInt(byte, 16))),
        ),
      ),
  },
  {
    family: "escaped_injection",
    gate: (text) => text.includes("\\u") || text.includes("&#"),
    pattern: /(?:(?:\\u[0-9A-Fa-f]{4}|&#(?:x[0-9A-Fa-f]{2,6}|\d{2,7});) ?){8,}/g,
    decode: escaped,
  },
  { family: "rot13_encoded_injection", gate: (text) => ROT13_WORD.test(text), pattern: /[^\n]+/g, decode: rot13 },
];
/** Decodes base64, hexadecimal, percent and character escapes and ROT13, one level deep. */
export function decodings(text: string): Decoded[] {
  const found: Decoded[] = [];
  const add = (family: string, start: number, end: number, decoded: string | null) => {
    if (decoded !== null) found.push({ family, start, end, text: decoded });
  };
  for (const { start, end } of longWords(text, SHORTEST_RUN))
    if (isTextual(text, start)) add("base64_encoded_injection", start, end, base64(text.slice(start, end)));
  for (const { family, gate, pattern, decode } of ENCODINGS)
    if (gate(text))
      for (const { 0: encoded, index } of text.matchAll(pattern))
        add(family, index, index + encoded.length, decode(encoded));
  return found;
}

/** Length of the shortest word to decode. */
const SHORTEST_WORD = 16;
const HEX = /^(?:0x)?[0-9A-Fa-f]+$/;

/** Decodes words of base64 and hexadecimal, one level deep. */
export function packings(text: string): Pick<Decoded, "start" | "end" | "text">[] {
  const found: Pick<Decoded, "start" | "end" | "text">[] = [];
  for (const { start, end } of longWords(text, SHORTEST_WORD)) {
    const word = text.slice(start, end);
    const decoded = HEX.test(word) ? hex(word.replace(/^0x/, "")) : isTextual(text, start) ? base64(word) : null;
    if (decoded !== null) found.push({ start, end, text: decoded });
  }
  return found;
}
