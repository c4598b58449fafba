import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../testing/random";
import { excerptOf } from "./excerpt";
import { wordsOf } from "./vocabulary";

describe("an excerpt", () => {
  it("is one line from the start", () => expect(excerptOf(" Hello\n  world ", [], 20)).toBe("Hello world"));

  it("is cut with an ellipsis", () => expect(excerptOf("abcdef", [], 3)).toBe("abc…"));

  it("begins near the first word that was searched for", () => {
    const text = `${"x ".repeat(100)}the falcon nests`;
    expect(excerptOf(text, wordsOf("FALCON or heron"), 60)).toMatch(/^….*falcon nests$/);
  });

  it("is bounded and well-formed", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ minLength: 1 })), (text, words) => {
        const excerpt = excerptOf(text, words, 10);
        expect(excerpt.length).toBeLessThanOrEqual(12);
        expect(excerpt.isWellFormed()).toBe(true);
      }),
      { numRuns: cases(100) },
    ));
});

it.each([
  ['"project falcon" -heron', ["project", "falcon"]],
  ["ada@example.com OR bob", ["ada@example.com", "bob"]],
])("the words of %s are %j", (q, words) => expect(wordsOf(q)).toEqual(words));
