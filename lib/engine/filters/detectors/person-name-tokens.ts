import { after, classAt, classOf, endOfRun, isSurrogate, LETTER, MARK, SPACE } from "../characters";
import { unitsOf } from "../code-units";
import { BOUNDARY, EDGE, FIRST, LAST, PARTICLE, Shape, wordsFor, type Lexicon, type Word } from "./person-name-words";

/** Flag of a word that is part of an identifier, a path, a tag or a call. */
const CODE = 2048;

const APOSTROPHE = 39;
const HYPHEN = 45;
const TYPOGRAPHIC = 8217;
const NEW_LINE = 10;

export interface Token {
  word: Word;
  /** The flags of the word, and possibly `CODE`. */
  flags: number;
  start: number;
  end: number;
  /** Adjacent characters; 0 for white space and text boundaries. */
  before: number;
  after: number;
}

/** The token beyond either end of a text. */
export const OUTSIDE: Token = {
  word: BOUNDARY,
  flags: EDGE,
  start: 0,
  end: 0,
  before: 0,
  after: 0,
};

const isSpace = (code: number) => code <= 32 || code === 160;

const INNER_CAPITAL = /^(?:Ma?c|D[aeiu]|L[aeou]|Van|Ver|Fitz|St|O|Al|El|Del|Della|Ben|Ter)\p{Lu}\p{Ll}+$/u;
const NAME_FIELD =
  /(?:^|[^\p{L}])(?:(?:first|last|full|display|given|family|sur|user)?[_ -]?name|author|owner|customer|contact|patient|employee)["']?=["'+]?$/iu;
export const CODE_BEFORE = "_$\\`<@#|~^=/&";
export const CODE_AFTER = "_$\\`@=/([{<";

/** Kinds of ASCII characters, as bits; units of other scripts have none. */
const [ASCII_LETTER, ASCII_DIGIT, MARKS_BEFORE, MARKS_AFTER] = [1, 2, 4, 8];
const KINDS = new Uint8Array(65536);
KINDS.fill(ASCII_LETTER, 65, 91);
KINDS.fill(ASCII_LETTER, 97, 123);
KINDS.fill(ASCII_DIGIT, 48, 58);
for (const [marks, kind] of [
  [CODE_BEFORE, MARKS_BEFORE],
  [CODE_AFTER, MARKS_AFTER],
] as const)
  for (const mark of marks) KINDS[mark.charCodeAt(0)] = (KINDS[mark.charCodeAt(0)] as number) | kind;

const kindAt = (units: Uint16Array, at: number): number => (at < 0 ? 0 : (KINDS[units[at] as number] as number));
const isLetterUnit = (units: Uint16Array, at: number): boolean =>
  at >= 0 && (classOf(units[at] as number) & LETTER) !== 0;

/** True for a letter, a digit or an underscore. */
const isPart = (units: Uint16Array, at: number): boolean =>
  isLetterUnit(units, at) || isDigit(units[at] as number) || units[at] === UNDERSCORE;

const [UNDERSCORE, COLON, DOT, SLASH, EQUALS, OPENING, CLOSING, BRACKET] = [95, 58, 46, 47, 61, 40, 41, 93];

/** True for words that adjacent characters or inner capitals mark as a part of code, a path or an identifier. */
function isCode(text: string, units: Uint16Array, start: number, end: number, shape: Shape): boolean {
  if (shape === Shape.Mixed && !INNER_CAPITAL.test(text.slice(start, end))) return true;
  const before = kindAt(units, start - 1);
  const after = kindAt(units, end);
  if ((after & MARKS_AFTER) !== 0 || ((before | after) & ASCII_DIGIT) !== 0) return true;
  const unit = start > 0 ? units[start - 1] : 0;
  if ((before & MARKS_BEFORE) !== 0)
    return unit !== EQUALS || !NAME_FIELD.test(text.slice(Math.max(0, start - 24), start));
  if (unit === OPENING || unit === DOT) {
    // J.Smith, Dr.Smith
    const isInitial = unit === DOT && (!isLetterUnit(units, start - 3) || !isLetterUnit(units, start - 4));
    const near = units[start - 2];
    if ((isPart(units, start - 2) || near === CLOSING || near === BRACKET) && !isInitial) return true;
  }
  return (
    (units[end] === DOT && end - start > 2 && isPart(units, end + 1)) ||
    (units[end] === COLON && (isPart(units, end + 1) || units[end + 1] === COLON || units[end + 1] === SLASH))
  );
}

/** Returns the end of the token at `start`: a word with its parts, a number, a line break or another character. */
export function endOfToken(text: string, start: number): number {
  const kind = classAt(text, start);
  if ((kind & (LETTER | MARK)) === 0) {
    let end = after(text, start);
    if (isDigit(text.charCodeAt(start))) while (isDigit(text.charCodeAt(end))) end += 1;
    return end;
  }
  let end = endOfRun(text, start, LETTER | MARK);
  for (let joint = text.charCodeAt(end); isJoint(joint); joint = text.charCodeAt(end)) {
    const more = endOfRun(text, end + 1, LETTER | MARK);
    if (more === end + 1) break;
    end = more;
  }
  return end;
}

const isDigit = (code: number) => code >= 48 && code <= 57;
export const isJoint = (code: number) => code === APOSTROPHE || code === TYPOGRAPHIC || code === HYPHEN;

/** True for a token that ends with a possessive 's. */
function isPossessive(units: Uint16Array, start: number, end: number): boolean {
  const mark = units[end - 2];
  return end - start > 2 && (mark === APOSTROPHE || mark === TYPOGRAPHIC) && ((units[end - 1] as number) | 32) === 115;
}

/** Returns the start of the token that ends at `end`, before a possessive 's is separated. */
function startOfToken(text: string, end: number): number {
  let start = startOfCharacter(text, end);
  if (isDigit(text.charCodeAt(start))) {
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start -= 1;
    return start;
  }
  if (!isLetterAt(text, start)) return start;
  for (;;) {
    start = startOfLetters(text, start);
    if (start < 2 || !isJoint(text.charCodeAt(start - 1))) return start;
    const before = startOfCharacter(text, start - 1);
    if (!isLetterAt(text, before)) return start;
    start = before;
  }
}

export const isLetterAt = (text: string, at: number) => (classAt(text, at) & (LETTER | MARK)) !== 0;

function startOfLetters(text: string, from: number): number {
  let start = from;
  while (start > 0) {
    const before = startOfCharacter(text, start);
    if (!isLetterAt(text, before)) break;
    start = before;
  }
  return start;
}

/** Returns the start of the code point that ends at `end`. */
const startOfCharacter = (text: string, end: number) =>
  end > 1 && isSurrogate(text.charCodeAt(end - 1)) && (text.codePointAt(end - 2) as number) > 0xffff
    ? end - 2
    : end - 1;

const isBlank = (code: number) => code !== NEW_LINE && !isSurrogate(code) && (classOf(code) & SPACE) !== 0;

/**
 * The words, numbers, marks and line breaks of a text, read on demand in both directions from an origin. A possessive
 * 's is a separate token; tokens beyond either end are `OUTSIDE`. Token objects are reused after `moveTo`.
 */
export class Tokens {
  readonly #wordOf: (text: string) => Word;
  readonly #units: Uint16Array;
  readonly #right: Token[] = [];
  readonly #left: Token[] = [];
  #rightCount = 0;
  #leftCount = 0;
  #low = 0;
  #high = 0;

  constructor(
    private readonly text: string,
    lexicon: Lexicon,
  ) {
    this.#wordOf = wordsFor(lexicon);
    this.#units = unitsOf(text);
  }

  /** The end of the last token that was read. */
  get end(): number {
    return this.#high;
  }

  /** Moves to the token at `start`, which becomes the origin. */
  moveTo(start: number): void {
    this.#rightCount = 0;
    this.#leftCount = 0;
    this.#low = start;
    this.#high = start;
  }

  /** Returns a token by its distance from the origin. */
  at(place: number): Token {
    if (place >= 0) {
      while (this.#rightCount <= place) if (!this.#readRight()) return OUTSIDE;
      return this.#right[place] as Token;
    }
    while (this.#leftCount < -place) if (!this.#readLeft()) return OUTSIDE;
    return this.#left[-1 - place] as Token;
  }

  #readRight(): boolean {
    const { text } = this;
    const units = this.#units;
    let start = this.#high;
    while (start < text.length && isBlank(units[start] as number)) start += 1;
    this.#high = start;
    if (start >= text.length) return false;
    let end = start;
    while (KINDS[units[end] as number] === ASCII_LETTER) end += 1;
    const next = units[end] as number;
    if (end === start || next > 127 || isJoint(next)) end = endOfToken(text, start);
    const middle = isPossessive(units, start, end) ? end - 2 : end;
    this.#put(this.#right, this.#rightCount++, start, middle);
    if (middle < end) this.#put(this.#right, this.#rightCount++, middle, end);
    this.#high = end;
    return true;
  }

  #readLeft(): boolean {
    const { text } = this;
    const units = this.#units;
    let end = this.#low;
    while (end > 0 && isBlank(units[end - 1] as number)) end -= 1;
    this.#low = end;
    if (end === 0) return false;
    let start = end;
    while (start > 0 && KINDS[units[start - 1] as number] === ASCII_LETTER) start -= 1;
    const before = start > 0 ? (units[start - 1] as number) : 0;
    if (start === end || before > 127 || isJoint(before)) start = startOfToken(text, end);
    const middle = isPossessive(units, start, end) ? end - 2 : end;
    if (middle < end) this.#put(this.#left, this.#leftCount++, middle, end);
    this.#put(this.#left, this.#leftCount++, start, middle);
    this.#low = start;
    return true;
  }

  #put(tokens: Token[], place: number, start: number, end: number): void {
    const units = this.#units;
    const token = (tokens[place] ??= { ...OUTSIDE });
    const word = this.#wordOf(this.text.slice(start, end));
    const { flags, shape } = word;
    const before = start > 0 ? (units[start - 1] as number) : 0;
    const next = units[end] as number;
    const canBeName =
      shape === Shape.Lower ? (flags & (FIRST | LAST)) !== 0 : shape > Shape.Lower && shape < Shape.Line;
    token.flags = canBeName && isCode(this.text, units, start, end, shape) ? flags | CODE : flags;
    token.word = word;
    token.start = start;
    token.end = end;
    token.before = isSpace(before) ? 0 : before;
    token.after = isSpace(next) ? 0 : next;
  }
}

/** Reads all words, numbers, marks and line breaks of a text. */
export function tokensOf(text: string, lexicon: Lexicon): Token[] {
  const tokens = new Tokens(text, lexicon);
  const all: Token[] = [];
  for (let token = tokens.at(0); token !== OUTSIDE; token = tokens.at(all.length)) all.push(token);
  return all;
}

/** True for tokens that can start a name; others are classified only inside one. */
export const canStart = (token: Token): boolean => token.word.isCandidate && (token.flags & CODE) === 0;

/** True for marks, particles and lower-case names, which can continue a name. */
export function canContinue(token: Token, text: string): boolean {
  if (token.word.shape === Shape.Lower) return (token.flags & (PARTICLE | FIRST | LAST)) !== 0;
  if (token.word.shape !== Shape.Mark) return false;
  const mark = text.charAt(token.start);
  return mark === "." || mark === "," || mark === "/";
}
