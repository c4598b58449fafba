import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlausibleKeyText, keyHash, keyLabel, newKeyText } from "./key-text";

describe("a key text", () => {
  it("has its kind's prefix and 48 base62 characters, and is never repeated", () => {
    const texts = Array.from({ length: 200 }, () => newKeyText("inference"));
    for (const text of texts) expect(text).toMatch(/^sb-key-v1-[0-9A-Za-z]{48}$/);
    expect(new Set(texts).size).toBe(texts.length);
    expect(newKeyText("management")).toMatch(/^sb-mgmt-v1-[0-9A-Za-z]{48}$/);
  });

  it("is rejected after changing any single character", () => {
    const text = newKeyText("inference");
    expect(isPlausibleKeyText(text)).toBe(true);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.stringMatching(/^[0-9A-Za-z]$/), (index, character) => {
        fc.pre(text[index] !== character);
        const typo = text.slice(0, index) + character + text.slice(index + 1);
        return !typo.startsWith("sb-key-v1-") || !isPlausibleKeyText(typo);
      }),
    );
    expect(isPlausibleKeyText(text.slice(0, -1))).toBe(false);
    expect(isPlausibleKeyText(`${text}0`)).toBe(false);
  });

  it("may be any 32 to 200 visible ASCII characters when chosen by the operator", () => {
    expect(["x".repeat(32), "x".repeat(200)].map(isPlausibleKeyText)).toEqual([true, true]);
    expect(["x".repeat(31), "x".repeat(201), `${"x".repeat(40)} `, "é".repeat(40), ""].map(isPlausibleKeyText)).toEqual(
      Array(5).fill(false),
    );
  });

  it("is identified by its SHA-256 and labelled by its start and end", () => {
    expect(keyHash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(keyLabel("sb-key-v1-abcdefghijklmnop")).toBe("sb-key-v1-abc...mnop");
  });
});
