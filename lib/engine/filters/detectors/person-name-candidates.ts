import { after } from "../characters";
import { unitsOf } from "../code-units";
import { SUMMANDS, WordFilter } from "../word-hash";
import {
  CODE_AFTER,
  CODE_BEFORE,
  endOfToken,
  isJoint,
  isLetterAt,
  isStart,
  Shape,
  type Lexicon,
} from "./person-name-words";

/** Kinds of ASCII characters; other units are `FOREIGN`. */
const [LOWER, UPPER, FOREIGN] = [1, 2, 4];
const KINDS = new Uint8Array(65536).fill(FOREIGN, 128);
KINDS.fill(LOWER, 97, 123);
KINDS.fill(UPPER, 65, 91);

const setOf = (characters: Iterable<string>) => {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return codes;
};
/** Characters beside a capitalized word that make it code; before an equals sign there may be the name of a field. */
const NUMERALS = "0123456789".split("");
const ALWAYS_CODE_BEFORE = setOf([...CODE_BEFORE.split(""), ...NUMERALS].filter((character) => character !== "="));
const ALWAYS_CODE_AFTER = setOf([...CODE_AFTER.split(""), ...NUMERALS]);

const filters = new WeakMap<Lexicon, WordFilter>();

/** Returns the lower-case words that can start a name. */
function filterFor(lexicon: Lexicon): WordFilter {
  const known = filters.get(lexicon);
  if (known) return known;
  const starting = [...lexicon].flatMap(([word, flags]) => (isStart(word.length, flags, Shape.Lower) ? word : []));
  const filter = new WordFilter(starting, 20);
  filters.set(lexicon, filter);
  return filter;
}

/** Returns the starts of all tokens that can start a name, and of some that can't. */
export function candidatesOf(text: string, lexicon: Lexicon): number[] {
  const filter = filterFor(lexicon);
  const units = unitsOf(text);
  const found: number[] = [];
  for (let at = 0; at < text.length;) {
    const start = at;
    let unit = units[at] as number;
    let kind = KINDS[unit] as number;
    let [kinds, sum] = [0, 0];
    while (kind > 0 && kind < FOREIGN) {
      kinds |= kind;
      sum += SUMMANDS[unit] as number;
      at += 1;
      unit = units[at] as number;
      kind = KINDS[unit] as number;
    }
    if (at === start) {
      if (kind !== FOREIGN) at += 1;
      else if (isLetterAt(text, at)) {
        found.push(at);
        at = endOfToken(text, at);
      } else at = after(text, at);
      continue;
    }
    const end = kind === FOREIGN || isJoint(unit) ? endOfToken(text, start) : at;
    const first = units[start] as number;
    if (end > at) {
      found.push(start);
      at = end;
    } else if (kinds === LOWER) {
      if (at - start > 3 && filter.mayHave(sum, first, units[at - 1] as number)) found.push(start);
    } else if (
      first < 97 &&
      ALWAYS_CODE_AFTER[unit] !== 1 &&
      (start === 0 || ALWAYS_CODE_BEFORE[units[start - 1] as number] !== 1)
    )
      found.push(start);
  }
  return found;
}
