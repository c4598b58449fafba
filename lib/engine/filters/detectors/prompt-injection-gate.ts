import { hashOf, WordFilter } from "../word-hash";
import { cuesOf, findingCues, type Cue, type Neighbors, type PhraseCues } from "./phrase-cues";
import { WORD_FAMILIES } from "./prompt-injection-families";
import type { Family } from "./prompt-injection-phrases";

/** A word of the words view; there is one object for each word that the families know. */
export interface Word {
  text: string;
  /** Ordinal among the words that the families know; -1 for others. */
  id: number;
  /** Phrases that the word indicates. */
  cues: readonly WordCue[];
  /** True when phrases repeat it without a limit. */
  isLoop: boolean;
  /** Its bits for `marksOf`. */
  marks: number;
}

interface WordCue extends Omit<Cue, "others" | "neighbors"> {
  /** Words beside the cue, of which one row must be there; none when there is no condition. */
  neighbors: readonly (readonly Neighbor[])[];
  /** The words of which one must be near; null when none is needed. */
  others: Others | null;
}

interface Neighbor {
  distance: number;
  text: string;
  hash: number;
}

interface Others {
  /** Bits of the words by their ids. */
  bits: Uint32Array;
  /** The words, and those that phrases repeat without a limit. */
  filter: WordFilter;
  /** A bit that the marks of each of the words have. */
  mark: number;
}

/** Marks of words that phrases repeat without a limit, and of words that indicate a phrase or that character patterns need. */
const [LOOP, FIRST] = [1 << 30, 1 << 31];
/** Number of bits that the sets of words near a cue share. */
const SHARED = 30;
/** Number of marks that hashes are reduced to, as a power of two. */
const MARKS_SIZE = 13;

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
  // Phrases with several cues share their others.
  const others = new Map<ReadonlySet<string>, Others>();
  const othersOf = (words: ReadonlySet<string> | null) => {
    if (!words) return null;
    const known = others.get(words);
    if (known) return known;
    const bits = new Uint32Array((all.length >> 5) + 1);
    for (const word of words) setBit(bits, ids.get(word) as number);
    const created = {
      bits,
      filter: new WordFilter([...words, ...loops], OTHERS_SIZE),
      mark: 1 << (others.size % SHARED),
    };
    others.set(words, created);
    return created;
  };
  const neighborsOf = (rows: readonly Neighbors[]) =>
    rows.map((row) => row.map(([distance, text]) => ({ distance, text, hash: hashOf(text) })));
  const wordFor = (text: string, id: number): Word => ({
    text,
    id,
    cues: (cues.get(text) ?? []).map((cue) => ({
      ...cue,
      neighbors: neighborsOf(cue.neighbors),
      others: othersOf(cue.others),
    })),
    isLoop: loops.has(text),
    marks: 0,
  });
  const words = new Map(all.map((text, id) => [text, wordFor(text, id)]));
  for (const word of words.values()) {
    if (word.isLoop) word.marks |= LOOP;
    for (const { bits, mark } of others.values()) if (hasBit(bits, word.id)) word.marks |= mark;
  }
  return words;
}

/**
 * Returns the marks of words of letters by their hashes, to which `marksOf` reduces those of a text: a word has at least
 * the bits of what the families know of it.
 */
export function marksByHash(firstWords: readonly string[]): Int32Array {
  const marks = new Int32Array(1 << MARKS_SIZE);
  const add = (text: string, bits: number) => {
    const place = hashOf(text) & (marks.length - 1);
    marks[place] = (marks[place] as number) | bits;
  };
  for (const { text, marks: bits } of knownWords().values()) add(text, bits);
  for (const text of firstWords) add(text, FIRST);
  return marks;
}

/** True for words that must be looked up. */
export const isFirst = (marks: number) => marks < 0;

/** Number of bits of a filter of words near a cue, as a power of two. */
const OTHERS_SIZE = 11;

const setBit = (bits: Uint32Array, at: number) => {
  bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
};
const hasBit = (bits: Uint32Array, at: number) => at >= 0 && (((bits[at >> 5] as number) >>> (at & 31)) & 1) === 1;

/** Returns what the families know of a word. */
export const wordOf = (text: string): Word =>
  knownWords().get(text) ?? { text, id: -1, cues: NONE, isLoop: false, marks: 0 };

