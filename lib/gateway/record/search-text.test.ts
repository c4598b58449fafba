import fc from "fast-check";
import { expect, it } from "vitest";
import { searchText } from "./search-text";

const prompt = (content: string) => [{ role: "user" as const, content }];

it.each([
  ["each word once", "the cat and\nthe dog", "the mouse", "the cat and dog mouse"],
  ["words that differ in punctuation", "cat cat, cat.", "", "cat cat, cat."],
  ["words over several lines", "cat\r\n\n dog  cat", "cow\tdog", "cat\r\n\n dog cow"],
  ["a text with tags as it is", "<b a> b <i a> b", "", "<b a> b <i a> b "],
])("%s", (_name, content, completion, expected) => {
  expect(searchText(prompt(content), completion)).toBe(expected);
});

it("is bounded", () => expect(searchText(prompt("<".repeat(300_000)), "")).toHaveLength(200_000));

it("has the words of any text, each once", () => {
  const word = fc.stringMatching(/^[ab\u00e9]{1,3}$/);
  const texts = fc
    .array(fc.tuple(word, fc.constantFrom(" ", "\n", "\t", "  ", "\r\n")))
    .map((all) => all.flat().join(""));
  fc.assert(
    fc.property(texts, texts, (content, completion) => {
      const words = `${content}\n${completion}`.split(/\s+/).filter((each) => each !== "");
      expect(
        searchText(prompt(content), completion)
          .split(/\s+/)
          .filter((each) => each !== ""),
      ).toEqual([...new Set(words)]);
    }),
  );
});
