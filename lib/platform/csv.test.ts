import { expect, it } from "vitest";
import { csvCell, csvTable } from "./csv";

it.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@a", "'@a"],
  ["\tx", "'\tx"],
  ["a\nb", '"a\nb"'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ["plain", "plain"],
  [-1, "-1"],
  [true, "true"],
  [null, ""],
] as const)("writes %j as the cell %j", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

it("writes a table's names and rows in the order of its columns", () => {
  const { head, line } = csvTable<{ a: number; b: string | null }>({ b: ({ b }) => b, twice: ({ a }) => 2 * a });
  expect([head, line({ a: 1, b: null })]).toEqual(["b,twice\r\n", ",2\r\n"]);
});
