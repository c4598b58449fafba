/** Classes of characters, as bits; `KNOWN` marks a code unit whose classes have been computed. */
export const LETTER = 1;
export const MARK = 2;
export const NUMBER = 4;
export const SPACE = 8;
const KNOWN = 128;

const PATTERNS: readonly (readonly [bit: number, pattern: RegExp])[] = [
  [LETTER, /^\p{L}$/u],
  [MARK, /^\p{M}$/u],
  [NUMBER, /^\p{N}$/u],
  [SPACE, /^\s$/],
];

const classify = (character: string) =>
  PATTERNS.reduce((bits, [bit, pattern]) => (pattern.test(character) ? bits | bit : bits), 0);

/** Classes by code unit, computed on first use beyond ASCII. A single surrogate has none. */
const CLASSES = new Uint8Array(65536);
for (let code = 0; code < 128; code += 1) CLASSES[code] = classify(String.fromCharCode(code)) | KNOWN;

/** Returns the classes of a code unit that isn't part of a surrogate pair. */
export function classOf(code: number): number {
  const known = CLASSES[code] as number;
  if (known !== 0) return known;
  const bits = classify(String.fromCharCode(code)) | KNOWN;
  CLASSES[code] = bits;
  return bits;
}

export const isSurrogate = (code: number) => (code & 0xf800) === 0xd800;

/** Returns the classes of the code point at an offset. */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return isSurrogate(code) ? classify(String.fromCodePoint(text.codePointAt(at) as number)) : classOf(code);
}

/** Returns the offset after the code point at `at`. */
export const after = (text: string, at: number): number =>
  isSurrogate(text.charCodeAt(at)) && (text.codePointAt(at) as number) > 0xffff ? at + 2 : at + 1;

/** Returns the start of the code point before `at`. */
export const before = (text: string, at: number): number =>
  at > 1 && isSurrogate(text.charCodeAt(at - 1)) && (text.codePointAt(at - 2) as number) > 0xffff ? at - 2 : at - 1;

/** Returns the end of the run of characters from `from` on that belong to any of `classes`. */
export function endOfRun(text: string, from: number, classes: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSurrogate(code)) {
      if ((classAt(text, at) & classes) === 0) break;
      at = after(text, at);
    } else if ((classOf(code) & classes) === 0) break;
    else at += 1;
  }
  return at;
}
