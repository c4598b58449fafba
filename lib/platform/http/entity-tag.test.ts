import { expect, it } from "vitest";
import { entityTag, isKnown } from "./entity-tag";

it.each([
  [null, '"7"', false],
  ['"7"', '"7"', true],
  ['W/"7"', '"7"', true],
  ['"6", W/"7"', '"7"', true],
  ['"6","7"', 'W/"7"', true],
  ["7", '"7"', false],
  ['"77"', '"7"', false],
  ["", '"7"', false],
])("If-None-Match %s and tag %s: %s", (header, tag, expected) => {
  expect(isKnown(header, tag)).toBe(expected);
});

it("is the same for the same text only", () => {
  expect(entityTag("a")).toBe(entityTag("a"));
  expect(entityTag("a")).not.toBe(entityTag("b"));
  expect(entityTag("ä")).toMatch(/^W\/"[\w-]{22}"$/);
});
