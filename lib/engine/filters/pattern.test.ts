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
    ["look-ahead", "a(?=b)"],
    ["look-behind", "(?<=a)b"],
    ["back-reference", "(a)\\1"],
    ["open group", "(a"],
    ["open class", "[a"],
    ["bad repetition", "a**"],
    ["counter over 1000", "a{1001}"],
    ["counter of counters", "(?:a{1000}){1000}"],
  ])("rejects a %s with the engine's message", (_, pattern) => {
    const problem = patternProblem(pattern);
    expect(problem?.code).toBe("invalid_regex_pattern");
    expect(problem?.message).not.toBe("");
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
