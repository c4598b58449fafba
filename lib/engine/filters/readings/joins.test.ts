import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../testing/random";
import { joinsOf, meeting } from "./joins";

const unit = fc.constantFrom(...Array.from("aZ9-@_.(>) \t“’é½日\u0301\u00a0😀"));
const short = fc.string({ unit, maxLength: 12 });

describe("meeting", () => {
  it("decides like its patterns, which read texts beside a tag", () => {
    fc.assert(
      fc.property(short, short, (left, right) => {
        expect(meeting(left, right)).toBe(meeting(`${left}<b>`, right));
        expect(meeting(left, right)).toBe(meeting(left, `</b>${right}`));
      }),
      { numRuns: cases(3000) },
    );
  });

  it.each([
    ["4111 1111", "-1111 1111", "value"],
    ["kim@", "example.com", "value"],
    ["Zürich", "liegt", "words"],
    ["the end.”", "Next", null],
  ])("tells how %j and %j meet", (left, right, met) => expect(meeting(left, right)).toBe(met));
});

describe("joinsOf", () => {
  it("joins values over markup and line breaks beside other tags", () => {
    const joined = (text: string) => joinsOf(text).values.map(({ form }) => form.text);
    expect(joined("<i>x</i> call 030 12<b>34</b>56 now")).toContain("<i>x</i> call 030 123456 now");
    expect(joined("the key ghp**_**16C7e and")).toContain("the key ghp_16C7e and");
    expect(joined("the key ghp\\_16C7e and")).toContain("the key ghp_16C7e and");
    expect(joined("the key ghp<b>_</b>16C7e and")).toContain("the key ghp_16C7e and");
    expect(joined("ali**_ce_**@example.com")).toContain("alice@example.com");
    expect(joined("“call” 030 12\n3456")).toContain("“call” 030 123456");
  });
});
