import type { Detection, Detector } from "../detector";
import { decodings } from "../view/encodings";
import { foldedView, unaccented } from "../view/plain-view";
import type { View } from "../view/view";
import { CHARACTER_FAMILIES, type CharacterFamily } from "./prompt-injection-families";
import type { Family } from "./prompt-injection-phrases";
import { familiesIn } from "./prompt-injection-gate";
import { isWarnedOf } from "./prompt-injection-context";
import { wordsOf, wordsView } from "./prompt-injection-view";
import { matchesAt } from "./surroundings";

/** Maximum number of nested encodings to decode. */
const DEPTH = 2;

/** Patterns of characters that are tried only at some places of a text. */
const STICKY = new Map(
  CHARACTER_FAMILIES.map(({ pattern }) => [pattern, new RegExp(pattern.source, pattern.flags.replace("g", "y"))]),
);

/** Returns the matches of a family in a text. */
export function matchesOf({ pattern, places }: Pick<CharacterFamily, "pattern" | "places">, text: string) {
  const sticky = places && STICKY.get(pattern);
  return sticky
    ? matchesAt(
        sticky,
        text,
        Array.from(text.matchAll(places), ({ index }) => index),
      )
    : text.matchAll(pattern);
}

const matches = (view: View, families: readonly Family[]): Detection[] =>
  families.flatMap((family) =>
    Array.from(matchesOf(family, view.text), ({ 0: match, index }) => ({
      family: family.family,
      ...view.span(index, index + match.length),
    })),
  );

function find(text: string, depth: number): Detection[] {
  const plain = unaccented(foldedView(text));
  const encoded = decodings(plain.text).flatMap(({ family, text: decoded, span }): Detection[] =>
    (depth > 0 ? find(decoded, depth - 1) : []).map((inner) => {
      const { start, end } = span(inner.start, inner.end);
      return { family, ...plain.span(start, end) };
    }),
  );
  const words = wordsOf(plain.text);
  const families = familiesIn(words);
  const phrases = (families.length > 0 ? matches(wordsView(plain, words), families) : []).filter(
    ({ start }) => !isWarnedOf(text, start),
  );
  const characters = CHARACTER_FAMILIES.filter(({ isPossible }) => isPossible(plain.text, words.spoken));
  return [...matches(plain, characters), ...phrases, ...encoded];
}

/**
 * Detects attempts to override the model's instructions, with pattern families following the categories of OWASP's "LLM
 * Prompt Injection Prevention" cheat sheet; overlapping matches become one detection of the family that starts first.
 */
export const detectPromptInjection: Detector = (text) => {
  const joined: Detection[] = [];
  for (const detection of find(text, DEPTH).sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last && detection.start < last.end) last.end = Math.max(last.end, detection.end);
    else joined.push(detection);
  }
  return joined;
};
