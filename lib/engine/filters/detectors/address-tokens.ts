import { after, before, classAt, classOf, endOfRun, isSurrogate, LETTER, MARK, SPACE } from "../characters";
import { remembered } from "../remembered";
import {
  DIRECTIONS,
  REGIONS,
  SIDES,
  SMALL,
  STREETS_ALONE,
  STREET_ENDING,
  STREET_WORDS,
  TYPES_AFTER,
  TYPES_BEFORE,
  UNITS,
  NUMBERED,
} from "./address-words";

export interface Token {
  text: string;
  lower: string;
  start: number;
  end: number;
  kind: "word" | "number" | "mark" | "line";
  /** True for a capitalized word or an ordinal. */
  capital: boolean;
  /** True when a street with its house number can start, or have its type, here. */
  canLead: boolean;
}

const NONE: Token = { text: "", lower: "", start: 0, end: 0, kind: "mark", capital: false, canLead: false };

/** Returns a token, or an empty mark beyond either end. */
export const tokenAt = (tokens: Tokens, at: number): Token => tokens.at(at) ?? NONE;

const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/i;
const CAPITAL = /^\p{Lu}/u;

/** The properties of a token that depend on its text alone. */
type Known = Pick<Token, "text" | "lower" | "kind" | "capital" | "canLead">;

const knownOf = remembered((text): Known => {
  const first = text.charCodeAt(0);
  const kind = text === "\n" ? "line" : isDigit(first) ? "number" : /^\p{L}/u.test(text) ? "word" : "mark";
  const lower = text.toLowerCase();
  const capital = kind === "word" ? CAPITAL.test(text) : ORDINAL.test(text);
  const token: Token = { text, lower, kind, capital, start: 0, end: 0, canLead: false };
  const canLead =
    kind === "number" ||
    (kind === "word" && (isStreet(token) || isStreetWord(token) || isTypeBefore(token) || text === "C"));
  return { text, lower, kind, capital, canLead };
});

const isDigit = (code: number) => code >= 48 && code <= 57;
const isWordJoint = (code: number) => code === 39 || code === 8217 || code === 45;
const isNumberJoint = (code: number) => code === 45 || code === 47;
const isOrdinalSign = (code: number) => code === 0xba || code === 0xaa || code === 0xb0;

/** Returns the end of a run of letters and digits. */
function endOfNumber(text: string, from: number): number {
  let at = from;
  for (;;) {
    const end = endOfRun(text, at, LETTER);
    if (!isDigit(text.charCodeAt(end))) return end;
    at = end + 1;
  }
}

/** Returns the end of the parts that joints, such as hyphens, attach to the run before `from`. */
function afterJoints(
  text: string,
  from: number,
  isJoint: (code: number) => boolean,
  endOfPart: (text: string, from: number) => number,
): number {
  let end = from;
  while (isJoint(text.charCodeAt(end))) {
    const more = endOfPart(text, end + 1);
    if (more === end + 1) break;
    end = more;
  }
  return end;
}

const endOfWord = (text: string, from: number) => endOfRun(text, from, LETTER | MARK);

/** Returns the end of the token at `start`: a word, a number with its parts, a line break or another character. */
export function endOfToken(text: string, start: number): number {
  if (isDigit(text.charCodeAt(start))) {
    const end = afterJoints(text, endOfNumber(text, start), isNumberJoint, endOfNumber);
    return isOrdinalSign(text.charCodeAt(end)) ? end + 1 : end;
  }
  const end = endOfWord(text, start);
  return end === start ? after(text, start) : afterJoints(text, end, isWordJoint, endOfWord);
}

/** True for a word that can start a street or name its type. */
export const isLead = (text: string, start: number, end: number): boolean => knownOf(text.slice(start, end)).canLead;

const isBlank = (code: number) => code !== 10 && !isSurrogate(code) && (classOf(code) & SPACE) !== 0;

/** True for characters that can be part of a token of several characters. */
const isJoined = (text: string, at: number) => {
  const code = text.charCodeAt(at);
  return (
    isDigit(code) ||
    isWordJoint(code) ||
    isNumberJoint(code) ||
    isOrdinalSign(code) ||
    (classAt(text, at) & (LETTER | MARK)) !== 0
  );
};

/** The tokens of a text, read on demand in both directions from an origin. */
export class Tokens {
  #right: Token[] = [];
  #left: Token[] = [];
  #low = 0;
  #high = 0;

  constructor(private readonly text: string) {}

