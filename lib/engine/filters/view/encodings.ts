import "server-only";
import { Buffer, isUtf8 } from "node:buffer";
import { unitsOf } from "../code-units";
import { longRuns } from "../long-runs";
import { base64In } from "./base64";
import { isText } from "./decoded-text";
import { base32In, hexadecimalIn } from "./digits";
import type { View } from "./view";

/** A view of readable text that is encoded in a part of a text. */
export interface Decoded extends View {
  family: string;
}

const SHORTEST = 8;

const utf8 = new TextDecoder();

/** Returns the decoded text if readable; the first bytes decide, so that images are rejected cheaply. */
function readable(bytes: Uint8Array): string | null {
  if (bytes.length < SHORTEST) return null;
  for (let at = 0; at < bytes.length && at < 64; at += 1) if (isControl(bytes[at] as number)) return null;
  return isUtf8(bytes) ? utf8.decode(bytes) : null;
}

const isControl = (byte: number) => byte < 9 || (byte > 13 && byte < 32) || byte === 127;

const hex = (digits: string) => readable(Buffer.from(digits, "hex"));
const unescaped = (encoded: string) =>
  encoded.replace(
    /\\u([0-9A-Fa-f]{4})|&#(?:x([0-9A-Fa-f]{2,6})|(\d{2,7}));/g,
    (_, unit?: string, point?: string, decimal?: string) =>
      String.fromCharCode(decimal ? Number(decimal) : parseInt(unit ?? point ?? "20", 16)),
  );
const withoutPercents = (encoded: string) =>
  encoded
    .replaceAll("+", " ")
    .replace(/%([0-7][0-9A-Fa-f])/g, (_, byte: string) => String.fromCharCode(parseInt(byte, 16)));
const ROT13_WORD = /vafgehpgvba|cebzcg|flfgrz|ehyrf|erfgevpgvba/i;
const rotated = (encoded: string) =>
  encoded.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)),
  );

/** Kinds of characters of encoded runs, as bits by code unit. */
const [HEX_DIGIT, BEFORE_PAIR] = [1, 2];
const KINDS = new Uint8Array(65536);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  KINDS[code] = (/[\dA-Fa-f]/.test(character) ? HEX_DIGIT : 0) | (/[x :,-]/.test(character) ? BEFORE_PAIR : 0);
}
/** Characters of which hexadecimal consists, with what is between the pairs. */
const IN_PAIRS = 4;
for (let code = 0; code < 128; code += 1)
  if (((KINDS[code] as number) & (HEX_DIGIT | BEFORE_PAIR)) !== 0 || code === 92)
    KINDS[code] = (KINDS[code] as number) | IN_PAIRS;

/** Length of the shortest run of hexadecimal digits to decode. */
const SHORTEST_HEX = 20;

/** True when 20 hexadecimal digits follow each other, or eight pairs with something before each. */
const hasHexadecimal = (text: string): boolean => {
  const units = unitsOf(text);
  return longRuns(text, KINDS, IN_PAIRS, SHORTEST_HEX).some(({ start, end }) => hasPairs(units, start, end));
};

function hasPairs(units: Uint16Array, start: number, end: number): boolean {
  let [digits, pairs, last] = [0, 0, 0];
  for (let at = start; at < end; at += 1) {
    const kind = KINDS[units[at] as number] as number;
    if ((kind & HEX_DIGIT) !== 0) {
      digits += 1;
      if (digits === SHORTEST_HEX) return true;
      continue;
    }
    digits = 0;
    if ((kind & BEFORE_PAIR) === 0 || !isHexDigit(units, at + 1) || !isHexDigit(units, at + 2)) continue;
    // A backslash or zero may belong to the next pair.
    pairs = at - last === 3 || at - last === 4 ? pairs + 1 : 1;
    last = at;
    if (pairs === 8) return true;
  }
  return false;
}

const isHexDigit = (units: Uint16Array, at: number) => ((KINDS[units[at] as number] as number) & HEX_DIGIT) !== 0;

