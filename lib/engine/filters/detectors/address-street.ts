import {
  isCapital,
  isDirection,
  isHouse,
  isMark,
  isNumbered,
  isSmall,
  isStreet,
  isStreetAlone,
  isStreetWord,
  isTypeAfter,
  isTypeBefore,
  tokenAt,
  type Token,
  type Tokens,
} from "./address-tokens";

/** A street with its house number, as a half-open range of tokens. */
export interface Street {
  from: number;
  to: number;
}

const MOST_WORDS = 5;
const YEAR = /^(?:19|20)\d\d$/;
const SINCE = new Set(["in", "since", "by", "of", "until", "from", "the"]);

/** Words that a street in lower case doesn't contain: 5 houses on a street. */
const NOT_IN_PLAIN = new Set(
  "on a an in per each every one other this that their his her total more of with".split(" "),
);

const skipPoint = (tokens: Tokens, at: number) =>
  isMark(tokens.at(at), ".") && tokenAt(tokens, at).start === tokens.at(at - 1)?.end ? at + 1 : at;

/** Matches 12 Harbour Road, 350 W 42nd St, 1320 County Road 45, 1 Broadway. */
function numberFirst(tokens: Tokens, at: number): Street | null {
  const left = tokens.at(at - 1);
  if (isNumbered(left) || (left && YEAR.test(tokenAt(tokens, at).text) && SINCE.has(left.lower))) return null;
  let next = at + 1;
  while (isDirection(tokens.at(next))) next = skipPoint(tokens, next + 1);
  if (isStreetAlone(tokens.at(next))) return { from: at, to: next + 1 };
  const first = next;
  const plain =
    tokens.at(first)?.kind === "word" &&
    !isCapital(tokens.at(first)) &&
    !isSmall(tokens.at(first)) &&
    !isTypeBefore(tokens.at(first));
  let end = -1;
  for (let words = 0; words <= MOST_WORDS; words++) {
    const token = tokens.at(next);
    if (!token || (token.kind !== "word" && !token.capital)) break;
    if (isTypeAfter(token) && (next > first || (words === 0 && isHouse(tokens.at(next + 1)) && token.capital)))
      end = next;
    if (plain && NOT_IN_PLAIN.has(token.lower)) return null;
    if (plain ? token.capital || words > 2 : !token.capital && !isSmall(token) && end !== next) break;
    next = skipPoint(tokens, next + 1);
  }
  if (end < 0 || (tokenAt(tokens, first).lower === "the" && end === first + 2 && !isMark(tokens.at(end + 1), ",")))
    return null;
  if (plain) {
    const after = tokens.at(end + 1);
    return !after || isMark(after, ",") || after.kind === "line" ? { from: at, to: end + 1 } : null;
  }
  if (!tokenAt(tokens, end).capital) return null;
  let to = skipPoint(tokens, end + 1);
  if (isHouse(tokens.at(to)) && /^(?:road|highway|hwy|route)$/.test(tokenAt(tokens, end).lower)) to++;
  while (isDirection(tokens.at(to))) to = skipPoint(tokens, to + 1);
  return { from: at, to };
}

/** Returns the end of a name of capitalized and small words, or -1. */
function afterName(tokens: Tokens, at: number): number {
  let next = at;
  let end = -1;
  for (let words = 0; words < MOST_WORDS + 2; words++, next++) {
    const token = tokens.at(next);
    if (token && (isCapital(token) || /^\p{Lu}/u.test(token.text))) end = skipPoint(tokens, next + 1);
    else if (!isSmall(token) && !isMark(token, "'’")) break;
    next = Math.max(next, end - 1);
  }
  return end;
}

/** French street types used after a number; capitalized Place and Square are English. */
const FRENCH = new Set(
  "rue Rue avenue boulevard Boulevard bd impasse Impasse allée Allée allee chemin Chemin quai Quai cours place passage route square villa faubourg sentier".split(
    " ",
  ),
);

/** Matches 8 bis, rue des Lilas. */
function frenchStreet(tokens: Tokens, at: number): Street | null {
  let next = at + 1;
  if (/^(?:bis|ter|quater|[a-d])$/.test(tokens.at(next)?.lower ?? "")) next++;
  if (isMark(tokens.at(next), ",")) next++;
  if (!isTypeBefore(tokens.at(next)) || !FRENCH.has(tokenAt(tokens, next).text)) return null;
  const to = afterName(tokens, next + 1);
  return to < 0 ? null : { from: at, to };
}

/** Matches Calle Mayor, 5; Via dei Mille 34; Carrera 7 # 71-21. */
function typeFirst(tokens: Tokens, at: number): Street | null {
  const start = at;
  let next = skipPoint(tokens, at + 1);
  if (isMark(tokens.at(next), "/")) next++;
  if (isHouse(tokens.at(next)) && (isMark(tokens.at(next + 1), "#") || /^no?$/.test(tokens.at(next + 1)?.lower ?? "")))
    next++;
  else {
    next = afterName(tokens, next);
    if (next < 0) return null;
    // Straße des 17. Juni, Calle 12 de Octubre
    if (isHouse(tokens.at(next)) && isSmall(tokens.at(next + 1))) next = Math.max(next, afterName(tokens, next + 1));
  }
  return withNumber(tokens, start, next);
}

const isNumberWord = (token: Token | undefined) =>
  token !== undefined && /^(?:no|nr|n|nº|n°|num|número|numero)$/.test(token.lower);

function withNumber(tokens: Tokens, from: number, at: number): Street | null {
  let next = at;
  if (isMark(tokens.at(next), ",")) next++;
  if (isNumberWord(tokens.at(next))) next = skipPoint(tokens, next + 1);
  if (isMark(tokens.at(next), "#:ºª°")) next++;
  return isHouse(tokens.at(next)) && tokenAt(tokens, next).text.length <= 7 ? { from, to: next + 1 } : null;
}

/** Matches Hauptstraße 12, Lange Straße 9, Keizersgracht 100-2. */
function endingStreet(tokens: Tokens, at: number): Street | null {
  const street = withNumber(tokens, at, skipPoint(tokens, at + 1));
  if (!street || isMark(tokens.at(at + 1), ",")) return null;
  let { from } = street;
  const stopAt = at - 3;
  while (
    from > stopAt &&
    isStreetWord(tokens.at(at)) &&
    isCapital(tokens.at(from - 1)) &&
    tokenAt(tokens, from - 1).kind === "word"
  )
    from--;
  return isStreetWord(tokens.at(at)) && from === at ? null : { from, to: street.to };
}

/** Returns the street with house number that starts, or has its type, at a token. */
export function streetAt(tokens: Tokens, at: number): Street | null {
  const token = tokenAt(tokens, at);
  if (isHouse(token)) return frenchStreet(tokens, at) ?? numberFirst(tokens, at);
  if (token.kind !== "word") return null;
  if (isStreet(token) || (isStreetWord(token) && isCapital(token))) {
    const street = endingStreet(tokens, at);
    if (street) return street;
  }
  if (isTypeBefore(token) && (token.capital || token.lower !== "via")) return typeFirst(tokens, at);
  if (token.text === "C" && isMark(tokens.at(at + 1), "/")) return typeFirst(tokens, at);
  return null;
}
