import { expect, it } from "vitest";
import { searchText } from "./search-text";

const prompt = (content: string) => [{ role: "user" as const, content }];

it.each([
  ["each word once", "the cat and\nthe dog", "the mouse", "the cat and dog mouse"],
  ["words that differ in punctuation", "cat cat, cat.", "", "cat cat, cat. "],
  ["a text with tags as it is", "<b a> b <i a> b", "", "<b a> b <i a> b\n"],
])("%s", (_name, content, completion, expected) => {
  expect(searchText(prompt(content), completion)).toBe(expected);
});

it("is bounded", () => expect(searchText(prompt("<".repeat(300_000)), "")).toHaveLength(200_000));
