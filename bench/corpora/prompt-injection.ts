// The corpus of prompt injections: hand-written lines, some of them disguised here, from a fixed seed.
import { readFileSync, writeFileSync } from "node:fs";

const HALVES = { tuning: 11, "held-out": 977 } as const;
const folder = new URL("../../lib/engine/filters/corpora/", import.meta.url);

/** A small generator of numbers in [0, 1), so that the corpus comes out the same on every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const mapped = (table: Record<string, string>) => (text: string) =>
  Array.from(text, (character) => table[character] ?? character).join("");
const shifted = (offset: number, from: RegExp, base: number) => (text: string) =>
  text.replace(from, (letter) => String.fromCodePoint(offset + letter.charCodeAt(0) - base));
const shuffled = (random: () => number) => (text: string) =>
  text.replace(/[A-Za-z]{5,}/g, (word) => {
    const inner = Array.from(word.slice(1, -1));
    const at = 1 + Math.floor(random() * (inner.length - 1));
    [inner[at - 1], inner[at]] = [inner[at] ?? "", inner[at - 1] ?? ""];
    return `${word.slice(0, 1)}${inner.join("")}${word.slice(-1)}`;
  });

const disguises = (random: () => number): Record<string, (text: string) => string> => ({
  b64: (text) => Buffer.from(text).toString("base64"),
  hex: (text) => Buffer.from(text).toString("hex"),
  hexs: (text) => Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
  url: (text) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`).join(""),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)),
    ),
  spaced: (text) =>
    text
      .split(" ")
      .map((word) => Array.from(word).join(" "))
      .join("   "),
  dotted: (text) =>
    text
      .split(" ")
      .map((word) => Array.from(word).join("."))
      .join(" "),
  typo: shuffled(random),
  zw: (text) => Array.from(text).join("\u200b"),
  homo: mapped({ a: "а", e: "е", o: "о", p: "р", c: "с", i: "і", s: "ѕ", y: "у" }),
  wide: shifted(0xff01, /[!-~]/g, 0x21),
  leet: mapped({ a: "4", e: "3", i: "1", o: "0", s: "5", t: "7" }),
  math: (text) => shifted(0x1d41a, /[a-z]/g, 97)(shifted(0x1d400, /[A-Z]/g, 65)(text)),
  tags: shifted(0xe0020, /[ -~]/g, 0x20),
  soft: (text) => text.replace(/([a-z]{2})/gi, "$1\u00ad"),
});

for (const [half, seed] of Object.entries(HALVES)) {
  const disguise = disguises(randomOf(seed));
  const lines = readFileSync(new URL(`prompt-injection.${half}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  const entries = lines.map((line) => {
    const text = line
      .slice(2)
      .replaceAll("\\n", "\n")
      .replace(/\{([a-z0-9]+):([^{}]*)\}/g, (whole, name: string, plain: string) => disguise[name]?.(plain) ?? whole);
    return JSON.stringify({ text, injection: line.startsWith("+") });
  });
  writeFileSync(new URL(`prompt-injection.${half}.jsonl`, folder), `${entries.join("\n")}\n`);
}
