import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePatterns } from "./pattern-set";

const never = () => undefined;
const matches = (pattern: string, text: string) =>
  (compilePatterns([pattern])(text, never).get(pattern) ?? []).map(({ start, end }) => text.slice(start, end));

describe("compilePatterns", () => {
  it.each([
    ["PROJ-\\d{4}", "PROJ-1234 and PROJ-5678", ["PROJ-1234", "PROJ-5678"]],
    ["(?i)top secret", "Top Secret", ["Top Secret"]],
    ["x*", "axxb", ["xx"]],
    ["^", "abc", []],
    ["\\bb\\b|$", "a b c", ["b"]],
    ["[😀-😎]", "a😃b", ["😃"]],
    ["(a+)+$", "caaa", ["aaa"]],
  ])("finds %s in %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toEqual(expected);
  });

  it("distinguishes the patterns of a set", () => {
    const found = compilePatterns(["a+", "b", "z"])("aab", never);
    expect(Object.fromEntries(found)).toEqual({ "a+": [{ start: 0, end: 2 }], b: [{ start: 2, end: 3 }] });
  });

  it("matches the same as the native engine", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      "[ab]",
      "\\d",
      "(?:ab|c)",
      ".",
      "\\b",
      "\\B",
      "^",
      "$",
      "a?",
      "c{1,3}",
      ".{2,40}",
      "b+",
    );
    const pattern = fc.array(atom, { minLength: 1, maxLength: 5 }).map((atoms) => atoms.join(""));
    const part = fc.string({ unit: fc.constantFrom("a", "b", "c", "1", " ", "\n", "é", "😀"), maxLength: 40 });
    const filling = fc
      .tuple(fc.constantFrom("x", "😀", "a", "1 "), fc.integer({ min: 0, max: 1030 }))
      .map(([unit, times]) => unit.repeat(times));
    const text = fc.oneof(
      part,
      fc.tuple(part, filling, part, filling, part).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        const native = [...given.matchAll(new RegExp(source, "gu"))]
          .map(([match]) => match)
          .filter((match) => match !== "");
        expect(matches(source, given)).toEqual(native);
      }),
    );
  });
});

describe("hostile patterns and texts", () => {
  const long = 100_000;

  it.each([
    ["(a+)+$", `${"a".repeat(long)}!`],
    ["^(\\w+\\s?)*$", `${"word ".repeat(long / 5)}!`],
    ["(a|aa)+$", `${"a".repeat(long)}!`],
    ["(?:.*a){20}", "b".repeat(long)],
    ["a.*b.*c.*d", "abc".repeat(long / 3)],
    ["[ab]*a[ab]{18}c", "ab".repeat(long / 2)],
    ["\\s+$", `${" ".repeat(long)}!`],
    ["(\\w{0,30}\\d?){1,5}z", "w".repeat(long)],
  ])("%s takes a single pass over a text that would make a backtracking engine hang", (pattern, text) => {
    let checks = 0;
    compilePatterns([pattern])(text, () => (checks += 1));
    expect(checks).toBeLessThan(10);
  });

  it("checks for cancellation between matches when all matches take quadratic time", () => {
    const stop = new Error("stop");
    let checks = 0;
    const search = () =>
      compilePatterns(["a*b|a"])("a".repeat(20_000), () => {
        checks += 1;
        if (checks === 20) throw stop;
      });
    expect(search).toThrow(stop);
  });
});
