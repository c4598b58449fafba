import { runInThisContext } from "node:vm";
import { expect, it } from "vitest";
import { inLatin1 } from "./latin1.mjs";

it.each([
  ["/^[‘’]+$/.test('’')", true],
  ["/^\\p{L}+忽略$/u.test('é忽略')", true],
  ["/^😀$/u.test('😀')", true],
  ["((texts) => texts[0])`“é”`", "“é”"],
  ["`über 30 €`", "über 30 €"],
])("keeps the meaning of %s", (code, value) => {
  expect(inLatin1(code)).toMatch(/^[\0-\xff]*$/);
  expect(runInThisContext(inLatin1(code))).toEqual(value);
});

it("rejects raw texts, in which an escape would be read as it is written", () => {
  expect(() => inLatin1("String.raw`“`")).toThrow("Latin-1");
});