const DIGIT_PAIR = /^[0-9A-Fa-f]{2}/;
const PAIRS = /(?:[0-9A-Fa-f]{2}){1,1000}/y;
const SEPARATE_PAIRS = /(?:(?:\\x|0x|[ :,-])[0-9A-Fa-f]{2}){1,1000}/y;
const PERCENTS = /(?:%[0-9A-Fa-f]{2}[\w.~+-]{0,24}){1,1000}/y;
const ESCAPES = /(?:(?:\\u[0-9A-Fa-f]{4}|&#(?:x[0-9A-Fa-f]{2,6}|\d{2,7});) ?){1,1000}/y;
const REST_OF_LINE = /[^\n]{1,10000}/y;

/** One way to encode text. */
interface Encoding {
  family: string;
  /** A condition on texts that contain it, cheaper than the pattern. */
  gate: (text: string) => boolean;
  /** Matches a run, or the beginning of one with more repetitions than V8's stack is enough for. */
  pattern: RegExp;
  /** Returns the sticky pattern that continues a match. */
  more: (encoded: string) => RegExp;
  /** Decodes the parts of a run. */
  decode: (parts: readonly string[]) => string | null;
}

const decodedBy = (parts: readonly string[], decode: (part: string) => string) => parts.map(decode).join("");

export const ENCODINGS: readonly Encoding[] = [
  {
    family: "hex_encoded_injection",
    gate: hasHexadecimal,
    pattern: /(?:[0-9A-Fa-f]{2}){10,1000}|(?:(?:\\x|0x|[ :,-])[0-9A-Fa-f]{2}){8,1000}/g,
    more: (encoded) => (DIGIT_PAIR.test(encoded) ? PAIRS : SEPARATE_PAIRS),
    decode: (parts) => hex(decodedBy(parts, (part) => part.replace(/\\x|0x|[ :,-]/g, ""))),
  },
  {
    family: "url_encoded_injection",
    gate: (text) => text.includes("%"),
    pattern: /(?:%[0-9A-Fa-f]{2}[\w.~+-]{0,24}){2,1000}/g,
    more: () => PERCENTS,
    decode: (parts) => readable(new TextEncoder().encode(decodedBy(parts, withoutPercents))),
  },
  {
    family: "escaped_injection",
    gate: (text) => text.includes("\\u") || text.includes("&#"),
    pattern: /(?:(?:\\u[0-9A-Fa-f]{4}|&#(?:x[0-9A-Fa-f]{2,6}|\d{2,7});) ?){8,1000}/g,
    more: () => ESCAPES,
    decode: (parts) => decodedBy(parts, unescaped),
  },
  {
    family: "rot13_encoded_injection",
    gate: (text) => ROT13_WORD.test(text),
    pattern: /[^\n]{1,10000}/g,
    more: () => REST_OF_LINE,
    decode: (parts) => (ROT13_WORD.test(parts.join("")) ? decodedBy(parts, rotated) : null),
  },
];

/** Finds the runs of an encoding; each is decoded in parts. */
function* runsIn(
  text: string,
  { pattern, more }: Encoding,
): Generator<{ start: number; end: number; parts: string[] }> {
  for (let end = 0; ;) {
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    if (!match) return;
    const start = match.index;
    const parts = [match[0]];
    const next = more(match[0]);
    end = pattern.lastIndex;
    for (next.lastIndex = end; next.test(text); end = next.lastIndex) parts.push(text.slice(end, next.lastIndex));
    yield { start, end, parts };
  }
}

/** Decodes base64, hexadecimal, percent and character escapes and ROT13, one level deep. */
export function decodings(text: string): Decoded[] {
  const found: Decoded[] = [];
  for (const view of base64In(text)) found.push({ family: "base64_encoded_injection", ...view });
  for (const encoding of ENCODINGS)
    if (encoding.gate(text))
      for (const { start, end, parts } of runsIn(text, encoding)) {
        const decoded = encoding.decode(parts);
        if (decoded !== null && isText(decoded))
          found.push({ family: encoding.family, ...wholeOf(start, end, decoded) });
      }
  return found;
}

/** A view whose characters all stand for the same part of the text. */
const wholeOf = (start: number, end: number, text: string): View => ({ text, span: () => ({ start, end }) });

/** Decodes words of base64 and base32, and hexadecimal digits in words and groups, one level deep. */
export const packings = (text: string): View[] => [...base64In(text), ...base32In(text), ...hexadecimalIn(text)];
