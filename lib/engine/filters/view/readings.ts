import { packings } from "./encodings";
import { joinsOf, type Counts, type Joined } from "./joins";
import { plainView, taggedView } from "./plain-view";
import { quotedPrintableView } from "./quoted-printable";
import { composed, type View } from "./view";

/** Detectors of values also read text without markup and line breaks; detectors of prose need its sentences. */
export type Reader = "pattern" | "value" | "prose";

interface Span {
  start: number;
  end: number;
}

/** One way to read a text. */
export interface Reading {
  text: string;
  readers: readonly Reader[];
  /** True for text that is written apart: a match there counts only where no other reading finds one. */
  isJoined: boolean;
  /** The largest numbers of characters that the text may have; null when they weren't counted. */
  most: Counts | null;
  /** Maps a match to the text; null when another reading finds it as well. */
  place: (start: number, end: number) => Span | null;
}

const EVERY: readonly Reader[] = ["pattern", "value", "prose"];
/** Maximum number of nested base64 or hexadecimal encodings to decode. */
const DEPTH = 2;

const joined = (
  { view, isJoined, most = null }: Omit<Joined, "most"> & { most?: Counts | null },
  plain: View,
  readers: readonly Reader[],
): Reading => ({
  get text() {
    return view.text;
  },
  readers,
  isJoined: true,
  most,
  place: (start, end) => {
    const span = view.span(start, end);
    return isJoined(span) ? plain.span(span.start, span.end) : null;
  },
});

function packed(text: string, depth: number): View[] {
  return packings(text).flatMap((decoded) => {
    const plain = composed(decoded, plainView(decoded.text));
    const inner = depth > 1 ? packed(plain.text, depth - 1) : [];
    return [plain, ...inner.map((each) => composed(plain, each))];
  });
}

/** Returns the ways to read a text: as it is, and each form in which it differs. Most texts have a single reading. */
export function readingsOf(text: string): Reading[] {
  const others = [taggedView(text), quotedPrintableView(text)].filter((view) => view !== null);
  return [...readingsIn(text), ...others.flatMap(readingsThrough)];
}

const readingsThrough = (view: View): Reading[] =>
  readingsIn(view.text).map((reading): Reading => ({
    ...reading,
    place: (start, end) => {
      const span = reading.place(start, end);
      return span && view.span(span.start, span.end);
    },
  }));

function readingsIn(text: string): Reading[] {
  const plain = plainView(text);
  const { whole, values } = joinsOf(plain.text);
  return [
    { text, readers: EVERY, isJoined: false, most: null, place: (start, end) => ({ start, end }) },
    ...(plain.text === text
      ? []
      : [{ text: plain.text, readers: EVERY, isJoined: false, most: null, place: plain.span }]),
    ...(whole ? [joined(whole, plain, ["pattern"])] : []),
    ...values.map((value) => joined(value, plain, ["pattern", "value"])),
    ...packed(plain.text, DEPTH).map((each): Reading => {
      const { text: readable, span } = composed(plain, each);
      return { text: readable, readers: EVERY, isJoined: false, most: null, place: span };
    }),
  ];
}
