import { remembered } from "../remembered";

/** Words typical of attacks. Only these are unscrambled, so that ordinary text doesn't change. */
const KEY_WORDS: readonly string[] =
  "ignore bypass override reveal delete system prompt prompts instruction instructions previous disregard restrictions guidelines forget safety filters filter jailbreak developer unrestricted developers commands directives reveals ignoring prior".split(
    " ",
  );
const LINKING_WORDS =
  "all any every the your my our these those this that above before earlier preceding initial original hidden secret rules rule policy policies and or to of from with without me you now are is no not do mode message messages messages show tell print output repeat enable disable admin debug act as pretend everything password code please everyone follow new give remove security guardrails content context".split(
    " ",
  );
const VOCABULARY: ReadonlySet<string> = new Set([...KEY_WORDS, ...LINKING_WORDS]);
/** Minimum and maximum length of a token that may consist of several words. */
const [SHORTEST_COMPOUND, LONGEST_COMPOUND] = [12, 200];
const LONGEST_WORD = Math.max(...Array.from(VOCABULARY, (word) => word.length));

/** Returns a scramble-insensitive signature of a word: first and last letter, and the sorted letters between. */
const signature = (word: string) =>
  `${word.slice(0, 1)}${Array.from(word.slice(1, -1)).sort().join("")}${word.slice(-1)}`;
const SCRAMBLED = new Map(KEY_WORDS.map((word) => [signature(word), word]));
/** First letter, last letter and length of a word; few other words share those of a key word. */
const outline = (word: string) => `${word.charAt(0)}${word.charAt(word.length - 1)}${word.length}`;
const OUTLINES = new Set(KEY_WORDS.map(outline));

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
    return VOCABULARY.has(letters) ? letters : word;
  }
  return OUTLINES.has(outline(word)) ? (SCRAMBLED.get(signature(word)) ?? word) : word;
}

interface Piece {
  word: string;
  from: number;
  to: number;
}

/** Returns the end of the longest vocabulary word at `from`; `from` if there is none. */
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

/** True for a token without spaces that consists of vocabulary words, such as `ignoreallprevious`. */
const isConcatenated = (token: string) =>
  token.length >= SHORTEST_COMPOUND && token.length <= LONGEST_COMPOUND && !VOCABULARY.has(token) && isCompound(token);

/** Minimum number of spaced-out letters that are joined to a word. */
const SHORTEST_SPACED = 5;

/** Words with their apostrophes, ends of sentences, and colons; no punctuation and symbols beyond ASCII. */
const TOKEN =
  /[A-Za-z\d@$\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff]+(?:['’][A-Za-z\u00c0-\u1fff]+)*|[.!?;](?=[\s"')\]]|$)|:(?=\s|$)/g;
/** Single letters, digits and signs by their lower-case form. */
const SINGLES = new Map(
  Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@$", (one) => [one, one.toLowerCase()]),
);
/** Returns the word that a token stands for, or the vocabulary words that it consists of. */
const plainWords = remembered((token): string | readonly string[] => {
  const plain = token.toLowerCase().replace(/['’]/g, "");
  if (isConcatenated(plain)) return cut(plain).map(({ word }) => word);
  return /^[.!?;]$/.test(plain) ? "." : plainWord(plain);
});

/** The words of a text, and where each starts and ends in it. */
interface Words {
  words: readonly string[];
  starts: readonly number[];
  ends: readonly number[];
}

/**
 * Returns the lower-case words of a text, such as `ignore`, `all`, `rules`, `.`. Every mark that ends a sentence is
 * `.`, spaced-out letters are joined, concatenated vocabulary words split, and disguised words restored.
 */
export function wordsOf(plain: string): Words {
  const words: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const push = (word: string, start: number, end: number) => {
    words.push(word);
    starts.push(start);
    ends.push(end);
  };
  /** Consecutive single letters. */
  let singles: { letter: string; at: number }[] = [];
  const close = () => {
    if (singles.length < SHORTEST_SPACED) for (const { letter, at } of singles) push(letter, at, at + 1);
    else
      for (const { word, from, to } of cut(unleeted(singles.map(({ letter }) => letter).join(""))))
        push(word, singles[from]?.at ?? 0, (singles[to - 1]?.at ?? 0) + 1);
    singles = [];
  };
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(plain); found; found = TOKEN.exec(plain)) {
    const [token] = found;
    const letter = token.length === 1 ? SINGLES.get(token) : undefined;
    if (letter !== undefined) {
      singles.push({ letter, at: found.index });
      continue;
    }
    if (singles.length > 0) close();
    const standsFor = plainWords(token);
    if (typeof standsFor === "string") push(standsFor, found.index, TOKEN.lastIndex);
    else for (const word of standsFor) push(word, found.index, TOKEN.lastIndex);
  }
  close();
  return { words, starts, ends };
}
