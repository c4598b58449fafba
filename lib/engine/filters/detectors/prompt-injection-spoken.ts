/** Words without which some patterns of characters don't match, by their bits. */
export const SPEAKER = 1;
export const ASSISTANT = 2;
const EDGE = 4;
const SYSTEM = 8;
export const FETCH = 16;
/** A character of a script without spaces between words. */
export const UNSPACED = 32;
/** A word of `EDGE` or `SYSTEM` after a line of marks, and one of `SYSTEM` after one of `EDGE`. */
export const RULED = 64;
export const AFTER_EDGE = 128;
const BY_BIT: readonly (readonly [bit: number, words: readonly string[]])[] = [
  [SPEAKER, ["system", "developer", "admin", "root"]],
  [ASSISTANT, ["assistant"]],
  [EDGE, ["end", "begin", "start", "beginning"]],
  [SYSTEM, ["system"]],
  [FETCH, ["curl", "wget"]],
];
export const SPOKEN_WORDS: readonly string[] = BY_BIT.flatMap(([, words]) => words);
const ANY = new RegExp(`\\b(?:${SPOKEN_WORDS.join("|")})\\b`, "iu");
const SPOKEN = BY_BIT.map(([bit, words]) => [bit, new RegExp(`\\b(?:${words.join("|")})\\b`, "iu")] as const);

/** Returns the bits of a character. */
export const spokenBy = (unit: number): number =>
  (unit >= 0x600 && unit <= 0x97f) || (unit >= 0x3000 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7af)
    ? UNSPACED
    : 0;

/** Returns the bits of a raw word. */
export const spokenIn = (raw: string): number =>
  ANY.test(raw) ? SPOKEN.reduce((bits, [bit, word]) => (word.test(raw) ? bits | bit : bits), 0) : 0;

const [LINE, SPACE] = [10, 32];
const codes = (characters: string) => new Set(characters.split("").map((character) => character.charCodeAt(0)));
const LINE_MARKS = codes(" #>*");
const RULE_MARKS = codes('-=*#"_');
const BLANKS = codes(" \t\n\r\v\f");
/** Number of characters of each kind that a pattern allows before a word. */
const [MOST_LINE_MARKS, RULE_LENGTH, MOST_BLANKS] = [8, 3, 4];

function isAtLineStart(units: Uint16Array, start: number): boolean {
  let at = start;
  while (at > 0 && start - at < MOST_LINE_MARKS && LINE_MARKS.has(units[at - 1] as number)) at -= 1;
  return at === 0 || units[at - 1] === LINE;
}

function isAfterRule(units: Uint16Array, start: number): boolean {
  let at = start;
  while (at > 0 && start - at < MOST_BLANKS && BLANKS.has(units[at - 1] as number)) at -= 1;
  for (let back = 1; back <= RULE_LENGTH; back += 1)
    if (at < back || !RULE_MARKS.has(units[at - back] as number)) return (units[at - 1] as number) > 127;
  return true;
}

/** The word before ends like "end" or "begin". */
const isAfterEdge = (units: Uint16Array, start: number) =>
  start > 2 && units[start - 1] === SPACE && /[dn\u0080-\uffff]/i.test(String.fromCharCode(units[start - 2] as number));

/**
 * Returns the bits of a word that apply where it is: patterns need some of the words at the beginning of a line, or after
 * marks. `isWhole` is false for a word that is more than ASCII letters.
 */
export function spokenAt(bits: number, units: Uint16Array, start: number, isWhole: boolean): number {
  if (bits === 0) return 0;
  if (!isWhole) return bits | RULED | AFTER_EDGE;
  let all = bits;
  if ((bits & (SPEAKER | ASSISTANT)) !== 0 && !isAtLineStart(units, start)) all &= ~(SPEAKER | ASSISTANT);
  if ((bits & (EDGE | SYSTEM)) !== 0 && isAfterRule(units, start)) all |= RULED;
  return (bits & SYSTEM) !== 0 && isAfterEdge(units, start) ? all | AFTER_EDGE : all;
}
