import { expect, it } from "vitest";
import { bytesInUse } from "../../testing/heap";
import { remembered } from "./remembered";

it("creates the value of a word once, and of a long one each time", () => {
  let count = 0;
  const valueOf = remembered((word) => `${word} ${(count += 1)}`);
  expect([valueOf("a"), valueOf("b"), valueOf("a"), valueOf("ÿ"), valueOf("\ud800")]).toEqual([
    "a 1",
    "b 2",
    "a 1",
    "ÿ 3",
    "\ud800 4",
  ]);
  expect(valueOf("x".repeat(60))).not.toBe(valueOf("x".repeat(60)));
});

it("doesn't retain the texts of its words", () => {
  const valueOf = remembered((word) => word);
  const before = bytesInUse();
  for (let text = 0; text < 50; text += 1) valueOf(`identifier_of_text_${text} ${"x".repeat(1_000_000)}`.slice(0, 19));
  for (let text = 0; text < 50; text += 1) valueOf(`${text}${"y".repeat(1_000_000)}`.slice(0, 20));
  expect(bytesInUse() - before).toBeLessThan(5_000_000);
});
