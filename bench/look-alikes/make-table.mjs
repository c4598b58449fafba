/**
 * Writes lib/engine/filters/readings/confusables.ts from Unicode's confusables:
 * node bench/look-alikes/make-table.mjs <data.json of the npm package unhomoglyph>
 */
import { readFileSync, writeFileSync } from "node:fs";

/** @type {Record<string, string>} */
const data = JSON.parse(readFileSync(process.argv[2] ?? "data.json", "utf8"));

/**
 * Returns the Latin letter that a character looks like; Unicode writes m as rn, and I as l.
 * @param {string} character
 * @param {string} target
 */
function latinOf(character, target) {
  const letter = target === "rn" ? "m" : target;
  if (!/^[A-Za-z]$/.test(letter)) return null;
  return letter === "l" && /^\p{Lu}$/u.test(character) ? "I" : letter;
}

/**
 * False for ASCII, letters of European languages, and characters that have a compatibility form.
 * @param {string} character
 */
const isListed = (character) =>
  /^\p{L}$/u.test(character) && character > "\u017f" && character.normalize("NFKC") === character;

/** @type {Map<string, string>} */
const table = new Map();
for (const [character, target] of Object.entries(data)) {
  const letter = isListed(character) ? latinOf(character, target) : null;
  if (letter) table.set(letter, (table.get(letter) ?? "") + character);
}
const rows = [...table].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([letter, all]) => `  ["${letter}", "${all}"],`);
const text = `/**
 * Letters by the Latin letter they look like: the confusables of Unicode 13.0.0 (Unicode License), from unhomoglyph 1.0.6 (MIT).
 * Made by bench/look-alikes/make-table.mjs.
 */
export const CONFUSABLES: readonly (readonly [latin: string, letters: string])[] = [
${rows.join("\n")}
];
`;
writeFileSync(new URL("../../lib/engine/filters/readings/confusables.ts", import.meta.url), text);
