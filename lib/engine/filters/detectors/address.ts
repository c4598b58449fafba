import type { Detection, Detector } from "../detector";
import { blocksIn } from "./address-blocks";
import { addressOutline, type AddressOutline } from "./address-outline";
import { nationalAddressesIn } from "./address-national";
import { afterTown, postcodeAt } from "./address-postcode";
import { streetAt } from "./address-street";
import {
  isCapital,
  isDigits,
  isDirection,
  isHouse,
  isMark,
  isRegion,
  isSide,
  isSmall,
  isStreetWord,
  isTypeAfter,
  isTypeBefore,
  isUnit,
  tokenAt,
  Tokens,
  type Token,
} from "./address-tokens";

/** Maximum number of tokens an address extends to each side of its anchor; bounds the work per token. */
const REACH = 32;

const BOX =
  /\b(?:p\.? ?o\.? ?box|gpo box|post office box|private bag|locked bag|postfach|bo[iî]te postale|bp|apartado(?: de correos| postal)?|casella postale|postbus|caixa postal|skrytka pocztowa)[ :#]{0,3}(?:n[ºo°]\.? ?)?\d{1,4}(?:[ ]?\d{2,3}){0,2}\b(?![/.:]\d| ?(?:%|mm ?hg|over \d))/gi;

/** Returns the index after the flat, floor or block that starts at a token; `at` if there is none. */
function afterUnit(tokens: Tokens, at: number): number {
  let next = at;
  if (isMark(tokens.at(next), "#")) return isHouse(tokens.at(next + 1)) ? next + 2 : at;
  if (isHouse(tokens.at(next)) || isCapital(tokens.at(next))) {
    const after = isMark(tokens.at(next + 1), ".ºª°") ? next + 2 : next + 1;
    if (isSide(tokens.at(after))) return after + 1;
    if (tokenAt(tokens, next).kind === "number" && /[ºª]$/.test(tokenAt(tokens, next).text)) return after;
  }
  if (isSide(tokens.at(next)) && !isHouse(tokens.at(next + 1))) return next + 1;
  if (!isUnit(tokens.at(next))) return at;
  next++;
  if (isMark(tokens.at(next), ".")) next++;
  if (isMark(tokens.at(next), "#")) next++;
  const value = tokenAt(tokens, next);
  if (!(isHouse(value) || /^\p{Lu}(?:-?\d*)$/u.test(value.text))) return at;
  next++;
  // B-204, 4th
  if (isMark(tokens.at(next), "-") && isHouse(tokens.at(next + 1))) next += 2;
  return isHouse(tokens.at(next)) && tokenAt(tokens, next).start === value.end ? next + 1 : next;
}

/** Returns the index after a lower-case town with its postcode, such as `reading rg4 8tt`; `at` if there is none. */
function afterPlainTown(tokens: Tokens, at: number): number {
  for (let next = at; next < at + 5 && (tokens.at(next)?.kind === "word" || isMark(tokens.at(next), ",")); next++) {
    const code = postcodeAt(tokens, tokens.at(next + 1) ? next + 1 : next);
    if (code?.certain) return code.to;
  }
  return at;
}

/** Extends an address to the right: flat, town, region, postcode and country, separated by commas or line breaks. */
function extendRight(tokens: Tokens, from: number): number {
  let to = from;
  const isWithin = (place: number) => place < from + REACH && tokens.at(place) !== undefined;
  while (isWithin(to)) {
    let next = to;
    const comma = isMark(tokens.at(next), ",") || (isMark(tokens.at(next), "-–(") && isWithin(next + 1));
    if (comma) next++;
    const line = tokens.at(next)?.kind === "line";
    if (line) next++;
    if (!tokens.at(next)) break;
    const unit = afterUnit(tokens, next);
    if (unit > next) {
      to = unit;
      continue;
    }
    const code = postcodeAt(tokens, next);
    if (code) {
      to = code.to;
      continue;
    }
    const town = afterTown(tokens, next);
    if (town === next) {
      const plain = comma ? afterPlainTown(tokens, next) : next;
      if (plain === next) break;
      to = plain;
      continue;
    }
    let end = town;
    if (isMark(tokens.at(end), ",") && isRegion(tokens.at(end + 1))) end += 2;
    const tail = tokens.at(end) ? postcodeAt(tokens, end) : null;
    const numbered = isDigits(tokens.at(end), 1, 2, 4, 5, 6);
    // Without a comma, a capitalized word belongs only if it leads to a postcode or a region.
    if ((!comma || line) && !tail && !isRegion(tokens.at(end - 1))) break;
    to = tail ? tail.to : numbered && comma ? end + 1 : end;
    if (tokens.at(to)?.text === ")" && tokens.at(to - 2)?.text === "(") to++;
  }
  return to;
}

const belongs = (token: Token) =>
  isCapital(token) ||
  isHouse(token) ||
  isSmall(token) ||
  isUnit(token) ||
  isSide(token) ||
  isDirection(token) ||
  isTypeBefore(token) ||
  isTypeAfter(token) ||
  isStreetWord(token) ||
  isMark(token, ".#/-–'’°º");

/** Extends an address to the left of `from`, across commas and lines that contain a number. */
function extendLeft(tokens: Tokens, from: number): number {
  let at = from;
  const limit = from - REACH;
  let begin = from;
  while (at > limit && tokens.at(at - 1)) {
    const token = tokenAt(tokens, at - 1);
    if (isMark(token, ",") || (isMark(token, "-–") && at - 2 >= limit && tokens.at(at - 2) !== undefined)) at--;
    else if (token.kind === "line") {
      let lineStart = at - 1;
      while (lineStart > limit && tokens.at(lineStart - 1) && tokenAt(tokens, lineStart - 1).kind !== "line")
        lineStart--;
      if (!between(tokens, lineStart, at - 1).some(isHouse)) break;
      at--;
    } else if (belongs(token)) {
      at--;
      if (!isSmall(token) && token.kind !== "mark") begin = at;
    } else break;
  }
  return begin;
}

const between = (tokens: Tokens, from: number, to: number): Token[] =>
  Array.from({ length: to - from }, (_, place) => tokenAt(tokens, from + place));

function spanOf(tokens: Tokens, from: number, to: number): Detection {
  return { start: tokenAt(tokens, from).start, end: tokenAt(tokens, to - 1).end };
}

/** Merges overlapping and adjacent spans, in ascending order. */
function merged(spans: readonly Detection[]): Detection[] {
  const result: Detection[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push(span);
  }
  return result;
}

/**
 * Detects postal addresses: a street with its number, a PO box, or a postcode with its town. Countries:
 * bench/filter-accuracy.md#addresses-by-country.
 */
export const detectAddress: Detector = (text) => (/\d/.test(text) ? addressesIn(text, addressOutline(text)) : []);

/** The name of a street or town; lists of numbers have none. */
const HAS_NAME = /\p{L}{2}|\p{Lo}|\p{L}\d/u;

/** Finds the addresses at the offsets of an outline. */
export function addressesIn(text: string, outline: AddressOutline): Detection[] {
  const tokens = new Tokens(text);
  const found: Detection[] = [];
  for (const start of outline.starts) {
    const at = tokens.moveTo(start);
    const token = tokenAt(tokens, at);
    const street = token.canLead ? streetAt(tokens, at) : null;
    if (street) found.push(spanOf(tokens, unitBefore(tokens, street.from), extendRight(tokens, street.to)));
    const code = canBeCode(token, tokens.at(at + 1)) ? postcodeAt(tokens, at) : null;
    if (code) {
      const from = extendLeft(tokens, code.from);
      const lead = between(tokens, from, code.from);
      const places = lead.filter((token) => isMark(token, ",") || token.kind === "line").length;
      if (lead.some(isHouse) || (code.certain && places >= 2)) found.push(spanOf(tokens, from, code.to));
    }
  }
  if (outline.boxes.length > 0) found.push(...boxesIn(text, outline.boxes));
  return merged([...found, ...blocksIn(text, outline), ...nationalAddressesIn(text, outline)]).filter(
    ({ start, end }) => HAS_NAME.test(text.slice(start, end)),
  );
}

/** Maximum number of characters, before and after the start of a word for a box, that `BOX` examines. */
const [BEFORE_BOX, AFTER_BOX] = [20, 64];

/** @param words Starts of words for a PO box, ascending. */
function boxesIn(text: string, words: readonly number[]): Detection[] {
  const found: { start: number; end: number }[] = [];
  for (let at = 0; at < words.length;) {
    const from = Math.max(0, (words[at] as number) - BEFORE_BOX);
    let to = from;
    for (; at < words.length && (words[at] as number) - BEFORE_BOX <= to; at += 1)
      to = (words[at] as number) + AFTER_BOX;
    for (const { 0: box, index } of text.slice(from, to).matchAll(BOX))
      found.push({ start: from + index, end: from + index + box.length });
  }
  const tokens = new Tokens(text);
  let next = 0;
  return found.map(({ start, end }) => {
    while ((tokens.at(next)?.start ?? Infinity) < end) next++;
    return { start, end: Math.max(end, tokenAt(tokens, extendRight(tokens, next) - 1).end) };
  });
}

/** True for a number, and for one or two letters that a number directly follows: SW1A. */
const canBeCode = (token: Token, next: Token | undefined) =>
  token.kind === "number" ||
  (token.kind === "word" && token.text.length <= 2 && next?.kind === "number" && next.start === token.end);

/** Returns the start of the flat or floor before a street; `from` if there is none. */
function unitBefore(tokens: Tokens, from: number): number {
  for (let back = 2; back <= 6 && tokens.at(from - back); back++) {
    const unit = afterUnit(tokens, from - back);
    if (unit > from - back && (unit === from || (unit === from - 1 && isMark(tokens.at(unit), ","))))
      return from - back;
  }
  return from;
}
