import { cuesOf, type Cue } from "./phrase-cues";
import { WORD_FAMILIES } from "./prompt-injection-families";

/** A word of the words view; there is one object for each known word. */
export interface Word {
  text: string;
  cue: Cue | null;
  /** True when phrases repeat it without a limit. */
  isLoop: boolean;
}

interface Gate {
  words: ReadonlyMap<string, Word>;
}

let known: Gate | undefined;

function gate(): Gate {
  if (known) return known;
  const { cues, loops } = cuesOf(WORD_FAMILIES.flatMap(({ phrases = [] }) => phrases));
  const all = new Set([...cues.keys(), ...loops, ...[...cues.values()].flatMap(({ others }) => [...(others ?? [])])]);
  const words = [...all].map((text): [string, Word] => [
    text,
    { text, cue: cues.get(text) ?? null, isLoop: loops.has(text) },
  ]);
  return (known = { words: new Map(words) });
}

/** Returns what the families know of a word. */
export const wordOf = (text: string): Word => gate().words.get(text) ?? { text, cue: null, isLoop: false };

function hasAny(words: readonly Word[], from: number, to: number, except: number, some: ReadonlySet<string>): boolean {
  for (let at = from; at < to; at += 1) if (at !== except && some.has((words[at] as Word).text)) return true;
  return false;
}

/** True when a phrase of some family is among the words: only then are the families searched for where they match. */
export function hasPhrase(words: readonly Word[]): boolean {
  /** Places of words that aren't repeated without a limit, and how many come before each; made when first needed. */
  let solid: number[] | undefined;
  let ranks: Int32Array | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const { cue } = words[at] as Word;
    if (cue === null) continue;
    if (!solid || !ranks) {
      solid = [];
      ranks = new Int32Array(words.length);
      for (let place = 0; place < words.length; place += 1) {
        ranks[place] = solid.length;
        if (!(words[place] as Word).isLoop) solid.push(place);
      }
    }
    const rank = ranks[at] as number;
    const from = (solid[rank - cue.before - 1] ?? -1) + 1;
    const to = solid[rank + cue.after + 1] ?? words.length;
    if (cue.others && !hasAny(words, from, to, at, cue.others)) continue;
    const near = words.slice(from, to).map(({ text }) => text);
    if (cue.pattern.test(` ${near.join(" ")} `)) return true;
  }
  return false;
}