  /**
   * Moves to the token at `start`, and returns its index. Near the tokens read so far, these are retained; otherwise,
   * the token becomes the origin.
   */
  moveTo(start: number): number {
    if (this.#high > 0 && this.#isNear(start)) {
      let place = this.#right.length - 1;
      while (place > 0 && (this.#right[place] as Token).start > start) place -= 1;
      while ((this.at(place)?.start ?? Infinity) < start) place += 1;
      return place;
    }
    this.#right = [];
    this.#left = [];
    this.#low = start;
    this.#high = start;
    return 0;
  }

  /** Returns a token by its distance from the origin; undefined beyond either end. */
  at(place: number): Token | undefined {
    while (this.#right.length <= place) if (!this.#readRight()) return undefined;
    while (this.#left.length < -place) if (!this.#readLeft()) return undefined;
    return place < 0 ? this.#left[-1 - place] : this.#right[place];
  }

  /** True for a position within `NEAR` of the last token read, or without a blank between. */
  #isNear(start: number): boolean {
    if (start - this.#high < NEAR) return true;
    for (let at = this.#high; at < start; at += 1) if (isBlank(this.text.charCodeAt(at))) return false;
    return true;
  }

  #token(start: number, end: number): Token {
    const { text, lower, kind, capital, canLead } = knownOf(this.text.slice(start, end));
    return { text, lower, start, end, kind, capital, canLead };
  }

  #readRight(): boolean {
    const { text } = this;
    while (this.#high < text.length && isBlank(text.charCodeAt(this.#high))) this.#high += 1;
    if (this.#high >= text.length) return false;
    const end = endOfToken(text, this.#high);
    this.#right.push(this.#token(this.#high, end));
    this.#high = end;
    return true;
  }

  /** Reads the adjacent tokens before `#low` together, since the end of a token is only known from its start. */
  #readLeft(): boolean {
    const { text } = this;
    while (this.#low > 0 && isBlank(text.charCodeAt(this.#low - 1))) this.#low -= 1;
    if (this.#low === 0) return false;
    let from = before(text, this.#low);
    if (isJoined(text, from)) {
      while (from > 0) {
        const start = before(text, from);
        if (!isJoined(text, start)) break;
        from = start;
      }
    }
    const read: Token[] = [];
    for (let at = from; at < this.#low;) {
      const end = endOfToken(text, at);
      read.push(this.#token(at, end));
      at = end;
    }
    for (const token of read.reverse()) this.#left.push(token);
    this.#low = from;
    return true;
  }
}

/** Distance to a new position, in UTF-16 code units, below which the tokens in between are read, too. */
const NEAR = 64;

const HOUSE = /^\d{1,5}[a-z]?(?:[-/]\d{0,4}[a-z]?){0,3}[ºª°]?$/i;

export const isMark = (token: Token | undefined, marks: string) => token?.kind === "mark" && marks.includes(token.text);
export const isHouse = (token: Token | undefined) => token?.kind === "number" && HOUSE.test(token.text);
export const isDigits = (token: Token | undefined, ...lengths: number[]) =>
  token?.kind === "number" && lengths.includes(token.text.length) && /^\d+$/.test(token.text);
export const isCapital = (token: Token | undefined) => token?.capital === true;
export const isSmall = (token: Token | undefined) => token !== undefined && SMALL.has(token.lower);
export const isTypeAfter = (token: Token | undefined) => token !== undefined && TYPES_AFTER.has(token.lower);
export const isTypeBefore = (token: Token | undefined) => token !== undefined && TYPES_BEFORE.has(token.lower);
export const isStreetAlone = (token: Token | undefined) => token?.capital === true && STREETS_ALONE.has(token.lower);
/** True for Hauptstraße; false for Straße alone, which needs a name before it. */
export const isStreet = (token: Token | undefined) =>
  token?.capital === true &&
  token.lower.length > 5 &&
  !STREET_WORDS.has(token.lower) &&
  token.lower !== "during" &&
  STREET_ENDING.test(token.lower);
export const isStreetWord = (token: Token | undefined) => token !== undefined && STREET_WORDS.has(token.lower);
export const isUnit = (token: Token | undefined) => token !== undefined && UNITS.has(token.lower);
export const isSide = (token: Token | undefined) => token !== undefined && SIDES.has(token.lower);
export const isDirection = (token: Token | undefined) =>
  token !== undefined && DIRECTIONS.has(token.lower) && token.capital;
export const isRegion = (token: Token | undefined) => token !== undefined && REGIONS.has(token.lower);
export const isNumbered = (token: Token | undefined) => token !== undefined && NUMBERED.has(token.lower);
