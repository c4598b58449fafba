const BEYOND_LATIN1 = /[\u0100-\uffff]/g;
const RAW_TEXT = /String\.raw`[^`]*[\u0100-\uffff]/;

/**
 * Escapes the characters of a bundle that aren't in Latin-1: V8 stores code that has one of them in two bytes per character, for as
 * long as the process runs. esbuild escapes strings, but neither regular expressions nor templates with a tag.
 * @param {string} code without such characters in `String.raw`
 */
export function inLatin1(code) {
  if (RAW_TEXT.test(code)) throw new Error("String.raw must not contain characters beyond Latin-1");
  return code.replaceAll(BEYOND_LATIN1, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
