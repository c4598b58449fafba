import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeSpans, redact, type LabelledSpan } from "./redact";

const span = (start: number, end: number, label: string, action: LabelledSpan["action"] = "redact"): LabelledSpan => ({
  start,
  end,
  label,
  action,
});

describe("redact", () => {
  it.each([
    ["nothing", [], "0123456789"],
    ["two separate spans", [span(6, 8, "[B]"), span(1, 3, "[A]")], "0[A]345[B]89"],
    ["two adjacent spans", [span(1, 3, "[A]"), span(3, 5, "[B]")], "0[A][B]56789"],
    ["nested spans", [span(4, 5, "[IN]", "block"), span(2, 8, "[OUT]")], "01[OUT]89"],
    ["overlapping: the longer one's label is used", [span(1, 4, "[SHORT]"), span(3, 9, "[LONG]")], "0[LONG]9"],
    [
      "overlapping, equally long: the first one's label one's label",
      [span(3, 6, "[B]"), span(1, 4, "[A]")],
      "0[A]6789",
    ],
    ["the same span: the stronger action", [span(1, 4, "[R]", "redact"), span(1, 4, "[B]", "block")], "0[B]456789"],
    ["the same span and action: the first one given", [span(1, 4, "[X]"), span(1, 4, "[Y]")], "0[X]456789"],
    ["a chain", [span(0, 4, "[A]"), span(3, 6, "[B]"), span(5, 10, "[C]")], "[C]"],
  ])("%s", (_, spans, expected) => {
    expect(redact("0123456789", spans)).toBe(expected);
  });

  it.each(["$&", "$1", "$`", "$$", "\\1", "$<name>"])("writes %s literally", (label) => {
    expect(redact("my secret", [span(3, 9, label)])).toBe(`my ${label}`);
  });

  const text = fc.string({ minLength: 1, maxLength: 60 });
  const spans = fc.array(fc.tuple(fc.nat(59), fc.integer({ min: 1, max: 20 })), { maxLength: 12 });

  it("keeps exactly the text outside all spans", () => {
    fc.assert(
      fc.property(text, spans, (given, pairs) => {
        const found = pairs.map(([start, length]) =>
          span(start % given.length, Math.min(given.length, (start % given.length) + length), ""),
        );
        const kept = Array.from({ length: given.length }, (_, at) =>
          found.some(({ start, end }) => at >= start && at < end) ? "" : given[at],
        ).join("");
        expect(redact(given, found)).toBe(kept);
      }),
    );
  });

  it("is independent of the order of spans, and idempotent", () => {
    fc.assert(
      fc.property(spans, fc.nat(), (pairs, turn) => {
        const found = pairs.map(([start, length], index) =>
          span(start, start + length, `[${start}-${length}]`, index % 2 ? "block" : "redact"),
        );
        const distinct = [...new Map(found.map((one) => [one.label, one])).values()];
        const at = turn % (distinct.length + 1);
        const turned = [...distinct.slice(at), ...distinct.slice(0, at)];
        expect(mergeSpans(turned)).toEqual(mergeSpans(distinct));
        expect(mergeSpans(mergeSpans(distinct))).toEqual(mergeSpans(distinct));
      }),
    );
  });
});
