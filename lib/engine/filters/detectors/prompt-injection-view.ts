import { after, classAt, classOf, endOfRun, LETTER, NUMBER, SPACE } from "../characters";
import { unitsOf } from "../code-units";
import { JOINTS, letterRuns } from "../letter-runs";
import type { View } from "../view/view";
import { WordCache } from "../word-cache";
import { WordFilter } from "../word-hash";
import { isFirst, knownWords, marksByHash, wordOf, type Word, type WordList } from "./prompt-injection-gate";
import { SPOKEN_WORDS, spokenAt, spokenBy, spokenIn } from "./prompt-injection-spoken";
import { KEY_WORDS, plainWords, SHORTEST_COMPOUND, VOCABULARY } from "./prompt-injection-words";

const APOSTROPHE = 39;
const TYPOGRAPHIC = 8217;

/** True where a mark can end a sentence: before space, a quotation mark or a bracket. */
function endsSentence(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === 34 || code === 39 || code === 41 || code === 93 || (classOf(code) & SPACE) !== 0;
}

function isSign(code: number): boolean {
  return code === 64 || code === 36;
}

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
  /** A letter, digit or sign alone, which may belong to a spaced-out word. */
  single: Word | null;
  /** Words in it that patterns of characters need, as bits. */
  spoken: number;
}

