/** Words typical of attacks; only these are corrected, so that ordinary text doesn't change. */
export const KEY_WORDS: readonly string[] =
  "ignore bypass override reveal delete system prompt prompts instruction instructions previous disregard restrictions guidelines forget safety filters filter jailbreak developer unrestricted developers commands directives reveals ignoring prior".split(
    " ",
  );
const LINKING_WORDS =
  "all any every the your my our these those this that above before earlier preceding initial original hidden secret rules rule policy policies and or to of from with without me you now are is no not do mode message messages messages show tell print output repeat enable disable admin debug act as pretend everything password code please everyone follow new give remove security guardrails content context".split(
    " ",
  );
export const VOCABULARY: ReadonlySet<string> = new Set([...KEY_WORDS, ...LINKING_WORDS]);
/** Length from which a token may consist of several words. */
export const SHORTEST_COMPOUND = 12;
const LONGEST_WORD = Math.max(...Array.from(VOCABULARY, (word) => word.length));

/** Returns a scramble-insensitive signature of a word: first and last letter, and the sorted letters between. */
const signature = (word: string) =>
  `${word.slice(0, 1)}${Array.from(word.slice(1, -1)).sort().join("")}${word.slice(-1)}`;
const SCRAMBLED = new Map(KEY_WORDS.map((word) => [signature(word), word]));

const LEET: Readonly<Record<string, string>> = {
  "4": "a",
  "@": "a",
  "3": "e",
  "1": "i",
  "0": "o",
  "5": "s",
  $: "s",
  "7": "t",
  "8": "b",
  "9": "g",
};
const unleeted = (word: string) => Array.from(word, (character) => LEET[character] ?? character).join("");

/** Restores a disguised word: digits for letters, scrambled letters. */
function plainWord(word: string): string {
  if (word.length > LONGEST_WORD) return word;
  if (/[\d@$]/.test(word)) {
    const letters = unleeted(word);
    return VOCABULARY.has(letters) || /^fr0m$/.test(word) ? letters : word;
  }
  return word.length >= 5 && word.length <= 14 ? (SCRAMBLED.get(signature(word)) ?? word) : word;
}

interface Piece {
  word: string;
  from: number;
  to: number;
}

/** Returns the end of the longest vocabulary word at a place, or the place. */
function endOfKnown(run: string, from: number): number {
  let length = Math.min(LONGEST_WORD, run.length - from);
  while (length > 1 && !VOCABULARY.has(run.slice(from, from + length))) length -= 1;
  return length > 1 ? from + length : from;
}

/** Splits a run of letters at vocabulary words, longest first; other parts stay whole. */
function cut(run: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let rest = 0;
  while (from < run.length) {
    const end = endOfKnown(run, from);
    if (end > from) {
      if (rest < from) pieces.push({ word: run.slice(rest, from), from: rest, to: from });
      pieces.push({ word: run.slice(from, end), from, to: end });
      rest = end;
    }
    from = Math.max(end, from + 1);
  }
  if (rest < run.length) pieces.push({ word: run.slice(rest), from: rest, to: run.length });
  return pieces;
}

/** True when a run consists of vocabulary words, longest first. */
function isCompound(run: string): boolean {
  for (let from = 0; from < run.length;) {
    const end = endOfKnown(run, from);
    if (end === from) return false;
    from = end;
  }
  return true;
}

/**
 * Returns the words in a lower-case token; spaced-out letters are always split, other tokens only if they consist of
 * key words.
 */
export function plainWords(token: string, isSpaced: boolean): Piece[] {
  const whole = [{ word: plainWord(token), from: 0, to: token.length }];
  if (isSpaced) return cut(unleeted(token));
  if (token.length < SHORTEST_COMPOUND || token.length > 200 || VOCABULARY.has(token)) return whole;
  return isCompound(token) ? cut(token) : whole;
}
