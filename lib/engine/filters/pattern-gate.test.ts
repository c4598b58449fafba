import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../testing/random";
import { compilePattern } from "./pattern";
import { patternGate } from "./pattern-gate";

const isExcluded = (pattern: string, text: string) => patternGate(pattern)?.(text) === false;
const isMatched = (pattern: string, text: string) => compilePattern(pattern).matcher(text).find();

/** Parts of patterns with texts that they match. */
const PARTS: readonly (readonly [pattern: string, ...texts: string[]])[] = [
  ["a", "a"],
  ["K", "K", "k", "\u212a"],
  ["s", "s", "S", "\u017f"],
  ["PROJ-", "PROJ-", "proj-"],
  ["\\d{2,3}", "12", "123"],
  ["\\d{30}", "1".repeat(30)],
  ["[A-Z0-9_-]{2}", "A9", "_-"],
  ["[^a]", "b", "\n"],
  ["\\w+", "w1_"],
  ["\\s*", "", " \t"],
  ["\\b", ""],
  ["(?:cat|dog)", "cat", "dog"],
  ["(cat|d?)", "cat", "d", ""],
  ["(?:ab){2,3}", "abab", "ababab"],
  ["x?", "x", ""],
  ["x{0}", ""],
  [".", "!", "é"],
  ["é", "é", "É"],
  ["\\.", "."],
  ["\\x41", "A", "a"],
  ["(?i:abc)", "ABC", "abc"],
  ["(?P<name>abc)", "abc"],
  ["[[:digit:]]", "7"],
  ["\\Qa.b\\E", "a.b"],
  ["\\pL", "a"],
  ["\\-", "-"],
  ["(?:|abc)", "abc", ""],
  ["a|b", "a", "b"],
];

describe("a pattern's gate", () => {
  it("excludes no match", () => {
    const part = fc
      .constantFrom(...PARTS)
      .chain(([pattern, ...texts]) => fc.tuple(fc.constant(pattern), fc.constantFrom(...texts)));
    const noise = fc.oneof(fc.constant(""), fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        noise,
        noise,
        (parts, isFolded, before, after) => {
          const pattern = (isFolded ? "(?i)" : "") + parts.map(([source]) => source).join("");
          const text = before + parts.map(([, example]) => example).join("") + after;
          expect(isExcluded(pattern, text) && isMatched(pattern, text)).toBe(false);
        },
      ),
      { numRuns: cases(5000) },
    );
  });

  it.each([
    ["PROJ-[0-9]{4,6}", "PROJ-123", "PROJ-1234"],
    ["(?i)\\bconfidential\\b", "confidentia", "CONFIDENTIAL"],
    ["\\b\\d{3}-\\d{7}-\\d{7}\\b", "123-1234567-123456", "123-1234567-1234567"],
    ["(?i)project\\s+(?:apollo|zeus)", "projec apollo", "Project  Zeus"],
    ["[a-z0-9.-]+\\.corp\\.internal", "corp.internal", "a.corp.internal"],
  ])("of %s excludes %s, not %s", (pattern, excluded, possible) => {
    expect(isExcluded(pattern, excluded)).toBe(true);
    expect(isExcluded(pattern, possible)).toBe(false);
  });

  it.each([".*", "a*", "[^x]+", "\\Qabc\\E", "(?:abc|.)"])("of %s doesn't exist", (pattern) => {
    expect(patternGate(pattern)).toBeNull();
  });
});
