import { parseJson } from "../../platform/json-values";
import { fragmentsOf, type Fragment } from "../filters/fragments";
import type { Leaf } from "../filters/leaves";

/** A text that a check reads: a whole leaf, or the decoded part of a payload. */
export interface CheckText {
  text: string;
  leaf: Leaf;
  /** The decoded part of a payload; null for a whole leaf. */
  fragment: Fragment | null;
}

/**
 * Returns the texts of a request or an answer for a check, then its names and ids. Tool arguments stay whole, and binary payloads have
 * no text.
 */
export function checkTexts(leaves: Iterable<Leaf | null>): CheckText[] {
  const texts = [...leaves].flatMap((leaf): CheckText[] => {
    if (!leaf?.text) return [];
    if (leaf.form !== "media" && leaf.form !== "file") return [{ text: leaf.text, leaf, fragment: null }];
    return fragmentsOf(leaf.form, leaf.text)
      .filter(({ text, start }) => start > 0 || !PLAIN_HEAD.test(text))
      .map((fragment) => ({ text: fragment.text, leaf, fragment }));
  });
  return [...texts.filter(({ leaf }) => !leaf.isFixed), ...texts.filter(({ leaf }) => leaf.isFixed)];
}

/** The head of a data URL without other parameters. */
const PLAIN_HEAD = /^data:[\w+.-]{0,40}\/?[\w+.-]{0,40}(?:;charset=[\w-]{1,20})?(?:;base64)?,$/i;

/** The part of a text that a check replaced, as offsets in UTF-16 code units. */
export interface Replaced {
  path: (string | number)[];
  start: number;
  end: number;
}

const isJson = (text: string): boolean => {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
};

/** Returns the reason a replacement can't be written; null when it can. */
export const replacementProblem = ({ leaf, text }: CheckText, replacement: string): string | null =>
  leaf.isFixed
    ? "is a name, an id, a URL or a grammar, which can't be rewritten"
    : leaf.form === "json" && isJson(text) && !isJson(replacement)
      ? "must stay valid JSON"
      : null;

/** Returns the new text of every leaf that has replacements; parts of one leaf are replaced from its end. */
export function rewrittenLeaves(
  texts: readonly CheckText[],
  replacements: ReadonlyMap<number, string>,
): ReadonlyMap<Leaf, string> {
  const leaves = new Map<Leaf, string>();
  const fromEnd = [...replacements].toSorted(
    ([a], [b]) => (texts[b]?.fragment?.start ?? 0) - (texts[a]?.fragment?.start ?? 0),
  );
  for (const [index, replacement] of fromEnd) {
    const { leaf, fragment } = texts[index] as CheckText;
    const before = leaves.get(leaf) ?? leaf.text;
    leaves.set(
      leaf,
      fragment
        ? before.slice(0, fragment.start) + fragment.encode(replacement) + before.slice(fragment.end)
        : replacement,
    );
  }
  return leaves;
}

/** Returns the place of the change within the text. */
export function replacedPart({ leaf, text, fragment }: CheckText, replacement: string): Replaced {
  const shorter = Math.min(text.length, replacement.length);
  let head = 0;
  while (head < shorter && text[head] === replacement[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && text.at(-1 - tail) === replacement.at(-1 - tail)) tail += 1;
  const part = { start: head, end: text.length - tail };
  return { path: [...leaf.path], ...(fragment ? fragment.place(part.start, part.end) : part) };
}
