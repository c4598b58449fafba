import { expect, it } from "vitest";
import { csvCell, csvTable } from "./csv";

it.each([
  ["=1+1", "'=1+1"],
  ["+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"],
  ["-1+1", "'-1+1"],
  ["-1", "-1"],
  ["+0.5", "+0.5"],
  ["-2.5e-7", "-2.5e-7"],
  ["\rx", `"'\rx"`],
  ["\n=1", `"'\n=1"`],
  [" =1+1", "' =1+1"],
  ["＝1+1", "'＝1+1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠a", "'＠a"],
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
