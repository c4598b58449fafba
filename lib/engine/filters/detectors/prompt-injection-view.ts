import { plainWords } from "./prompt-injection-words";

/** A normalized text that maps its UTF-16 units to the original. */
export interface View {
  text: string;
  /** Returns the span of the original text for a span of this view. */
  span(start: number, end: number): { start: number; end: number };
}

const TAG_CHARACTERS = 0xe0000;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const isAccent = (code: number) => code >= 0x300 && code <= 0x36f;
const HAS_ACCENT = /[\u00c0-\u052f\u1e00-\u1eff]/;

function plainCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > TAG_CHARACTERS + 0x1f && code < TAG_CHARACTERS + 0x7f) return String.fromCharCode(code - TAG_CHARACTERS);
  if (isAccent(code) || INVISIBLE.test(character)) return "";
  const compatible = character.normalize("NFKC");
  return HAS_ACCENT.test(compatible) ? compatible.normalize("NFD").replace(/[\u0300-\u036f]/g, "") : compatible;
}

/** Normalizes a text: folds compatibility forms and accents and removes invisible characters; keeps case. */
export function plainView(text: string): View {
  if (/^\p{ASCII}*$/u.test(text)) return { text, span: (start, end) => ({ start, end }) };
  const starts: number[] = [];
  const ends: number[] = [];
  let plain = "";
  let offset = 0;
  for (const character of text) {
    const end = offset + character.length;
    const written = character < "\x80" ? character : plainCharacter(character);
    starts.push(...Array<number>(written.length).fill(offset));
    ends.push(...Array<number>(written.length).fill(end));
    plain += written;
    offset = end;
  }
  return { text: plain, span: (start, end) => ({ start: starts[start] ?? offset, end: ends[end - 1] ?? offset }) };
}

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
