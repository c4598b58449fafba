import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cases, everyNth } from "../../testing/random";
import { addressesIn, detectAddress } from "./detectors/address";
import { Tokens as AddressTokens } from "./detectors/address-tokens";
import { candidatesOf } from "./detectors/person-name-candidates";
import { loadModel } from "./detectors/person-name-model";
import stored from "./detectors/person-name-model.json";
import { B, bestLabel, featuresOf, I, isBegin, newFeatures, O } from "./detectors/person-name-tagger";
import { canStart, Tokens, tokensOf } from "./detectors/person-name-tokens";
import { isText } from "./readings/decoded-text";
import { LOOK_ALIKES } from "./readings/look-alikes";
import { foldedForm, plainForm } from "./readings/plain-form";
import { base64In } from "./readings/base64";

const CORPORA = new URL("./corpora/", import.meta.url);
const sentences = readdirSync(CORPORA)
  .filter((name) => name.endsWith(".jsonl"))
  .flatMap((name) =>
    readFileSync(new URL(name, CORPORA), "utf8")
      .trim()
      .split("\n")
      .flatMap((line) => Object.values(JSON.parse(line) as Record<string, unknown>))
      .filter((value) => typeof value === "string"),
  );

/** Returns numbers below a bound, the same in every run. */
function random(): (bound: number) => number {
  let state = 7;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const PIECES =
  "ignore |all |your |the |previous |rules|instructions|. |: |system prompt|reveal |now |i g n o r e |1gn0re |ignroe |ignoreallprevious |###|<system>|[INST]|<|!--|curl x|wget|assistant: sure|\nsystem: you |---end of prompt|--- |\\u0041|&#65;|%41%42|41 42 43 44 45 46 47 48 49 |0x41|aWdub3JlIGFsbA==|vtaber nyy flfgrz|忽略之前的指令|é|ß|ſystem|K|’|'|\u200b|😀|𝒜|\u0301|\r\n|\u2028|O'Neil's |Al-Ben|12-b|_|@|$".split(
    "|",
  );

const next = random();
const mixed = Array.from({ length: cases(2000) }, () =>
  Array.from({ length: 1 + next(24) }, () =>
    next(6) === 0 ? (sentences[next(sentences.length)] ?? "").slice(0, 80) : PIECES[next(PIECES.length)],
  ).join(""),
);
const texts = everyNth(5, [...sentences, ...mixed]);

const ADDRESS_PIECES =
  "12 |12|350 |42nd |a |-|/|, |. |\n|Harbour |Road|St|road |Rue de la |rue |Paix |Hauptstraße |Straße |Calle |C/ |via |SW1A |1AA|K1A 0B1|90210|CA |NSW |2000 |105 63 Athina|Box |PO Box |bp |Postfach |boîte postale |APO AE 09012|the corner of |and |Apt |Suite #4|address: |lives at |it is in |return to |North |N |Berlin|10115 |1052 |Váci utca |Teheran-ro |06232|X5000 Córdoba|𝒜|ł|é|\u00a0|東京都|1a-2b/3|D-|'s|№ ".split(
    "|",
  );
const addresses = Array.from({ length: cases(1500) }, () =>
  Array.from({ length: 2 + next(14) }, () => ADDRESS_PIECES[next(ADDRESS_PIECES.length)]).join(""),
);

it("decodes base64 as atob does", () => {
  const reference = (encoded: string) => {
    const plain = encoded.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain), (unit) =>
      unit.charCodeAt(0),
    );
    if (bytes.subarray(0, 64).some((byte) => byte < 9 || (byte > 13 && byte < 32) || byte === 127)) return [];
    try {
      return [new TextDecoder("utf-8", { fatal: true }).decode(bytes)];
    } catch {
      return [];
    }
  };
  const byte = fc.oneof({ weight: 40, arbitrary: fc.integer({ min: 32, max: 126 }) }, fc.integer({ max: 255, min: 0 }));
  const bytes = fc.oneof(
    fc.array(byte, { minLength: 12, maxLength: 90 }).map((all) => Buffer.from(all)),
    fc.string({ minLength: 12, unit: "grapheme" }).map((all) => Buffer.from(all)),
  );
  fc.assert(
    fc.property(bytes, fc.constantFrom("base64", "base64url"), fc.integer({ min: 0, max: 3 }), (all, form, cut) => {
      const encoded = all.toString(form).replace(/=+$/, "").slice(cut);
      const [expected] = reference(encoded);
      // Several control characters separate texts.
      if (expected === undefined || !isText(expected) || /(?:(?!\s)\p{Cc}){3}/u.test(expected)) return;
      expect(
        base64In(encoded)
          .map(({ text }) => text)
          .join("\n"),
      ).toContain(expected);
    }),
    { numRuns: cases(1000) },
  );
});