const known = new WordCache<Known>((raw) => ({
  words: plainWords(raw.toLowerCase().replace(/['’]/g, ""), false).map(({ word }) => wordOf(word)),
  single: raw.length === 1 && /[a-z0-9@$]/i.test(raw) ? wordOf(raw.toLowerCase()) : null,
  spoken: spokenIn(raw),
}));

/** Kinds of ASCII characters of words, as bits; other units are `FOREIGN`. */
const [LETTERS, DIGITS, SIGNS, FOREIGN] = [1, 2, 4, 8];
const KINDS = new Uint8Array(65536).fill(FOREIGN, 128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) KINDS[code] = LETTERS;
  else if (/\d/.test(character)) KINDS[code] = DIGITS;
  else if (isSign(code)) KINDS[code] = SIGNS;
}

interface Gate {
  /** Words of letters that are known, or disguise a known word. */
  marked: WordFilter;
  /** Marks by hash: words that indicate a phrase or that character patterns need are looked up, the others only near these. */
  marks: Int32Array;
  /** Length from which a word of digits is neither known nor stands for letters. */
  digits: number;
  /** Marks that count as words. */
  point: Word;
  colon: Word;
}

let words: Gate | undefined;

function gate(): Gate {
  if (words) return words;
  const all = [...knownWords().keys(), ...KEY_WORDS, ...SPOKEN_WORDS];
  const digits = 1 + Math.max(...[...all, ...VOCABULARY].map(({ length }) => length));
  const cues = [...knownWords().values()].flatMap((word) => (word.cues.length > 0 ? word.text : []));
  const marks = marksByHash([...cues, ...SPOKEN_WORDS]);
  return (words = { marked: new WordFilter(all, 15), marks, digits, point: wordOf("."), colon: wordOf(":") });
}

/** The words of a text with their places; they are valid until the words of another text are read. */
export interface Words extends WordList {
  starts: Int32Array;
  ends: Int32Array;
  /** Words among them that patterns of characters need, as bits. */
  spoken: number;
}

/** Returns the end of a word with its apostrophes. */
function endOfSpoken(text: string, start: number): number {
  let at = endOfWord(text, start);
  for (let mark = text.charCodeAt(at); mark === APOSTROPHE || mark === TYPOGRAPHIC; mark = text.charCodeAt(at)) {
    const end = endOfRun(text, at + 1, LETTER);
    if (end === at + 1) break;
    at = end;
  }
  return at;
}

/**
 * Reads the lower-case words of a text; marks that end a sentence are `.`, and colons are kept. Joins spaced-out
 * letters, splits concatenated key words and corrects disguised ones. Only words that may be known are looked up.
 */
export function wordsOf(text: string): Words {
  const { marked, marks: byHash, digits, point, colon } = gate();
  const units = unitsOf(text);
  const runs = letterRuns(text);
  let run = 0;
  if (places.starts.length <= text.length + 1)
    places = { starts: newPlaces(text), ends: newPlaces(text), hashes: newPlaces(text), marks: newPlaces(text) };
  const { starts, ends, hashes, marks } = places;
  let count = 0;
  const cues: number[] = [];
  let spoken = 0;
  const push = (word: Word | null, start: number, end: number) => {
    if (word !== null && word.cues.length > 0) cues.push(count);
    found[count] = word;
    starts[count] = start;
    ends[count] = end;
    marks[count] = word === null ? 0 : word.marks;
    count += 1;
  };
  /** Letters, digits and signs that follow each other as words. */
  let singles: { start: number; end: number; single: Word }[] = [];
  const close = () => {
    if (singles.length < 5) for (const { single, start, end } of singles) push(single, start, end);
    else
      for (const { word, from, to } of plainWords(singles.map(({ single }) => single.text).join(""), true))
        push(wordOf(word), singles[from]?.start ?? 0, singles[to - 1]?.end ?? 0);
    singles = [];
  };
  const add = (word: Known, start: number, end: number, isWhole: boolean) => {
    spoken |= spokenAt(word.spoken, units, start, isWhole);
    if (word.single) singles.push({ start, end, single: word.single });
    else {
      if (singles.length > 0) close();
      for (const each of word.words) push(each, start, end);
    }
  };
  const mask = byHash.length - 1;
  for (let at = 0; at < text.length;) {
    const start = at;
    let kinds = 0;
    while ((runs.starts[run] as number) < at) run += 1;
    const isOfLetters = runs.starts[run] === at;
    if (isOfLetters) at = runs.ends[run] as number;
    let unit = units[at] as number;
    let kind = KINDS[unit] as number;
    if (isOfLetters && kind === 0 && unit !== APOSTROPHE) {
      const length = at - start;
      const hash = runs.hashes[run] as number;
      const bits = byHash[hash & mask] as number;
      if (length > 1 && length < SHORTEST_COMPOUND && !isFirst(bits)) {
        if (singles.length > 0) close();
        found[count] = undefined;
        starts[count] = start;
        ends[count] = at;
        hashes[count] = hash;
        marks[count] = bits;
        count += 1;
      } else add(known.get(text, units, start, at), start, at, true);
      run += 1;
      // Only characters that aren't blanks or marks within sentences are examined.
      if (((runs.gaps[run] as number) & ~JOINTS) === 0) at = runs.starts[run] as number;
      continue;
    }
    while (kind > 0 && kind < FOREIGN) {
      kinds |= kind;
      at += 1;
      unit = units[at] as number;
      kind = KINDS[unit] as number;
    }
    let end = at;
    if (unit === APOSTROPHE ? at > start : kind === FOREIGN && (at > start || isWordAt(text, start)))
      end = endOfSpoken(text, start);
    if (kind === FOREIGN || end > at)
      for (let place = at; place <= end; place += 1) spoken |= spokenBy(units[place] as number);
    if (end > start) {
      const length = end - start;
      if (end === at && kinds === DIGITS && !isOfLetters && length >= digits) {
        if (singles.length > 0) close();
        push(null, start, end);
        continue;
      }
      at = end;
      add(known.get(text, units, start, end), start, end, isOfLetters && end === runs.ends[run]);
    } else {
      const isEnd = unit === 46 || unit === 33 || unit === 63 || unit === 59;
      if (isEnd ? endsSentence(text, at + 1) : unit === 58 && isColon(text, at + 1)) {
        if (singles.length > 0) close();
        push(isEnd ? point : colon, at, at + 1);
      }
      at = kind === FOREIGN ? after(text, at) : at + 1;
    }
  }
  if (singles.length > 0) close();
  const wordAt = (at: number): Word | null => {
    const known = found[at];
    if (known !== undefined) return known;
    const looked = marked.mayHave(hashes[at] as number)
      ? lookedUp(text, units, starts[at] as number, ends[at] as number)
      : null;
    found[at] = looked;
    return looked;
  };
  const textAt = (at: number) => wordAt(at)?.text ?? text.slice(starts[at], ends[at]).toLowerCase();
  const joined = (from: number, to: number) => {
    let all = "";
    for (let at = from; at < to; at += 1) all += at > from ? ` ${textAt(at)}` : textAt(at);
    return all;
  };
  const isAt = (at: number, word: string) => {
    const known = wordAt(at);
    return known ? known.text === word : isWritten(units, starts[at] as number, ends[at] as number, word);
  };
  return { words: found, hashes, marks, length: count, cues, wordAt, isAt, starts, ends, spoken, joined };
}

/** Looks up a word that stands for a single one. */
const lookedUp = (text: string, units: Uint16Array, start: number, end: number): Word | null =>
  known.get(text, units, start, end).words[0] ?? null;

/** The words of the last text and their places; the arrays are used again. */
const found: (Word | null | undefined)[] = [];
const NO_PLACES = new Int32Array(0);
let places = { starts: NO_PLACES, ends: NO_PLACES, hashes: NO_PLACES, marks: NO_PLACES };

const newPlaces = (text: string) => new Int32Array(2 * text.length + 2);

/** True when a word of ASCII letters and digits is written at a place, in any case. */
function isWritten(units: Uint16Array, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false;
  for (let at = 0; at < word.length; at += 1) {
    const unit = units[start + at] as number;
    if ((unit < 65 || unit > 90 ? unit : unit | 32) !== word.charCodeAt(at)) return false;
  }
  return true;
}

const isWordAt = (text: string, at: number) => (classAt(text, at) & (LETTER | NUMBER)) !== 0;

const isColon = (text: string, next: number) => next >= text.length || (classOf(text.charCodeAt(next)) & SPACE) !== 0;

/** Joins words by single spaces, such as ` ignore all rules . `, as a view of the plain text they were read from. */
export function wordsView(plain: View, { length, starts, ends, joined }: Words): View {
  const offsets: number[] = [];
  let text = " ";
  for (let place = 0; place < length; place += 1) {
    offsets.push(text.length);
    text += `${joined(place, place + 1)} `;
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
