import { remembered } from "../remembered";

/** Known categories of a word, one bit each. */
export const FIRST = 1;
export const LAST = 2;
export const COMMON = 4;
export const PLACE = 8;
export const ORGANIZATION = 16;
export const TITLE = 32;
export const PARTICLE = 64;
/** A word after a name that changes its meaning: Street, Ltd, law. */
export const TAIL = 128;
/** A person's role: colleague, tenant, owner. */
export const ROLE = 256;
/** Months, weekdays, languages and nationalities. */
export const CALENDAR = 512;
/** The boundary of the text. */
export const EDGE = 1024;
export type Lexicon = ReadonlyMap<string, number>;

export enum Shape {
  Mark,
  Digits,
  Lower,
  Initial,
  Title,
  Upper,
  Mixed,
  Line,
}

/** A word's features for the model, independent of its position. */
export interface Word {
  flags: number;
  shape: Shape;
  hash: number;
  prefix: number;
  suffix: number;
  ending: number;
  /** True when it can start a name unless it is a part of code. */
  isCandidate: boolean;
  /** Weights of the model that the sums below were computed with; null before the first computation. */
  summed: object | null;
  /** Sums of weights for features of this word alone, by its position relative to the token to label. */
  own: number;
  left: number;
  right: number;
  left2: number;
  right2: number;
}

const NO_SUMS = { summed: null, own: 0, left: 0, right: 0, left2: 0, right2: 0 };

const DIGIT = /^[0-9]/;
const STARTS_WITH_LETTER = /^\p{L}/u;
const ASCII = /^[\x20-\x7e]*$/;

/** Lower-cases a word and removes accents, as in the lexicon. */
export function fold(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return word
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("’", "'")
    .replaceAll("ı", "i")
    .replaceAll("ł", "l")
    .replaceAll("ø", "o")
    .replaceAll("đ", "d")
    .replaceAll("ß", "ss");
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

function shapeOf(text: string): Shape {
  if (text === "\n") return Shape.Line;
  if (ASCII.test(text)) return asciiShapeOf(text);
  if (!STARTS_WITH_LETTER.test(text)) return DIGIT.test(text) ? Shape.Digits : Shape.Mark;
  const lower = text.toLowerCase();
  if (text === lower) return Shape.Lower;
  if (text.length === 1) return Shape.Initial;
  if (text === text.toUpperCase()) return Shape.Upper;
  const rest = text.slice(1);
  return !text.startsWith(lower.charAt(0)) && (rest === lower.slice(1) || /['’-]/.test(rest))
    ? Shape.Title
    : Shape.Mixed;
}

function asciiShapeOf(text: string): Shape {
  let uppers = 0;
  let lowers = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 96 && code < 123) lowers += 1;
    else if (code > 64 && code < 91) uppers += 1;
  }
  const first = text.charCodeAt(0);
  const isUpper = first > 64 && first < 91;
  if (!isUpper && !(first > 96 && first < 123)) return first > 47 && first < 58 ? Shape.Digits : Shape.Mark;
  if (uppers === 0) return Shape.Lower;
  if (text.length === 1) return Shape.Initial;
  if (lowers === 0) return Shape.Upper;
  return isUpper && (uppers === 1 || lowers + uppers < text.length) ? Shape.Title : Shape.Mixed;
}

function flagsOf(folded: string, lexicon: Lexicon): number {
  const whole = lexicon.get(folded);
  if (whole !== undefined) return whole;
  if (folded.length > 3 && folded.endsWith("s") && ((lexicon.get(folded.slice(0, -1)) ?? 0) & COMMON) !== 0)
    return COMMON;
  const joint = folded.search(/['-]/);
  if (joint < 0) return 0;
  // A hyphenated name is known when its parts are.
  return (lexicon.get(folded.slice(0, joint)) ?? 0) | (lexicon.get(folded.slice(joint + 1)) ?? 0);
}

function wordOf(text: string, lexicon: Lexicon): Word {
  const folded = fold(text);
  const { length } = folded;
  const flags = flagsOf(folded, lexicon);
  const shape = shapeOf(text);
  return {
    flags,
    shape,
    isCandidate: isStart(text.length, flags, shape),
    hash: hashOf(folded, 0, length),
    prefix: hashOf(folded, 0, Math.min(3, length)),
    suffix: hashOf(folded, Math.max(0, length - 3), length),
    ending: hashOf(folded, Math.max(0, length - 2), length),
    ...NO_SUMS,
  };
}

/** The word beyond either end of a text. */
export const BOUNDARY: Word = {
  flags: EDGE,
  shape: Shape.Line,
  hash: 1,
  prefix: 0,
  suffix: 0,
  ending: 0,
  isCandidate: false,
  ...NO_SUMS,
};

const words = new WeakMap<Lexicon, (text: string) => Word>();

/** Returns a cached function that looks up a word's features. */
export function wordsFor(lexicon: Lexicon): (text: string) => Word {
  const known = words.get(lexicon) ?? remembered((text) => wordOf(text, lexicon));
  words.set(lexicon, known);
  return known;
}

export function isStart(length: number, flags: number, shape: Shape): boolean {
  if (shape === Shape.Lower)
    return length > 3 && (flags & (FIRST | LAST)) !== 0 && (flags & (COMMON | PLACE | PARTICLE | CALENDAR)) === 0;
  return shape === Shape.Initial || shape === Shape.Title || shape === Shape.Upper || shape === Shape.Mixed;
}
