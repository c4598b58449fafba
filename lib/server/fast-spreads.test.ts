import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { withFastSpreads } from "./fast-spreads.mjs";

it.each([
  ["({ ...a, b: 1 })", "({ ...null, ...a, b: 1 })"],
  ["({\n  ...a,\n  ...b\n})", "({\n  ...null, ...a,\n  ...b\n})"],
  ["f({ ...{ ...a, b }, c })", "f({ ...null, ...{ ...null, ...a, b }, c })"],
])("begins %j with an empty spread", (code, expected) => {
  expect(withFastSpreads(code)).toBe(expected);
});

it.each([
  "({ ...a })",
  "({ b: 1, ...a })",
  "const { ...a } = b; ({ ...a } = b);",
  "const [...a] = b; f(...a, b);",
  'const text = "{ ...a, b }" + `{ ...a, b }`; /{ ...a, b }/;',
])("leaves %j as it is", (code) => {
  expect(withFastSpreads(code)).toBe(code);
});

it("gives all objects of a literal the same hidden class", () => {
  setFlagsFromString("--allow-natives-syntax");
  const code = withFastSpreads("const copy = (of, b) => ({ ...of, b });");
  const isSame = runInNewContext(`${code} %HaveSameMap(copy({ a: 1 }, 2), copy({ a: 3 }, 4))`) as boolean;
  expect(isSame).toBe(true);
});
