import { describe, expect, it } from "vitest";
import { BUILTIN_DETECTORS } from "../builtin-detectors";
import { compilePatterns } from "../pattern-set";
import { searchIn } from "../search";
import { areGroups } from "./number-lines";

const isJoined = (text: string) => areGroups(text, text.indexOf("\n"), text.indexOf("\n") + 1);
const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([]) };

describe("a card or phone goes on over a line break", () => {
  it.each(["4111 1111\n1111 1111", "+44 20 7946\n0958", "219-09-\n9999", "030 12\n3456", "+1 415\n555 2671"])(
    "with groups of one kind: %j",
    (text) => expect(isJoined(text)).toBe(true),
  );

  it("in four short lines within a sentence", () => expect(isJoined("card 4111\n1111\n1111\n1111 please")).toBe(true));

  it.each(["6033391\n6058722", "27187968\n20171223-22:15", "refs: 0\n2016-09-29", "12345\n67890", "30 40\n2016-09-29"])(
    "but not with other numbers: %j",
    (text) => expect(isJoined(text)).toBe(false),
  );

  it("but not in a column", () => {
    expect(areGroups("1234 5678\n4111 1111\n1111 1111", 19, 20)).toBe(false);
    expect(isJoined("1234\n5678\n4111\n1111\n1111\n1111")).toBe(false);
    expect(areGroups("4111 1111\n1111 1111\n1234 5678", 9, 10)).toBe(false);
  });
});

it.each([
  "34074467\t86039844\n29574575\t50683150",
  "6033391\n6058722",
  "27187968\n20171223-22:15",
  "refs: 0\n2016-09-29",
  "18857,118205",
  "80000,50000,120000",
  "BP 128/80, HR 70",
  '{"enum":[15, 120, 300, 604800]}',
  ".text:00400651",
])("numbers aren't addresses, phones, cards or names: %j", (text) => {
  const find = searchIn(text, finders, () => undefined);
  for (const slug of ["address", "phone", "credit-card", "person-name", "secrets", "ssn"] as const)
    expect(find({ kind: "builtin", slug }), slug).toEqual([]);
});
