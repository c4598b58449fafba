import { describe, expect, it } from "vitest";
import { compilePattern, MAX_PROGRAM_SIZE, patternProblem } from "./pattern";

describe("patternProblem", () => {
  it.each([
    "PROJ-[0-9]{4}",
    "(?i)secret",
    "\\bsk-[A-Za-z0-9]{20,48}\\b",
    "(a+)+$",
    "(?<name>x)y",
    "[\\u4e00-\\u9fff]+",
  ])("accepts %s", (pattern) => {
    expect(patternProblem(pattern)).toBeNull();
  });

  it.each([
    ["a(?=b)", "Lookahead isn't supported by the linear-time engine; rewrite without (?=…)"],
    ["a(?!b)", "Lookahead isn't supported by the linear-time engine; rewrite without (?!…)"],
    ["(?<=a)b", "Lookbehind isn't supported by the linear-time engine; rewrite without (?<=…)"],
    ["(?<!a)b", "Lookbehind isn't supported by the linear-time engine; rewrite without (?<!…)"],
    ["(a)\\1", "Backreferences aren't supported by the linear-time engine; rewrite without \\1"],
    ["(a", "Unclosed group: add a closing )"],
    ["a)", "Unmatched ): remove it, or write \\) to match a parenthesis"],
    ["[a", "Unclosed character class `[a`: add a closing ]"],
    ["*a", "Nothing to repeat before `*`; write \\* to match the character"],
    ["a**", "Nested repetition `**` isn't supported; put the inner one in a group, as in (?:a*)*"],
    [
      "(?:a{1000}){1000}",
      "Invalid repeat count `{1000}`; the smaller number comes first, and the maximum is 1000, nested counts multiplied",
    ],
    ["[z-a]", "Invalid range `z-a`: its start comes after its end"],
    ["\\p{Klingon}", "Unknown character class `\\p{Klingon}`"],
    ["a\\", "Trailing backslash: write \\\\ to match a backslash"],
    ["(?P<n>a)(?P<n>b)", "duplicate capture group name: `n`"],
    ["(?>a)", "invalid or unsupported Perl syntax: `(?>`"],
  ])("says what is wrong with %s", (pattern, message) => {
    expect(patternProblem(pattern)).toEqual({ code: "invalid_regex_pattern", message });
  });

  it.each([
    ["a counter tower", "(?:a{30}){30}"],
    ["a search that costs the program's size for every character", "(\\w{0,30}\\d?){1,30}z"],
    ["a long literal", "x".repeat(MAX_PROGRAM_SIZE + 10)],
  ])("rejects %s as too complex", (_, pattern) => {
    expect(patternProblem(pattern)?.code).toBe("regex_too_complex");
  });

  it("matches the same as a JavaScript pattern", () => {
    expect(compilePattern("PROJ-\\d{4}").matcher("see PROJ-1234").find()).toBe(true);
  });
});
