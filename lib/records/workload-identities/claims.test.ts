import fc from "fast-check";
import { expect, it } from "vitest";
import { matchesClaims, matchesPattern } from "./claims";

it.each([
  ["repo:acme/app:ref:refs/heads/main", "repo:acme/app:ref:refs/heads/main", true],
  ["repo:acme/app:ref:refs/heads/main", "repo:acme/app:ref:refs/heads/main2", false],
  ["repo:acme/*:ref:refs/heads/main", "repo:acme/app:ref:refs/heads/main", true],
  ["repo:acme/*", "repo:acme-evil/app", false],
  ["*:main", "repo:acme/app:main", true],
  ["a*a", "a", false],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["A*", "a", false],
  ["a.c", "abc", false],
])("%s and %s match: %s", (pattern, text, expected) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});

it("agrees with a regular expression", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  fc.assert(
    fc.property(text, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 }), (pattern, value) => {
      const expected = new RegExp(`^${pattern.split("*").join(".*")}$`).test(value);
      expect(matchesPattern(pattern, value)).toBe(expected);
    }),
  );
});

it.each([
  [{ sub: "a" }, { sub: "a", other: 1 }, true],
  [{ sub: "a", ref: "main" }, { sub: "a" }, false],
  [{ groups: "dev" }, { groups: ["ops", "dev"] }, true],
  [{ run_attempt: "1" }, { run_attempt: 1 }, true],
  [{ sub: "*" }, { sub: null }, false],
  [{ sub: "*" }, { sub: { a: "b" } }, false],
  [{ constructor: "*" }, {}, false],
])("rules %j match claims %j: %s", (rules, claims, expected) => {
  expect(matchesClaims(rules as Record<string, string>, claims)).toBe(expected);
});
