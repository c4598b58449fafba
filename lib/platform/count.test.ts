import { expect, it } from "vitest";
import { count } from "./count";

it.each([
  [0, "model", "0 models"],
  [1, "model", "1 model"],
  [1005, "model", "1,005 models"],
])("counts %i", (amount, noun, text) => {
  expect(count(amount, noun)).toBe(text);
});

it("takes another plural", () => {
  expect(count(2, "match", "matches")).toBe("2 matches");
});
