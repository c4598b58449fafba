import type { Detection, Detector } from "../detector";
import { foldedForm, unaccented } from "../readings/plain-form";
import { CHARACTER_FAMILIES, OTHER_SCRIPT, OTHER_SCRIPT_FAMILIES } from "./prompt-injection-characters";
import { isWarnedOf } from "./prompt-injection-context";
import { WORD_FAMILIES } from "./prompt-injection-families";
import type { Family, PhraseFamily } from "./prompt-injection-phrases";
import { wordsOf } from "./prompt-injection-words";
import { united } from "./surroundings";

/** "instruction", "prompt", "system", "rules" and "restriction" in ROT13. */
const ROT13_WORD = /vafgehpgvba|cebzcg|flfgrz|ehyrf|erfgevpgvba/i;
const rotated = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)),
  );

/** Families by the first words of their phrases. */
const BY_FIRST_WORD = new Map<string, PhraseFamily[]>();
for (const family of WORD_FAMILIES)
  for (const word of family.firstWords) BY_FIRST_WORD.set(word, [...(BY_FIRST_WORD.get(word) ?? []), family]);

const BOTS = BY_FIRST_WORD.get("bot") ?? [];
const NONE: readonly PhraseFamily[] = [];

/** Invented names of models are looked up like "bot": EvilGPT, JailBot. */
const familiesOf = (word: string): readonly PhraseFamily[] =>
  BY_FIRST_WORD.get(word) ?? (word.endsWith("gpt") || word.endsWith("bot") ? BOTS : NONE);

/** Returns the phrases in a text without accents. */
function phrasesIn(text: string): Detection[] {
  const found: Detection[] = [];
  const { words, starts, ends } = wordsOf(text);
  const line = ` ${words.join(" ")} `;
  /** End of the last phrase of each family. */
  const past = new Map<PhraseFamily, number>();
  let offset = 1;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    for (const family of familiesOf(word)) {
      if (offset < (past.get(family) ?? 0)) continue;
      family.pattern.lastIndex = offset;
      if (!family.pattern.test(line)) continue;
      const end = family.pattern.lastIndex;
      past.set(family, end);
      const start = starts[at] as number;
      const lastWord = at + line.slice(offset, end).split(" ").length - 1;
      if (!isWarnedOf(text, start)) found.push({ family: family.family, start, end: ends[lastWord] as number });
    }
    offset += word.length + 1;
  }
  return found;
}

function matchesOf(families: readonly Family[], text: string): Detection[] {
  const found: Detection[] = [];
  for (const { family, pattern } of families) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text))
      found.push({ family, start: match.index, end: pattern.lastIndex });
  }
  return found;
}

const matchesIn = (text: string): Detection[] => [
  ...matchesOf(CHARACTER_FAMILIES, text),
  ...(OTHER_SCRIPT.test(text) ? matchesOf(OTHER_SCRIPT_FAMILIES, text) : []),
  ...phrasesIn(text),
];

/**
 * Detects attempts to override the model's instructions, with pattern families following the categories of OWASP's "LLM
 * Prompt Injection Prevention" cheat sheet; overlapping matches become one detection of the family that starts first.
 */
export const detectPromptInjection: Detector = (text) => {
  const plain = unaccented(foldedForm(text));
  const found = matchesIn(plain.text);
  if (ROT13_WORD.test(plain.text))
    for (const { start, end } of matchesIn(rotated(plain.text)))
      found.push({ family: "rot13_encoded_injection", start, end });
  return united(found.map((match) => ({ ...match, ...plain.span(match.start, match.end) })));
};
