import { after, classAt, classOf, endOfRun, isSurrogate, LETTER, NUMBER, SPACE } from "../characters";
import type { View } from "../view/view";
import { WordCache } from "../word-cache";
import { wordOf, type Word } from "./prompt-injection-gate";
import { spokenIn } from "./prompt-injection-spoken";
import { plainWords } from "./prompt-injection-words";

const APOSTROPHE = 39;
const TYPOGRAPHIC = 8217;

/** True where a mark can end a sentence: before space, a quotation mark or a bracket. */
function endsSentence(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === 34 || code === 39 || code === 41 || code === 93 || (classOf(code) & SPACE) !== 0;
}

const isSign = (code: number) => code === 64 || code === 36;

/** Returns the end of a run of letters, digits, `@` and `$`. */
function endOfWord(text: string, from: number): number {
  let at = from;
  for (;;) {
    const end = endOfRun(text, at, LETTER | NUMBER);
    if (!isSign(text.charCodeAt(end))) return end;
    at = end + 1;
  }
}

interface Known {
  /** The plain words that a raw word stands for. */
  words: readonly Word[];
  /** True for a letter, digit or sign alone, which may belong to a spaced-out word. */
  isSingle: boolean;
  /** Words in it that patterns of characters need, as bits. */
  spoken: number;
}

const known = new WordCache<Known>((raw) => ({
  words: plainWords(raw.toLowerCase().replace(/['’]/g, ""), false).map(({ word }) => wordOf(word)),
  isSingle: raw.length === 1 && /[a-z0-9@$]/i.test(raw),
  spoken: spokenIn(raw),
}));

/** The words of a text with their places. */
export interface Words {
  words: Word[];
  starts: number[];
  ends: number[];
  /** Words among them that patterns of characters need, as bits. */
  spoken: number;
}

/**
 * Reads the lower-case words of a text; marks that end a sentence are `.`, and colons are kept. Joins spaced-out
 * letters, splits concatenated key words and corrects disguised ones.
 */
export function wordsOf(text: string): Words {
  const words: Word[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let spoken = 0;
  const push = (word: Word, start: number, end: number) => {
    words.push(word);
    starts.push(start);
    ends.push(end);
  };
  let letters: { word: string; start: number; end: number }[] = [];
  const close = () => {
    if (letters.length < 5) for (const { word, start, end } of letters) push(wordOf(word), start, end);
    else
      for (const { word, from, to } of plainWords(letters.map(({ word: letter }) => letter).join(""), true))
        push(wordOf(word), letters[from]?.start ?? 0, letters[to - 1]?.end ?? 0);
    letters = [];
  };
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (isSign(code) || ((isSurrogate(code) ? classAt(text, at) : classOf(code)) & (LETTER | NUMBER)) !== 0) {
      const start = at;
      at = endOfWord(text, at);
      for (let mark = text.charCodeAt(at); mark === APOSTROPHE || mark === TYPOGRAPHIC; mark = text.charCodeAt(at)) {
        const end = endOfRun(text, at + 1, LETTER);
        if (end === at + 1) break;
        at = end;
      }
      const word = known.get(text, start, at);
      spoken |= word.spoken;
      if (word.isSingle) letters.push({ word: text.charAt(start).toLowerCase(), start, end: at });
      else {
        if (letters.length > 0) close();
        for (const each of word.words) push(each, start, at);
      }
    } else {
      const isEnd = code === 46 || code === 33 || code === 63 || code === 59;
      if (isEnd ? endsSentence(text, at + 1) : code === 58 && isColon(text, at + 1)) {
        if (letters.length > 0) close();
        push(wordOf(isEnd ? "." : ":"), at, at + 1);
      }
      at = after(text, at);
    }
  }
  if (letters.length > 0) close();
  return { words, starts, ends, spoken };
}

const isColon = (text: string, next: number) => next >= text.length || (classOf(text.charCodeAt(next)) & SPACE) !== 0;

/** Joins words by single spaces, such as ` ignore all rules . `, as a view of the plain text they were read from. */
export function wordsView(plain: View, { words, starts, ends }: Words): View {
  const offsets: number[] = [];
  let text = " ";
  for (const { text: word } of words) {
    offsets.push(text.length);
    text += `${word} `;
  }
  /** Returns the last word that starts at or before an offset. */
  const wordAt = (offset: number): number => {
    let [low, high] = [0, offsets.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((offsets[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    text,
    span: (start, end) =>
      plain.span(starts[wordAt(text[start] === " " ? start + 1 : start)] ?? 0, ends[wordAt(end - 1)] ?? 0),
  };
}
