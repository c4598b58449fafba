import fc from "fast-check";
import { expect, it } from "vitest";
import { JsonBounds } from "./json-bounds";

const boundsOf = (text: string, chunk = text.length) => {
  const bounds = new JsonBounds();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += Math.max(1, chunk)) bounds.add(bytes.subarray(at, at + Math.max(1, chunk)));
  return { values: bounds.values, depth: bounds.depth };
};

const valuesIn = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Object.values(value).reduce<number>((sum, child) => sum + valuesIn(child), 0)
    : 1;
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it.each([
  ["{}", 2, 1],
  ['{"a":[1,2,3],"b":"x,[{"}', 6, 2],
  ['"\\",[["', 1, 0],
  ['"\\\\",[', 3, 1],
  ["[[[[", 5, 4],
])("counts %j", (text, values, depth) => expect(boundsOf(text)).toEqual({ values, depth }));

it("never counts fewer values or levels than there are, in whatever chunks they arrive", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 20 }), (value, chunk) => {
      const text = JSON.stringify(value);
      const { values, depth } = boundsOf(text);
      expect(boundsOf(text, chunk)).toEqual({ values, depth });
      expect(values).toBeGreaterThanOrEqual(valuesIn(value));
      expect(values).toBeLessThanOrEqual(2 * valuesIn(value));
      expect(depth).toBe(depthOf(value));
    }),
  );
});

it("counts nothing within a string, whatever it escapes", () => {
  const strings = fc
    .array(fc.constantFrom('"', "\\", "[", "{", ",", "é"), { maxLength: 12 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(fc.array(strings), fc.integer({ min: 1, max: 5 }), (texts, chunk) => {
      const values = Math.max(2, texts.length + 1);
      expect(boundsOf(JSON.stringify(texts), chunk)).toEqual({ values, depth: 1 });
    }),
  );
});
