import { after, classOf, endOfRun, isSurrogate, LETTER, MARK, SPACE } from "../characters";
import { WordCache } from "../word-cache";
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
export const tokenAt = (tokens: readonly Token[], at: number): Token => tokens[at] ?? NONE;

const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/i;
const CAPITAL = /^\p{Lu}/u;

/** What is known of a token's text. */
type Known = Pick<Token, "text" | "lower" | "kind" | "capital" | "canLead">;

const known = new WordCache<Known>((text) => {
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

/** Returns the end of parts that are joined to a run. */
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

/** Returns the end of a word, a number with its parts, a line end or another character. */
function endOfToken(text: string, start: number): number {
  if (isDigit(text.charCodeAt(start))) {
    const end = afterJoints(text, endOfNumber(text, start), isNumberJoint, endOfNumber);
    return isOrdinalSign(text.charCodeAt(end)) ? end + 1 : end;
  }
  const end = endOfWord(text, start);
  return end === start ? after(text, start) : afterJoints(text, end, isWordJoint, endOfWord);
}

export function addressTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code !== 10 && !isSurrogate(code) && (classOf(code) & SPACE) !== 0) {
      at += 1;
      continue;
    }
    const end = endOfToken(text, at);
    const { text: word, lower, kind, capital, canLead } = known.get(text, at, end);
    tokens.push({ text: word, lower, start: at, end, kind, capital, canLead });
    at = end;
  }
  return tokens;
}

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
