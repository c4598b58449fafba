import { expect, it } from "vitest";
import { rangeText } from "./page-size";

it.each([
  [[0, 25, 40], "1–25 of 40"],
  [[10_000, 25, 12_345], "10,001–10,025 of 12,345"],
  [[50, 0, 40], "0 of 40"],
] as const)("the rows of a page by offset, shown and total: %j", ([offset, shown, total], text) => {
  expect(rangeText(offset, shown, total)).toBe(text);
});
