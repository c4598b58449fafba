import { after } from "../characters";
import { unitsOf } from "../code-units";
import { FOREIGN, JOINTS, letterRuns, LOWER } from "../letter-runs";
import { WordFilter } from "../word-hash";
import { CODE_AFTER, CODE_BEFORE, endOfToken, isLetterAt } from "./person-name-tokens";
import { isStart, Shape, type Lexicon } from "./person-name-words";

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
  const { count, starts, ends, hashes, cases, gaps } = letterRuns(text);
  const found: number[] = [];
  let past = 0;
  for (let run = 0; run <= count; run += 1) {
    const start = starts[run] as number;
    // Between the runs, letters of other alphabets can begin a token.
    if (((gaps[run] as number) & FOREIGN) !== 0)
      while (past < start) {
        if ((units[past] as number) < 128) past += 1;
        else if (isLetterAt(text, past)) {
          found.push(past);
          past = endOfToken(text, past);
        } else past = after(text, past);
      }
    if (past > start || run === count) continue;
    past = ends[run] as number;
    const end = ((gaps[run + 1] as number) & (FOREIGN | JOINTS)) !== 0 ? endOfToken(text, start) : past;
    if (end > past) {
      found.push(start);
      past = end;
    } else if (cases[run] === LOWER) {
      if (end - start > 3 && filter.mayHave(hashes[run] as number)) found.push(start);
    } else if (
      (units[start] as number) < 97 &&
      ALWAYS_CODE_AFTER[units[end] as number] !== 1 &&
      (start === 0 || ALWAYS_CODE_BEFORE[units[start - 1] as number] !== 1)
    )
      found.push(start);
  }
  return found;
}
