import { describe, expect, it } from "vitest";
import { detectFormat, parseBody, rangeOfPath } from "./request-text";

describe("parseBody", () => {
  it("accepts an object and explains other input", () => {
    expect(parseBody('{"a": 1}')).toEqual({ body: { a: 1 }, fault: null });
    expect(parseBody("[1]").fault).toMatch(/JSON object/);
    expect(parseBody("null").fault).toMatch(/JSON object/);
    expect(parseBody('{"a": ').fault).toMatch(/^Invalid JSON/);
  });
});

it.each([
  [{ input: "x" }, "responses"],
  [{ messages: [] }, "chat_completions"],
  [{ messages: [], max_tokens: 5, system: "x" }, "messages"],
])("detects the format of %j", (body, format) => {
  expect(detectFormat(body)).toBe(format);
});

describe("rangeOfPath", () => {
  const text = `{ "model" : "m\\"x", "tools": [ {"type":"f"}, true ,-1.5e3], "empty": {}, "list": [], "text": {"format": null} }`;
  const at = (...path: (string | number)[]) => {
    const { from, to } = rangeOfPath(text, path);
    return text.slice(from, to);
  };

  it("finds the range of every value", () => {
    expect(JSON.parse(at())).toEqual(JSON.parse(text));
    expect(at("model")).toBe('"m\\"x"');
    expect([at("tools", 0), at("tools", 0, "type"), at("tools", 1), at("tools", 2)]).toEqual([
      '{"type":"f"}',
      '"f"',
      "true",
      "-1.5e3",
    ]);
    expect([at("empty"), at("list"), at("text", "format")]).toEqual(["{}", "[]", "null"]);
  });

  it("falls back to the parent of a missing value", () => {
    expect(at("tools", 0, "name")).toBe('{"type":"f"}');
    expect(JSON.parse(at("nothing", 3))).toEqual(JSON.parse(text));
  });
});
