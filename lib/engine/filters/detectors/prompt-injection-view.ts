import type { View } from "../view/view";
import { plainWords } from "./prompt-injection-words";

const TOKEN = /[\p{L}\p{N}@$]+(?:['’][\p{L}]+)*|[.!?;](?=\s|$|["')\]])|:(?=\s|$)/gu;

interface Token {
  word: string;
  start: number;
  end: number;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let letters: Token[] = [];
  const close = () => {
    tokens.push(
      ...(letters.length < 5
        ? letters
        : plainWords(letters.map(({ word }) => word).join(""), true).map(({ word, from, to }) => ({
            word,
            start: letters[from]?.start ?? 0,
            end: letters[to - 1]?.end ?? 0,
          }))),
    );
    letters = [];
  };
  for (const { 0: raw, index: start } of text.matchAll(TOKEN)) {
    const end = start + raw.length;
    if (raw.length === 1 && /[a-z0-9@$]/i.test(raw)) {
      letters.push({ word: raw.toLowerCase(), start, end });
      continue;
    }
    close();
    if (/^[.!?;]/.test(raw)) tokens.push({ word: ".", start, end });
    else if (raw === ":") tokens.push({ word: ":", start, end });
    else
      for (const { word } of plainWords(raw.toLowerCase().replace(/['’]/g, ""), false))
        tokens.push({ word, start, end });
  }
  close();
  return tokens;
}

/**
 * Reduces a plain view to lower-case words separated by single spaces, such as ` ignore all rules . `; sentences end
 * with `.` and colons are kept. Joins spaced-out letters, splits concatenated key words and corrects disguised ones.
 */
export function wordsView(plain: View): View {
  const tokens = tokensOf(plain.text);
  const offsets: number[] = [];
  let text = " ";
  for (const { word } of tokens) {
    offsets.push(text.length);
    text += `${word} `;
  }
  /** Returns the last token that starts at or before an offset. */
  const tokenAt = (offset: number): Token | undefined => {
    let [low, high] = [0, offsets.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((offsets[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return tokens[low];
  };
  return {
    text,
    span: (start, end) =>
      plain.span(tokenAt(text[start] === " " ? start + 1 : start)?.start ?? 0, tokenAt(end - 1)?.end ?? 0),
  };
}