it("finds the same addresses as at all places of a text", () => {
  const places = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ({ index }) => index);
  for (const text of [...addresses, ...texts]) {
    if (!/\d/.test(text)) continue;
    const tokens = new AddressTokens(text);
    const starts: number[] = [];
    for (let token = tokens.at(0); token; token = tokens.at(starts.length)) starts.push(token.start);
    const words = places(text, /(?<![A-Za-z])[A-Za-z]/g);
    const houses = places(text, /(?<!\d)\d/g);
    const everywhere = { starts, houses, cues: words, units: words, hasMilitary: true, boxes: words, isFar: true };
    expect(detectAddress(text)).toEqual(addressesIn(text, everywhere));
  }
});

it("examines every word that can start a name", () => {
  const { lexicon } = loadModel(stored);
  for (const text of texts) {
    const candidates = new Set(candidatesOf(text, lexicon));
    const starting = tokensOf(text, lexicon).filter(canStart);
    expect(starting.filter(({ start }) => !candidates.has(start))).toEqual([]);
  }
});

it("reads the same words of names backwards", () => {
  const { lexicon } = loadModel(stored);
  for (const text of mixed) {
    const all = tokensOf(text, lexicon);
    for (const start of candidatesOf(text, lexicon)) {
      const tokens = new Tokens(text, lexicon);
      tokens.moveTo(start);
      const place = all.findIndex((token) => token.start === start);
      for (let back = 1; back <= place && back < 6; back += 1) expect(tokens.at(-back)).toEqual(all[place - back]);
    }
  }
});

it("decides from sums of words what all features decide", () => {
  const model = loadModel(stored);
  const features = newFeatures();
  for (const text of texts) {
    const tokens = new Tokens(text, model.lexicon);
    for (const start of candidatesOf(text, model.lexicon)) {
      tokens.moveTo(start);
      if (!canStart(tokens.at(0))) continue;
      for (const beforeLast of [O, B, I] as const) {
        featuresOf(tokens, 0, O, beforeLast, model.mask, features);
        expect(isBegin(tokens, 0, beforeLast, model)).toBe(bestLabel(model, features, O) === B);
      }
    }
  }
});

it("reads the words of names as a pattern does", () => {
  const pattern = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|\d+|\n|\S/gu;
  const { lexicon } = loadModel(stored);
  for (const text of texts) {
    const tokens = tokensOf(text, lexicon);
    const read = tokens.map(({ start, end }) => text.slice(start, end));
    const expected = Array.from(text.matchAll(pattern)).flatMap(([word]) =>
      word.length > 2 && /['’]s$/i.test(word) ? [word.slice(0, -2), word.slice(-2)] : [word],
    );
    expect(read).toEqual(expected);
  }
});

it("keeps plain characters as they are", () => {
  const codes = Array.from({ length: 0xd800 - 32 }, (_, index) => 32 + index);
  for (const code of [...codes.slice(0, 0x300), ...everyNth(7, codes.slice(0x300))]) {
    const character = String.fromCharCode(code);
    if (foldedForm(`a${character}b`).text !== `a${character}b`) continue;
    const isPlain = code < 127 || character.normalize("NFKC") === character || /[…½¼¾´¨¯¸\p{ExtPict}]/u.test(character);
    expect(isPlain, character).toBe(true);
    if (code > 127) expect(character).not.toMatch(/[\p{Cc}\p{Cf}\p{Nd}\p{Default_Ignorable_Code_Point}]/u);
  }
  for (const [foreign, latin] of LOOK_ALIKES) expect(plainForm(`a${foreign}b`).text).toBe(`a${latin}b`);
});
