import { isCapital, isDigits, isMark, isRegion, isSmall, tokenAt, type Token, type Tokens } from "./address-tokens";

/** A postcode and its context, as a half-open range of tokens. */
export interface Postcode {
  from: number;
  to: number;
  /** True when the postcode alone identifies an address, without a house number. */
  certain: boolean;
}

const OUTWARD = /^[a-z]{1,2}\d[a-z\d]?$/i;
const INWARD = /^\d[a-z]{2}$/i;
const CANADIAN_START = /^[a-z]\d[a-z]$/i;
const CANADIAN_END = /^\d[a-z]\d$/i;
const HYPHENED = /^(?:\d{5}-\d{4}|\d{5}-\d{3}|\d{4}-\d{3}|\d{3}-\d{4}|\d{2}-\d{3})$/;

/** Joins adjacent letter and digit tokens: reads SW1A as one. */
function joined(tokens: Tokens, at: number): { text: string; next: number } {
  let next = at;
  let text = "";
  while (
    tokens.at(next) !== undefined &&
    text.length < 5 &&
    tokenAt(tokens, next).kind !== "mark" &&
    tokenAt(tokens, next).kind !== "line" &&
    (next === at || tokenAt(tokens, next).start === tokenAt(tokens, next - 1).end)
  ) {
    text += tokenAt(tokens, next).text;
    next++;
  }
  return { text, next };
}

/** Returns the end of a town name: up to four capitalized words with small words between them. */
export function afterTown(tokens: Tokens, at: number): number {
  let next = at;
  let end = at;
  for (let words = 0; tokens.at(next) !== undefined && words < 4; next++) {
    const token = tokenAt(tokens, next);
    if (isCapital(token) && token.kind === "word") {
      words++;
      end = next + 1;
    } else if (!isSmall(token) && !(isMark(token, ".") && end === next)) break;
  }
  return end;
}

/** Lower-case words that aren't abbreviations of states: 14 on 62270. */
const WORD = new Set("in or on me hi ok oh de la id al ma pa co as mo ga ca ne de".split(" "));
const isState = (token: Token | undefined) => isRegion(token) && !(token !== undefined && WORD.has(token.text));

const isSeparator = (token: Token | undefined) =>
  token === undefined || token.kind === "line" || isMark(token, ",-–;") || token.lower === "in";

/** Returns the postcode that starts at a token, if any. */
export function postcodeAt(tokens: Tokens, at: number): Postcode | null {
  const token = tokenAt(tokens, at);
  const right = tokens.at(at + 1);
  const left = tokens.at(at - 1);
  if (token.kind === "word" && token.lower.length <= 2) {
    const outward = joined(tokens, at);
    const inward = joined(tokens, outward.next);
    if (OUTWARD.test(outward.text) && INWARD.test(inward.text)) return { from: at, to: inward.next, certain: true };
    if (CANADIAN_START.test(outward.text) && CANADIAN_END.test(inward.text))
      return { from: at, to: inward.next, certain: true };
  }
  if (token.kind !== "number") return null;
  const town = afterTown(tokens, at + 1);
  if (isState(left) && (isDigits(token, 5) || /^\d{5}-\d{4}$/.test(token.text)))
    return { from: at, to: at + 1, certain: true };
  if (isRegion(left) && isDigits(token, 4) && left?.text === left?.lower.toUpperCase())
    return { from: at, to: at + 1, certain: true };
  if (isDigits(token, 4) && right?.kind === "word" && /^[A-Z]{2}$/.test(right.text)) {
    const after = afterTown(tokens, at + 2);
    if (after > at + 2) return { from: at, to: after, certain: false };
  }
  if (isSeparator(left) && isDigits(token, 4, 5) && town > at + 1) return { from: at, to: town, certain: false };
  if (isSeparator(left) && isDigits(token, 3) && isDigits(right, 2) && afterTown(tokens, at + 2) > at + 2)
    return { from: at, to: afterTown(tokens, at + 2), certain: false };
  if (HYPHENED.test(token.text)) return { from: at, to: town, certain: false };
  if (isDigits(token, 6) && (isCapital(left) || isMark(left, ",-–"))) return { from: at, to: at + 1, certain: false };
  if (isDigits(token, 3) && isDigits(right, 3) && (isCapital(left) || isMark(left, ",-–")))
    return { from: at, to: at + 2, certain: false };
  return null;
}
