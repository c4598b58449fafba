import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../testing/processor-time";
import { BUILTIN_DETECTORS } from "../builtin-detectors";
import { compilePatterns } from "../pattern-set";
import { searchIn } from "../search";
import { base64In } from "./base64";

const textsIn = (text: string) => base64In(text).map((form) => form.text);
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString("base64");
const CARD = "4111-1111-1111-1111";
const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([]) };
const cardsIn = (text: string) =>
  searchIn(
    text,
    finders,
    () => undefined,
  )({ kind: "builtin", slug: "credit-card" }).map(({ start, end }) => text.slice(start, end));

describe("base64In", () => {
  it.each([
    [
      "lines of any length",
      (encoded: string, size: number) => encoded.replaceAll(new RegExp(`.{${size + 1}}`, "g"), "$&\n"),
    ],
    ["what is before it", (encoded: string, size: number) => `${"Q7/k".repeat(20).slice(0, size)}${encoded}`],
    ["a word on the line before", (encoded: string, size: number) => `${"word".repeat(20).slice(0, size)}\n${encoded}`],
  ])("decodes text whatever %s", (_, disguised) => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from("abc XYZ 0189 -.,@")), minLength: 30, maxLength: 90 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 40 }), (plain, size) => {
        expect(textsIn(disguised(base64(plain), size)).join("\n")).toContain(plain);
      }),
    );
  });

  it("keeps control characters and letters of Latin-1, and divides text at other bytes", () => {
    expect(textsIn(base64("\x01a card, and \0more"))).toEqual(["\x01a card, and \0more"]);
    expect(textsIn(base64(Buffer.from("the caf\xe9s of all M\xfcnchen", "latin1")))).toEqual([
      "the cafés of all München",
    ]);
    expect(textsIn(base64(Buffer.from("a caf\xe94111 is\x9d no letter", "latin1")))).toEqual([
      "a caf\n4111 is\n no letter",
    ]);
    expect(textsIn(base64(Buffer.from("one text here\0\0\0another text", "latin1")))).toEqual([
      "one text here\nanother text",
    ]);
  });

  it("decodes text in other scripts behind another line", () => {
    expect(textsIn(`several\n${base64("ключ на столе")}`).join("\n")).toContain("ключ на столе");
  });

  it("finds no text in words, paths and binary data", () => {
    expect(textsIn("calculateTotalAmount docs/reference/filters/overview\n--------------------\nnewline")).toEqual([]);
    expect(textsIn(base64(Uint8Array.from({ length: 3000 }, (_, at) => (at * 97) % 256)))).toEqual([]);
  });

  it("maps matches to the digits of their text", () => {
    const one = base64(`the card ${CARD} of a customer`).replace(/=+$/, "");
    expect(cardsIn(`see ${one} now`)).toEqual([one]);
    expect(cardsIn(`A${one}`)).toEqual([one]);
    const lines = one.replaceAll(/.{12}/g, "$&\n");
    expect(cardsIn(`see:\n${lines}.`)).toEqual([lines]);
    expect(cardsIn(`word\n${one}`)).toEqual([one]);
  });

  it("takes linear time", async () => {
    for (const unit of ["QWxsIHRleHQg", "QWxsIHRl\n", "A\n", "A\n> \n", "\n ", "AAAAAAAAAAAAAAAA QQ\n"])
      expect(await growth(400_000, (size) => base64In(unit.repeat(size / unit.length)))).toBeLessThan(10);
  });
});
