import { cuesOf, findingCues, type Cue, type PhraseCues } from "./phrase-cues";
import { WORD_FAMILIES } from "./prompt-injection-families";

/** A word of the words view; there is one object for each word that the families know. */
export interface Word {
  text: string;
  /** Ordinal among the words that the families know; -1 for others. */
  id: number;
  cue: WordCue | null;
  /** True when phrases repeat it without a limit. */
  isLoop: boolean;
}

interface WordCue extends Pick<Cue, "pattern" | "before" | "after"> {
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
    ...new Set([...cues.keys(), ...loops, ...[...cues.values()].flatMap(({ others }) => [...(others ?? [])])]),
  ];
  const ids = new Map(all.map((text, id) => [text, id]));
  const bitsOf = (words: ReadonlySet<string>) => {
    const bits = new Uint32Array((all.length >> 5) + 1);
    for (const word of words) setBit(bits, ids.get(word) as number);
    return bits;
  };
  const wordFor = (text: string, id: number): Word => {
    const cue = cues.get(text);
    return {
      text,
      id,
      cue: cue ? { ...cue, others: cue.others && bitsOf(cue.others) } : null,
      isLoop: loops.has(text),
    };
  };
  return new Map(all.map((text, id) => [text, wordFor(text, id)]));
}

const setBit = (bits: Uint32Array, at: number) => {
  bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
};
const hasBit = (bits: Uint32Array, at: number) => at >= 0 && (((bits[at >> 5] as number) >>> (at & 31)) & 1) === 1;

/** Returns what the families know of a word. */
export const wordOf = (text: string): Word => knownWords().get(text) ?? { text, id: -1, cue: null, isLoop: false };

/** The words of a text. */
export interface WordList {
  length: number;
  /** The entry of a word; null if no family has it. */
  words: readonly (Word | null)[];
  /** Returns the words at some places, joined by spaces. */
  joined: (from: number, to: number) => string;
}

/** True when one of the words at `from`–`to` is among the others of a cue. */
function hasAny({ words }: WordList, from: number, to: number, except: number, others: Uint32Array): boolean {
  for (let at = from; at < to; at += 1) {
    const word = words[at];
    if (word && at !== except && hasBit(others, word.id)) return true;
  }
  return false;
}

/** True when a phrase of some family is among the words: only then are the families searched for where they match. */
export function hasPhrase(list: WordList): boolean {
  const { words, length } = list;
  /** Places of words that aren't repeated without a limit, and how many come before each; made when first needed. */
  let solid: Int32Array | undefined;
  let ranks: Int32Array | undefined;
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    const cue = words[at]?.cue;
    if (!cue) continue;
    if (!solid || !ranks) {
      solid = new Int32Array(length);
      ranks = new Int32Array(length);
      for (let place = 0; place < length; place += 1) {
        ranks[place] = count;
        if (words[place]?.isLoop !== true) solid[count++] = place;
      }
    }
    const rank = ranks[at] as number;
    const first = rank - cue.before - 1;
    const last = rank + cue.after + 1;
    const from = first < 0 ? 0 : (solid[first] as number) + 1;
    const to = last < count ? (solid[last] as number) : length;
    if (cue.others && !hasAny(list, from, to, at, cue.others)) continue;
    if (cue.pattern.test(` ${list.joined(from, to)} `)) return true;
  }
  return false;
}
