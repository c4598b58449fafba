/** A part of a text that decodes to readable text. */
export interface Decoded {
  family: string;
  start: number;
  end: number;
  text: string;
}

const SHORTEST = 8;

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

const ENCODINGS: readonly { family: string; pattern: RegExp; decode: (encoded: string) => string | null }[] = [
  { family: "base64_encoded_injection", pattern: /[A-Za-z0-9+/_-]{12,}/g, decode: base64 },
  {
    family: "hex_encoded_injection",
    pattern: /(?:[0-9A-Fa-f]{2}){10,}|(?:(?:\\x|0x|[ :,-])[0-9A-Fa-f]{2}){8,}/g,
    decode: (encoded) => hex(encoded.replace(/\\x|0x/g, "")),
  },
  {
    family: "url_encoded_injection",
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
    pattern: /(?:(?:\\u[0-9A-Fa-f]{4}|&#(?:x[0-9A-Fa-f]{2,6}|\d{2,7});) ?){8,}/g,
    decode: escaped,
  },
  { family: "rot13_encoded_injection", pattern: /[^\n]+/g, decode: rot13 },
];

/** Decodes base64, hexadecimal, percent and character escapes and ROT13, one level deep. */
export const decodings = (text: string): Decoded[] =>
  ENCODINGS.flatMap(({ family, pattern, decode }) =>
    Array.from(text.matchAll(pattern)).flatMap(({ 0: encoded, index: start }) => {
      const decoded = decode(encoded);
      return decoded === null ? [] : [{ family, start, end: start + encoded.length, text: decoded }];
    }),
  );
