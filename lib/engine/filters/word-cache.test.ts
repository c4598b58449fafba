import fc from "fast-check";
import { expect, it } from "vitest";
import { unitsOf } from "./code-units";
import { WordCache } from "./word-cache";

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 9, unit: fc.constantFrom("a", "A", "\0", "ÿ", "Ā", "š") }),
  fc.string({ minLength: 1, maxLength: 60, unit: "binary" }),
);

it("knows of every word what was created for it", () => {
  const cache = new WordCache((text) => ({ text }));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join("");
      const units = unitsOf(text);
      let start = 0;
      for (const each of words) {
        expect(cache.get(text, units, start, start + each.length).text).toBe(each);
        start += each.length;
      }
    }),
  );
});
