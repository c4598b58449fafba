import type { Detection, Detector } from "../detector";
import { blocksIn } from "./address-blocks";
import { nationalAddressesIn } from "./address-national";
import { afterTown, postcodeAt } from "./address-postcode";
import { streetAt } from "./address-street";
import {
  addressTokens,
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
  type Token,
} from "./address-tokens";

/** Maximum number of tokens an address extends to each side of its anchor; bounds the work per token. */
const REACH = 32;

const BOX =
  /\b(?:p\.? ?o\.? ?box|gpo box|post office box|private bag|locked bag|postfach|bo[iî]te postale|bp|apartado(?: de correos| postal)?|casella postale|postbus|caixa postal|skrytka pocztowa)[ :#]{0,3}(?:n[ºo°]\.? ?)?\d{1,4}(?:[ ]?\d{2,3}){0,2}\b/gi;

/** Returns the end of a flat, floor or block at a token, or the token itself. */
function afterUnit(tokens: readonly Token[], at: number): number {
  let next = at;
  if (isMark(tokens[next], "#")) return isHouse(tokens[next + 1]) ? next + 2 : at;
  if (isHouse(tokens[next]) || isCapital(tokens[next])) {
    const after = isMark(tokens[next + 1], ".ºª°") ? next + 2 : next + 1;
    if (isSide(tokens[after])) return after + 1;
    if (tokenAt(tokens, next).kind === "number" && /[ºª]$/.test(tokenAt(tokens, next).text)) return after;
  }
  if (isSide(tokens[next]) && !isHouse(tokens[next + 1])) return next + 1;
  if (!isUnit(tokens[next])) return at;
  next++;
  if (isMark(tokens[next], ".")) next++;
  if (isMark(tokens[next], "#")) next++;
  const value = tokenAt(tokens, next);
  if (!(isHouse(value) || /^\p{Lu}(?:-?\d*)$/u.test(value.text))) return at;
  next++;
  // B-204, 4th
  if (isMark(tokens[next], "-") && isHouse(tokens[next + 1])) next += 2;
  return isHouse(tokens[next]) && tokenAt(tokens, next).start === value.end ? next + 1 : next;
}

/** Returns the end of a lower-case town with its postcode, such as reading rg4 8tt, or the token itself. */
function afterPlainTown(tokens: readonly Token[], at: number): number {
  for (let next = at; next < at + 5 && (tokens[next]?.kind === "word" || isMark(tokens[next], ",")); next++) {
    const code = postcodeAt(tokens, next + 1 < tokens.length ? next + 1 : next);
    if (code?.certain) return code.to;
  }
  return at;
}

/** Extends an address to the right: flat, town, region, postcode and country, separated by commas or line breaks. */
function extendRight(tokens: readonly Token[], from: number): number {
  let to = from;
  const limit = Math.min(tokens.length, from + REACH);
  while (to < limit) {
    let next = to;
    const comma = isMark(tokens[next], ",") || (isMark(tokens[next], "-–(") && next + 1 < limit);
    if (comma) next++;
    const line = tokens[next]?.kind === "line";
    if (line) next++;
    if (next >= tokens.length) break;
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
    if (isMark(tokens[end], ",") && isRegion(tokens[end + 1])) end += 2;
    const tail = end < tokens.length ? postcodeAt(tokens, end) : null;
    const numbered = isDigits(tokens[end], 1, 2, 4, 5, 6);
    // Without a comma, a capitalized word belongs only if it leads to a postcode or a region.
    if ((!comma || line) && !tail && !isRegion(tokens[end - 1])) break;
    to = tail ? tail.to : numbered && comma ? end + 1 : end;
    if (tokens[to]?.text === ")" && tokens[to - 2]?.text === "(") to++;
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
function extendLeft(tokens: readonly Token[], from: number): number {
  let at = from;
  const limit = Math.max(0, from - REACH);
  let begin = from;
  while (at > limit) {
    const token = tokenAt(tokens, at - 1);
    if (isMark(token, ",") || (isMark(token, "-–") && at - 2 >= limit)) at--;
    else if (token.kind === "line") {
      let lineStart = at - 1;
      while (lineStart > limit && tokenAt(tokens, lineStart - 1).kind !== "line") lineStart--;
      if (!tokens.slice(lineStart, at - 1).some(isHouse)) break;
      at--;
    } else if (belongs(token)) {
      at--;
      if (!isSmall(token) && token.kind !== "mark") begin = at;
    } else break;
  }
  return begin;
}

function spanOf(tokens: readonly Token[], from: number, to: number): Detection {
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

/** Detects postal addresses of a dozen countries: a street with its number, a PO box, or a postcode with its town. */
export const detectAddress: Detector = (text) => {
  if (!/\d/.test(text)) return [];
  const tokens = addressTokens(text);
  const found: Detection[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokenAt(tokens, at);
    const street = token.canLead ? streetAt(tokens, at) : null;
    if (street) found.push(spanOf(tokens, unitBefore(tokens, street.from), extendRight(tokens, street.to)));
    const code = canBeCode(token, tokens[at + 1]) ? postcodeAt(tokens, at) : null;
    if (code) {
      const from = extendLeft(tokens, code.from);
      const lead = tokens.slice(from, code.from);
      const places = lead.filter((token) => isMark(token, ",") || token.kind === "line").length;
      if (lead.some(isHouse) || (code.certain && places >= 2)) found.push(spanOf(tokens, from, code.to));
    }
  }
  let next = 0;
  for (const match of text.matchAll(BOX)) {
    const end = match.index + match[0].length;
    while (next < tokens.length && tokenAt(tokens, next).start < end) next++;
    found.push({ start: match.index, end: Math.max(end, tokenAt(tokens, extendRight(tokens, next) - 1).end) });
  }
  return merged([...found, ...blocksIn(text), ...nationalAddressesIn(text)]);
};

/** True for a number, and for letters that one follows: SW1A. */
const canBeCode = (token: Token, next: Token | undefined) =>
  token.kind === "number" ||
  (token.kind === "word" && token.text.length <= 2 && next?.kind === "number" && next.start === token.end);

/** Includes a flat or floor that precedes a street. */
function unitBefore(tokens: readonly Token[], from: number): number {
  for (let back = 2; back <= 6 && from - back >= 0; back++) {
    const unit = afterUnit(tokens, from - back);
    if (unit > from - back && (unit === from || (unit === from - 1 && isMark(tokens[unit], ",")))) return from - back;
  }
  return from;
}
