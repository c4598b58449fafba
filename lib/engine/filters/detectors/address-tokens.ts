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
}

const NONE: Token = { text: "", lower: "", start: 0, end: 0, kind: "mark", capital: false };

/** Returns a token, or an empty mark beyond either end. */
export const tokenAt = (tokens: readonly Token[], at: number): Token => tokens[at] ?? NONE;

const TOKEN = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|\d[\p{L}\d]*(?:[-/][\p{L}\d]+)*[ºª°]?|\n|\S/gu;
const ORDINAL = /^\d{1,3}(?:st|nd|rd|th)$/i;
const CAPITAL = /^\p{Lu}/u;

export function addressTokens(text: string): Token[] {
  return Array.from(text.matchAll(TOKEN), (match): Token => {
    const [part] = match;
    const first = part.charCodeAt(0);
    const kind =
      part === "\n" ? "line" : first >= 48 && first <= 57 ? "number" : /^\p{L}/u.test(part) ? "word" : "mark";
    return {
      text: part,
      lower: part.toLowerCase(),
      start: match.index,
      end: match.index + part.length,
      kind,
      capital: kind === "word" ? CAPITAL.test(part) : ORDINAL.test(part),
    };
  });
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
