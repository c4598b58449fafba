import { base64In } from "./base64";
import { base32In } from "./base32";
import { hexadecimalIn } from "./hexadecimal";
import { joinsOf, type Joined } from "./joins";
import { plainForm } from "./plain-form";
import { quotedPrintableForm } from "./quoted-printable";
import { taggedForm } from "./tag-characters";
import { composed, identity, type TextForm } from "./text-form";

/**
 * Kinds of detectors. Custom patterns and detectors of values also read text without markup and line breaks; detectors
 * of prose need whole sentences.
 */
export type Reader = "pattern" | "value" | "prose";

interface Span {
  start: number;
  end: number;
}

/** One interpretation of a text, such as its normal form or the text that it encodes. */
export interface Reading {
  text: string;
  readers: readonly Reader[];
  /** True for text without markup and line breaks: a match there counts only where no other reading has one. */
  isJoined: boolean;
  /** Encoding that the text was decoded from, as families of prompt injections name it; null for others. */
  encoding: "base64" | "hex" | null;
  /** Maps a match to the original text; null when another reading also finds it. */
  place: (start: number, end: number) => Span | null;
}

const EVERY: readonly Reader[] = ["pattern", "value", "prose"];
/** Maximum number of nested base64 or hexadecimal encodings to decode. */
const DEPTH = 2;

const written = ({ text, span }: TextForm, encoding: Reading["encoding"] = null): Reading => ({
  text,
  readers: EVERY,
  isJoined: false,
  encoding,
  place: span,
});

const joined = ({ form, isJoined }: Joined, plain: TextForm, readers: readonly Reader[]): Reading => ({
  get text() {
    return form.text;
  },
  readers,
  isJoined: true,
  encoding: null,
  place: (start, end) => {
    const span = form.span(start, end);
    return isJoined(span) ? plain.span(span.start, span.end) : null;
  },
});

const ENCODINGS = [
  ["base64", base64In],
  [null, base32In],
  ["hex", hexadecimalIn],
] as const;

/** Returns the texts that are encoded in a text, also in nested encodings, each in its normal form. */
export function decodedIn(text: string, depth = DEPTH): { form: TextForm; encoding: Reading["encoding"] }[] {
  if (depth === 0) return [];
  return ENCODINGS.flatMap(([encoding, decode]) =>
    decode(text).flatMap((decoded) => {
      const form = composed(decoded, plainForm(decoded.text));
      const inner = decodedIn(form.text, depth - 1);
      return [{ form, encoding }, ...inner.map((each) => ({ form: composed(form, each.form), encoding }))];
    }),
  );
}

/** Returns the readings of a text: the text itself, and each form that differs. Most texts have a single reading. */
export function readingsOf(text: string): Reading[] {
  const others = [taggedForm(text), quotedPrintableForm(text)].filter((form) => form !== null);
  return [...readingsIn(text), ...others.flatMap(readingsThrough)];
}

const readingsThrough = (form: TextForm): Reading[] =>
  readingsIn(form.text).map((reading): Reading => ({
    ...reading,
    place: (start, end) => {
      const span = reading.place(start, end);
      return span && form.span(span.start, span.end);
    },
  }));

function readingsIn(text: string): Reading[] {
  const plain = plainForm(text);
  const { whole, values } = joinsOf(plain.text);
  return [
    written(identity(text)),
    ...(plain.text === text ? [] : [written(plain)]),
    ...(whole ? [joined(whole, plain, ["pattern"])] : []),
    ...values.map((value) => joined(value, plain, ["pattern", "value"])),
    ...decodedIn(plain.text).map(({ form, encoding }) => written(composed(plain, form), encoding)),
  ];
}

/** Returns the shortest form of a text that any reading has: its normal form without inline markup and line breaks. */
export function condensedForm(text: string): TextForm {
  const plain = plainForm(text);
  const { whole } = joinsOf(plain.text);
  return whole ? composed(plain, whole.form) : plain;
}
