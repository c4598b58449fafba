import { after, classAt, classOf, isSurrogate, LETTER, MARK } from "../characters";
import { unitsOf } from "../code-units";
import { remembered } from "../remembered";
import { endOfToken, isLead } from "./address-tokens";
import { DIRECTIONS, STREETS_ALONE, STREET_ENDINGS, STREET_WORDS, TYPES_AFTER, TYPES_BEFORE } from "./address-words";

/** Offsets at which parts of an address may be; patterns are run and tokens are read only there. */
export interface AddressOutline {
  /** Starts of tokens at which a street or a postcode can start. */
  starts: number[];
  /** Starts of digits that can be a house number of a national address. */
  houses: number[];
  /** Starts of words that may introduce an address. */
  cues: number[];
  /** Starts of words for a flat or office. */
  units: number[];
  hasMilitary: boolean;
  /** Starts of words for a PO box. */
  boxes: number[];
  /** True when the text may have characters of East Asian scripts. */
  isFar: boolean;
}

const [LETTERS, DIGITS, BLANKS, LINE, FOREIGN] = [1, 2, 3, 4, 5];
const KINDS = new Uint8Array(65536).fill(FOREIGN, 128);
KINDS.fill(LETTERS, 65, 91);
KINDS.fill(LETTERS, 97, 123);
KINDS.fill(DIGITS, 48, 58);
for (const blank of [9, 11, 12, 13, 32]) KINDS[blank] = BLANKS;
KINDS[10] = LINE;

const words = (text: string) => text.split(" ");
/** Meanings of words, as bits. */
const [LEAD, CUE, UNIT, MILITARY, BOX] = [1, 2, 4, 8, 16];
const MEANINGS: readonly (readonly [meaning: number, words: readonly string[]])[] = [
  [LEAD, [...STREET_WORDS, ...TYPES_BEFORE, "c"]],
  [
    CUE,
    words(
      "address addresses live lives located situated drops station stop restaurant shop office store sent shipped ship deliver delivered return send move moved meet see visit it user billing",
    ),
  ],
  [UNIT, words("apt apartment suite")],
  [MILITARY, words("apo fpo dpo")],
  [BOX, words("box obox pobox bag postfach postale bp apartado casella postbus caixa skrytka")],
];
const meaningOf = remembered((word) => {
  const lower = word.toLowerCase();
  return MEANINGS.reduce((sum, [meaning, all]) => (all.includes(lower) ? sum | meaning : sum), 0);
});
/** Types and directions of streets; one of them follows the house number. */
const STREET_TYPES = new Set([...TYPES_AFTER, ...TYPES_BEFORE, ...STREETS_ALONE, ...DIRECTIONS]);
/** A character from the first East Asian block on (U+2E80). */
const FAR = /[\u2e80-\uffff]/;

/** Set of the last three letters of `STREET_ENDINGS`, indexed by five bits of each letter. */
const LAST_LETTERS = new Uint8Array(1 << 15);
const placeOf = (one: number, two: number, three: number) => ((one & 31) << 10) | ((two & 31) << 5) | (three & 31);
for (const ending of STREET_ENDINGS)
  LAST_LETTERS[
    placeOf(
      ending.charCodeAt(ending.length - 3),
      ending.charCodeAt(ending.length - 2),
      ending.charCodeAt(ending.length - 1),
    )
  ] = 1;

/** True when the word of ASCII letters that ends at `end` may have one of `STREET_ENDINGS`. */
const hasStreetEnding = (units: Uint16Array, end: number) =>
  LAST_LETTERS[placeOf(units[end - 3] as number, units[end - 2] as number, units[end - 1] as number)] === 1;

/** Maximum number of words between a house number and the type of its street. */
const MOST_WORDS = 10;

const setOf = (characters: string) => {
  const codes = new Uint8Array(128);
  for (const character of characters.split("")) codes[character.charCodeAt(0)] = 1;
  return codes;
};
/** Characters that exclude a house number when they precede digits, and characters that surround one. */
const NOT_BEFORE_HOUSE = setOf(".:=_#$+@/\\-");
const BEFORE_HOUSE = setOf(" \t\n\r\v\f,");
const AFTER_HOUSE = setOf(" \t\n\r\v\f,");

/** True for a letter or mark beyond ASCII; surrogates may be one. */
const isForeignLetter = (unit: number) => isSurrogate(unit) || (classOf(unit) & (LETTER | MARK)) !== 0;

/** Maximum number of other characters per word before a street's type, such as the point of an abbreviation. */
const MARKS_PER_WORD = 4;

/**
 * True when a word between `from` and `to` is in `known` or has letters beyond ASCII. `most` limits the words read,
 * which are then of one line.
 */
export function leadsTo(known: ReadonlySet<string>, text: string, from: number, to: number, most = Infinity): boolean {
  const units = unitsOf(text);
  let chunks = 0;
  let marks = 0;
  for (let at = from; at < to;) {
    let unit = units[at] as number;
    let kind = KINDS[unit] as number;
    if (kind === LINE && most < Infinity) return false;
    if (kind === FOREIGN && isForeignLetter(unit)) return true;
    if (kind !== LETTERS) {
      if (kind !== BLANKS) {
        if ((marks += 1) > most * MARKS_PER_WORD) return false;
      } else if (KINDS[units[at + 1] as number] !== BLANKS && (chunks += 1) > most) return false;
      at += 1;
      continue;
    }
    const start = at;
    while (kind === LETTERS) {
      at += 1;
      unit = units[at] as number;
      kind = KINDS[unit] as number;
    }
    if ((kind === FOREIGN && isForeignLetter(unit)) || known.has(text.slice(start, at).toLowerCase())) return true;
  }
  return false;
}

