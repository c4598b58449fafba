import { RegExpParser, type AST } from "@eslint-community/regexpp";

/** Patterns of one kind of attack, with texts that they match and similar ones that they don't. */
export interface Family {
  family: string;
  pattern: RegExp;
  matches: readonly string[];
  harmless: readonly string[];
}

/** A family of phrases that are matched on the words of a text. Its pattern is tried only at one of its first words. */
export interface PhraseFamily extends Family {
  firstWords: ReadonlySet<string>;
}

/** Matches up to `most` words within one sentence. */
export const gap = (most: number) => `(?: [^ .:]{1,24}){0,${most}}`;

/** Defines a family of phrases; each starts and ends at a word boundary. */
export function phrases(
  family: string,
  examples: Pick<Family, "matches" | "harmless">,
  ...alternatives: readonly string[]
): PhraseFamily {
  const source = `(?:${alternatives.join("|")})(?= )`;
  return { family, ...examples, pattern: new RegExp(source, "y"), firstWords: firstWordsOf(source) };
}

function firstWordsOf(source: string): ReadonlySet<string> {
  const { alternatives } = new RegExpParser().parsePattern(source);
  const words = beginnings(alternatives, [""]).map((beginning) => beginning.split(" ", 1)[0] ?? "");
  return new Set(words.filter((word) => word !== ""));
}

/** Appends each alternative to each of the given texts, each up to its first space. */
const beginnings = (alternatives: readonly AST.Alternative[], given: readonly string[]): string[] =>
  alternatives.flatMap(({ elements }) =>
    elements.reduce<readonly string[]>(
      (texts, element) => [
        ...texts.filter((text) => text.includes(" ")),
        ...continued(
          texts.filter((text) => !text.includes(" ")),
          element,
        ),
      ],
      given,
    ),
  );

function continued(texts: readonly string[], element: AST.Element): readonly string[] {
  if (texts.length === 0 || element.type === "Assertion") return texts;
  if (element.type === "Character") return texts.map((text) => text + element.raw);
  if (element.type === "Group") return beginnings(element.alternatives, texts);
  if (element.type === "Quantifier") return [...(element.min === 0 ? texts : []), ...continued(texts, element.element)];
  // Invented names such as `[a-z]{2,12}bot` are looked up by their ending.
  if (element.type === "CharacterClass")
    return element.elements.flatMap(({ type, raw }) => (type === "Character" ? texts.map((text) => text + raw) : []));
  throw new Error(`the first word of a phrase can't contain ${element.raw}`);
}
