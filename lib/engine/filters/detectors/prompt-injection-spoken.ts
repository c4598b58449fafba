/** Words without which some patterns of characters don't match, by their bits. */
export const SPEAKER = 1;
export const ASSISTANT = 2;
export const EDGE = 4;
export const SYSTEM = 8;
export const FETCH = 16;
const SPOKEN: readonly (readonly [bit: number, word: RegExp])[] = [
  [SPEAKER, /\b(?:system|developer|admin|root)\b/iu],
  [ASSISTANT, /\bassistant\b/iu],
  [EDGE, /\b(?:end|begin|start|beginning)\b/iu],
  [SYSTEM, /\bsystem\b/iu],
  [FETCH, /\b(?:curl|wget)\b/iu],
];

/** Returns the bits of a raw word. */
export const spokenIn = (raw: string): number =>
  SPOKEN.reduce((bits, [bit, word]) => (word.test(raw) ? bits | bit : bits), 0);