/** True when a street or a postcode may start at a number. */
function canStart(text: string, units: Uint16Array, start: number, end: number): boolean {
  let digits = start;
  while (KINDS[units[digits] as number] === DIGITS) digits += 1;
  const length = digits === end ? end - start : 0;
  let next = end;
  while (KINDS[units[next] as number] === BLANKS) next += 1;
  const following = units[next] as number;
  const kind = KINDS[following] as number;
  if (length === 6 || (length === 3 && kind === DIGITS)) return true;
  if (length === 0 && text.slice(digits, end).includes("-")) return true;
  if (length === 4 || length === 5) {
    if (kind === LETTERS || kind === FOREIGN || following === 46) return true;
    let previous = start - 1;
    while (previous >= 0 && KINDS[units[previous] as number] === BLANKS) previous -= 1;
    const before = previous < 0 ? 0 : (KINDS[units[previous] as number] as number);
    if (before === LETTERS || before === FOREIGN) return true;
  }
  if (kind !== LETTERS && kind !== FOREIGN && kind !== DIGITS && following !== 44) return false;
  return leadsTo(STREET_TYPES, text, end, text.length, MOST_WORDS);
}

const isLetter = (text: string, at: number) => (classAt(text, at) & (LETTER | MARK)) !== 0;

/** Reads the words and numbers of a text, and returns the offsets of parts of addresses. */
export function addressOutline(text: string): AddressOutline {
  const units = unitsOf(text);
  const outline: AddressOutline = {
    starts: [],
    houses: [],
    cues: [],
    units: [],
    hasMilitary: false,
    boxes: [],
    isFar: FAR.test(text),
  };
  for (let at = 0; at < text.length;) {
    const start = at;
    while (KINDS[units[at] as number] === LETTERS) at += 1;
    if (at === start) {
      at = afterOther(text, units, start, outline);
      continue;
    }
    const unit = units[at] as number;
    const end = unit === 39 || unit === 45 || unit > 127 ? endOfToken(text, start) : at;
    if (end > at) {
      addParts(text, units, start, end, outline);
      addWord(text, units, start, end, outline);
      at = end;
      continue;
    }
    const length = at - start;
    const meaning = meaningOf(text.slice(start, at));
    const canLead =
      length <= 2 && KINDS[unit] === DIGITS
        ? true
        : ((meaning & LEAD) !== 0 || (length > 5 && (units[start] as number) < 97 && hasStreetEnding(units, at))) &&
          isLead(text, start, at);
    if (canLead) outline.starts.push(start);
    addKnown(meaning, start, outline);
  }
  return outline;
}

/** Adds the number or the word beyond ASCII at `start`; returns the offset after it, or after another character. */
function afterOther(text: string, units: Uint16Array, start: number, outline: AddressOutline): number {
  const kind = KINDS[units[start] as number] as number;
  if (kind === DIGITS) {
    const end = endOfToken(text, start);
    if (canStart(text, units, start, end)) outline.starts.push(start);
    addHouses(units, start, end, outline.houses);
    addParts(text, units, start, end, outline);
    return end;
  }
  if (kind !== FOREIGN) return start + 1;
  if (!isLetter(text, start)) return after(text, start);
  const end = endOfToken(text, start);
  addParts(text, units, start, end, outline);
  addWord(text, units, start, end, outline);
  return end;
}

function addKnown(meaning: number, start: number, outline: AddressOutline): void {
  if ((meaning & CUE) !== 0) outline.cues.push(start);
  if ((meaning & UNIT) !== 0) outline.units.push(start);
  if ((meaning & MILITARY) !== 0) outline.hasMilitary = true;
  if ((meaning & BOX) !== 0) outline.boxes.push(start);
}

/** Adds a word with apostrophes, hyphens or characters beyond ASCII. */
function addWord(text: string, units: Uint16Array, start: number, end: number, { starts }: AddressOutline): void {
  if ((end - start <= 2 && KINDS[units[end] as number] === DIGITS) || isLead(text, start, end)) starts.push(start);
}

/** Adds the known words among the runs of ASCII letters within a token. */
function addParts(text: string, units: Uint16Array, start: number, end: number, outline: AddressOutline): void {
  for (let at = start; at < end;) {
    const from = at;
    while (KINDS[units[at] as number] === LETTERS) at += 1;
    if (at > from) addKnown(meaningOf(text.slice(from, at)), from, outline);
    else at += 1;
  }
}

/** Adds the start of a number that can be a house number. */
function addHouses(units: Uint16Array, start: number, end: number, houses: number[]): void {
  const before = start > 0 ? (units[start - 1] as number) : 32;
  const kind = KINDS[before] as number;
  if (kind === LETTERS || NOT_BEFORE_HOUSE[before] === 1) return;
  let digits = start;
  while (KINDS[units[digits] as number] === DIGITS) digits += 1;
  if (digits - start > 5) return;
  const next = units[end] as number;
  if (BEFORE_HOUSE[before] === 1 || kind === FOREIGN || AFTER_HOUSE[next] === 1 || next > 127 || digits < end)
    houses.push(start);
}