const NONE: readonly WordCue[] = [];

/** The words of a text. */
export interface WordList {
  length: number;
  /** The entries of words, null if no family has them, and undefined if they weren't looked up yet. */
  words: readonly (Word | null | undefined)[];
  /** Hashes of the words that weren't looked up. */
  hashes: Int32Array;
  /** Marks of all words. */
  marks: Int32Array;
  /** Places of words that indicate a phrase. */
  cues: readonly number[];
  /** Looks up a word. */
  wordAt: (at: number) => Word | null;
  /** True when a word is at a place. */
  isAt: (at: number, word: string) => boolean;
  /** Returns the words at some places, joined by spaces. */
  joined: (from: number, to: number) => string;
}

/** True when the words of a row are beside a place. */
function isBeside({ words, hashes, isAt, length }: WordList, at: number, row: readonly Neighbor[]): boolean {
  for (const { distance, text, hash } of row) {
    const place = at + distance;
    if (place < 0 || place >= length) return false;
    if ((words[place] === undefined && hashes[place] !== hash) || !isAt(place, text)) return false;
  }
  return true;
}

function isBesideAny(list: WordList, at: number, rows: WordCue["neighbors"]): boolean {
  for (const row of rows) if (isBeside(list, at, row)) return true;
  return rows.length === 0;
}

/** Returns the word at a place if it may be one of the others of a cue, or be repeated without a limit. */
function relevantAt({ words, hashes, wordAt }: WordList, at: number, { filter }: Others): Word | null {
  const word = words[at];
  if (word !== undefined) return word;
  return filter.mayHave(hashes[at] as number) ? wordAt(at) : null;
}

/** True when one of the others of a cue may be near: by marks, which words share. */
function mayBeNear({ marks, length }: WordList, at: number, { before, after }: WordCue, mark: number): boolean {
  for (let from = at, left = before; from > 0; from -= 1) {
    const bits = marks[from - 1] as number;
    if ((bits & LOOP) === 0 && left-- === 0) break;
    if ((bits & mark) !== 0) return true;
  }
  for (let to = at + 1, left = after + 1; to < length; to += 1) {
    const bits = marks[to] as number;
    if ((bits & LOOP) === 0 && left-- === 0) break;
    if ((bits & mark) !== 0) return true;
  }
  return false;
}

/** True when a phrase lies around a cue. */
function isPhrase(list: WordList, at: number, cue: WordCue): boolean {
  const { neighbors, others, before, after, pattern } = cue;
  if ((others !== null && !mayBeNear(list, at, cue, others.mark)) || !isBesideAny(list, at, neighbors)) return false;
  const { length, wordAt } = list;
  let isNear = others === null;
  // Words that phrases repeat without a limit don't count as words around a cue.
  let from = at;
  for (let left = before; from > 0; from -= 1) {
    const word = others === null ? wordAt(from - 1) : relevantAt(list, from - 1, others);
    if (word?.isLoop !== true && left-- === 0) break;
    isNear ||= word !== null && others !== null && hasBit(others.bits, word.id);
  }
  let to = at + 1;
  for (let left = after + (wordAt(at)?.isLoop === true ? 1 : 0); to < length; to += 1) {
    const word = others === null ? wordAt(to) : relevantAt(list, to, others);
    if (word?.isLoop !== true && left-- === 0) break;
    isNear ||= word !== null && others !== null && hasBit(others.bits, word.id);
  }
  return isNear && pattern.test(` ${list.joined(from, to)} `);
}

/** Families by the index of their phrases. */
const FAMILIES = WORD_FAMILIES.flatMap((family) => (family.phrases ?? []).map(() => family));

/** Returns the families of which a phrase is among the words: only these are searched for where they match. */
export function familiesIn(list: WordList): readonly Family[] {
  const found = new Set<Family>();
  for (const at of list.cues)
    for (const cue of list.wordAt(at)?.cues ?? []) {
      const family = FAMILIES[cue.phrase] as Family;
      if (!found.has(family) && isPhrase(list, at, cue)) found.add(family);
    }
  return found.size === 0 ? NO_FAMILIES : WORD_FAMILIES.filter((family) => found.has(family));
}

const NO_FAMILIES: readonly Family[] = [];
