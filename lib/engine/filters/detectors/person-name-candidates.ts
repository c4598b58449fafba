import { after } from "../characters";
import { unitsOf } from "../code-units";
import { CODE_AFTER, CODE_BEFORE, endOfToken, isJoint, isLetterAt } from "./person-name-tokens";
import { isStart, Shape, type Lexicon } from "./person-name-words";

const setOf = (characters: Iterable<string>) => {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return codes;
};
const NUMERALS = "0123456789".split("");
/** Characters next to a capitalized word that make it code; not an equals sign before it, as in `name=Kim`. */
const ALWAYS_CODE_BEFORE = setOf([...CODE_BEFORE.split(""), ...NUMERALS].filter((character) => character !== "="));
const ALWAYS_CODE_AFTER = setOf([...CODE_AFTER.split(""), ...NUMERALS]);

const wordsByLexicon = new WeakMap<Lexicon, ReadonlySet<string>>();

/** Returns the lower-case words that can start a name. */
function lowerCaseStarts(lexicon: Lexicon): ReadonlySet<string> {
  const known = wordsByLexicon.get(lexicon);
  if (known) return known;
  const starts = new Set(
    [...lexicon].flatMap(([word, flags]) => (isStart(word.length, flags, Shape.Lower) ? word : [])),
  );
  wordsByLexicon.set(lexicon, starts);
  return starts;
}

const isCapital = (unit: number) => unit > 64 && unit < 91;
const isSmall = (unit: number) => unit > 96 && unit < 123;

/** Returns the starts of all tokens that can start a name, and of some that can't. */
export function candidatesOf(text: string, lexicon: Lexicon): number[] {
  const lowerCase = lowerCaseStarts(lexicon);
  const units = unitsOf(text);
  const found: number[] = [];
  for (let at = 0; at < text.length;) {
    const start = at;
    let end = start;
    let hasCapital = false;
    for (let unit = units[end] as number; isSmall(unit) || isCapital(unit); unit = units[end] as number) {
      hasCapital ||= isCapital(unit);
      end += 1;
    }
    const next = units[end] as number;
    if (end === start && (next < 128 || !isLetterAt(text, start))) {
      at = after(text, start);
      continue;
    }
    at = end === start || next > 127 || isJoint(next) ? endOfToken(text, start) : end;
    const canStart =
      at > end ||
      (hasCapital
        ? isCapital(units[start] as number) &&
          ALWAYS_CODE_AFTER[next] !== 1 &&
          (start === 0 || ALWAYS_CODE_BEFORE[units[start - 1] as number] !== 1)
        : end - start > 3 && lowerCase.has(text.slice(start, end)));
    if (canStart) found.push(start);
  }
  return found;
}
