/** Words without which some patterns of characters don't match, by their bits. */
export const SPEAKER = 1;
export const ASSISTANT = 2;
export const EDGE = 4;
export const SYSTEM = 8;
export const FETCH = 16;
/** A character of a script without spaces between words. */
export const UNSPACED = 32;
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
