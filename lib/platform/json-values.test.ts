import { describe, expect, it, vi } from "vitest";
import { jsonIn, MAX_NESTING, objectIn, parseJson } from "./json-values";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("JSON that somebody else wrote", () => {
  it.each([
    ["three megabytes of [", "[".repeat(3_000_000)],
    ["three megabytes of nested objects", '{"a":'.repeat(600_000)],
    ["nested lists that end", nested(MAX_NESTING + 1)],
    ["lists and objects in turn", '[{"a":'.repeat(MAX_NESTING)],
    ["deep nesting behind strings with quotes and brackets", `["]]]\\"]", "\\\\", ${nested(MAX_NESTING)}]`],
  ])("isn't parsed when it is nested too deep: %s", (_, text) => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      expect(() => parseJson(text)).toThrow(`nested deeper than ${MAX_NESTING} levels`);
      expect(jsonIn(text)).toBeNull();
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it.each([
    ["the deepest that is allowed", nested(MAX_NESTING)],
    ["many lists side by side", `[${Array(1000).fill(nested(5)).join(",")}]`],
    ["brackets in strings", JSON.stringify({ code: "[{".repeat(1000), quote: '\\"[' })],
  ])("is parsed otherwise: %s", (_, text) => expect(parseJson(text)).toEqual(JSON.parse(text)));

  it("is an object or nothing for objectIn", () => {
    expect(objectIn('{"a":[1]}')).toEqual({ a: [1] });
    expect(objectIn("[1]")).toBeNull();
  });
});
