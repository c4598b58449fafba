import { cuesOf, findingCues, type Cue, type Neighbors, type PhraseCues } from "./phrase-cues";
import { WORD_FAMILIES } from "./prompt-injection-families";

/** A word of the words view; there is one object for each word that the families know. */
export interface Word {
  text: string;
  /** Ordinal among the words that the families know; -1 for others. */
  id: number;
  /** The phrases that it betrays. */
  cues: readonly WordCue[];
  /** True when phrases repeat it without a limit. */
  isLoop: boolean;
}

interface WordCue extends Omit<Cue, "others"> {
  /** Bits of the words of which one must be near, by their ids; null when none is needed. */
  others: Uint32Array | null;
}

let known: ReadonlyMap<string, Word> | undefined;

/** Returns all words that the families know. */
export function knownWords(): ReadonlyMap<string, Word> {
  if (known) return known;
  const { cues, loops } = cuesOf(phrasesOf(WORD_FAMILIES));
  return (known = wordsBy(cues, loops));
}

/** Prepares the words that the families know, in steps that each take a few milliseconds. */
export function* preparingWords(): Generator<void, void> {
  if (known) return;
  const { cues, loops } = yield* findingCues(phrasesOf(WORD_FAMILIES));
  known ??= wordsBy(cues, loops);
}

const phrasesOf = (families: typeof WORD_FAMILIES) => families.flatMap(({ phrases = [] }) => phrases);

function wordsBy(cues: PhraseCues["cues"], loops: PhraseCues["loops"]): ReadonlyMap<string, Word> {
  const all = [
    ...new Set([...cues.keys(), ...loops, ...[...cues.values()].flat().flatMap(({ others }) => [...(others ?? [])])]),
  ];
  const ids = new Map(all.map((text, id) => [text, id]));
  const bitsOf = (words: ReadonlySet<string>) => {
    const bits = new Uint32Array((all.length >> 5) + 1);
    for (const word of words) setBit(bits, ids.get(word) as number);
    return bits;
  };
  // Phrases with several cues share their others.
  const others = new Map<ReadonlySet<string>, Uint32Array>();
  const othersOf = (words: ReadonlySet<string> | null) => {
    if (!words) return null;
    const bits = others.get(words) ?? bitsOf(words);
    others.set(words, bits);
    return bits;
  };
  const wordFor = (text: string, id: number): Word => ({
    text,
    id,
    cues: (cues.get(text) ?? []).map((cue) => ({ ...cue, others: othersOf(cue.others) })),
    isLoop: loops.has(text),
  });
  return new Map(all.map((text, id) => [text, wordFor(text, id)]));
}

const setBit = (bits: Uint32Array, at: number) => {
  bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
};
const hasBit = (bits: Uint32Array, at: number) => at >= 0 && (((bits[at >> 5] as number) >>> (at & 31)) & 1) === 1;

/** Returns what the families know of a word. */
export const wordOf = (text: string): Word => knownWords().get(text) ?? { text, id: -1, cues: NONE, isLoop: false };

const NONE: readonly WordCue[] = [];

/** The words of a text. */
export interface WordList {
  length: number;
  /** The entry of a word; null if no family has it. */
  words: readonly (Word | null)[];
  /** Places of words that betray phrases. */
  cues: readonly number[];
  /** True when a word is at a place. */
  isAt: (at: number, word: string) => boolean;
  /** Returns the words at some places, joined by spaces. */
  joined: (from: number, to: number) => string;
}

/** True when the words of a row are beside a place. */
function isBeside({ isAt, length }: WordList, at: number, row: Neighbors): boolean {
  for (const [distance, word] of row) {
    const place = at + distance;
    if (place < 0 || place >= length || !isAt(place, word)) return false;
  }
  return true;
}

function isBesideAny(list: WordList, at: number, rows: readonly Neighbors[]): boolean {
  for (const row of rows) if (isBeside(list, at, row)) return true;
  return rows.length === 0;
}

const hasOther = (others: Uint32Array | null, word: Word | null | undefined): boolean =>
  others !== null && word !== null && word !== undefined && hasBit(others, word.id);

/** True when a phrase lies around a cue. */
function isPhrase(list: WordList, at: number, { neighbors, others, before, after, pattern }: WordCue): boolean {
  if (!isBesideAny(list, at, neighbors)) return false;
  const { words, length } = list;
  let isNear = others === null;
  // Words that phrases repeat without a limit don't count as words around a cue.
  let from = at;
  for (let left = before; from > 0; from -= 1) {
    const word = words[from - 1];
    if (word?.isLoop !== true && left-- === 0) break;
    isNear ||= hasOther(others, word);
  }
  let to = at + 1;
  for (let left = after + (words[at]?.isLoop === true ? 1 : 0); to < length; to += 1) {
    const word = words[to];
    if (word?.isLoop !== true && left-- === 0) break;
    isNear ||= hasOther(others, word);
  }
  return isNear && pattern.test(` ${list.joined(from, to)} `);
}

/** True when a phrase of some family is among the words: only then are the families searched for where they match. */
export function hasPhrase(list: WordList): boolean {
  for (const at of list.cues) for (const cue of list.words[at]?.cues ?? []) if (isPhrase(list, at, cue)) return true;
  return false;
}
