import fc from "fast-check";
import { expect, it } from "vitest";
import { storableJson, storableText } from "./storable-json";

it("replaces NUL and unpaired surrogates, also in keys, and changes nothing else", () => {
  const clean = (text: string) => text.toWellFormed().replaceAll("\0", "\ufffd");
  const text = fc.string({
    unit: fc.constantFrom("\0", "\ud800", "\udfff", "\ud83d", "\ude00", "\\", "u0000", "ud800", '"', "\n", "é", "😀"),
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, text, (key, value) => {
      expect(JSON.parse(storableJson({ ["k" + key]: [value] }))).toEqual({ ["k" + clean(key)]: [clean(value)] });
      expect(storableText(value)).toBe(clean(value));
    }),
  );
});
