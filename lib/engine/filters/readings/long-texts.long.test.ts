import { expect, it } from "vitest";
import { growth } from "../../../testing/processor-time";
import { plainForm } from "./plain-form";
import { decodedIn, readingsOf } from "./readings";

it.each([
  ["escapes", "\\u0041", 1_000_000],
  ["character references", "&#65; ", 1_000_000],
  ["asterisks", "*", 7_000_000],
  ["underscores", "_", 7_000_000],
  ["marks", "\u0301", 5_000_000],
  ["joined emoji", "😀\u200d", 5_000_000],
])("reads %s beyond what the stack of a pattern is enough for", (_, unit, count) => {
  const text = unit.repeat(count);
  expect(() => readingsOf(text)).not.toThrow();
});

it.each([
  ["hexadecimal", "616263"],
  ["hexadecimal pairs", "61 62 63 "],
  ["base64", "YWJj"],
])("decodes a long run of %s as a whole", (_, abc) => {
  const count = 5_000;
  const run = abc.repeat(count).trimEnd();
  const found = decodedIn(`(${run})`, 1).map(({ form }) => ({
    ...form.span(0, 1),
    isWhole: form.text.split("\n").includes("abc".repeat(count)),
  }));
  expect(found).toContainEqual({ start: 1, end: 1 + run.length, isWhole: true });
});

it.each([
  ["backslashes", "\\", "a"],
  ["look-alikes", "о", "ж"],
  ["marks of two kinds", "\u0301\u0323", ""],
])("takes linear time for %s", async (_, unit, end) => {
  expect(await growth(40_000, (size) => plainForm(unit.repeat(size) + end))).toBeLessThan(10);
});
