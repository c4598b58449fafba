import { describe, expect, it } from "vitest";
import type { Decision } from "@/lib/engine/decision/contract";
import { redactedSpans, revealedSpans } from "./redactions";

const decision = (rule: string, spans: Decision["spans"], fields: Partial<Decision> = {}): Decision => ({
  scope: "key",
  guardrail_id: null,
  guardrail_name: null,
  revision: null,
  field: "content_filter_builtins",
  rule,
  action: "redact",
  spans,
  ...fields,
});
const marked = (decisions: readonly Decision[], texts: readonly string[]) =>
  redactedSpans(decisions, texts).map((spans, index) => spans.map(({ start, end }) => texts[index]?.slice(start, end)));

describe("redacted spans", () => {
  it("account for offsets caused by earlier labels", () => {
    const path = ["input"];
    // "ada@example.com and bob@x.io" became "[EMAIL] and [EMAIL]".
    const spans = [
      { path, start: 0, end: 15 },
      { path, start: 20, end: 28 },
    ];
    expect(redactedSpans([decision("email", spans)], ["[EMAIL] and [EMAIL]"])[0]).toMatchObject([
      { start: 0, end: 7 },
      { start: 12, end: 19 },
    ]);
  });

  it("are reported once for two guardrails, and matched by a custom filter's label", () => {
    const spans = [{ path: ["messages", 0, "content"], start: 4, end: 13 }];
    const custom = decision("[PROJECT]", spans, { field: "content_filters" });
    expect(marked([custom, custom], ["See [PROJECT]!"])).toEqual([["[PROJECT]"]]);
  });

  it("ignore label-like text written by the caller", () => {
    const spans = [{ path: ["input"], start: 8, end: 20 }];
    expect(redactedSpans([decision("email", spans)], ["[EMAIL] [EMAIL]"])[0]).toMatchObject([{ start: 8, end: 15 }]);
  });

  it("locate message parts and each of two equal messages", () => {
    const at = (index: number) =>
      decision("email", [{ path: ["messages", index, "content", 1, "text"], start: 3, end: 9 }]);
    expect(marked([at(0), at(1)], ["Hello\nTo [EMAIL]", "Hello\nTo [EMAIL]"])).toEqual([["[EMAIL]"], ["[EMAIL]"]]);
  });

  it("are empty if the text doesn't contain the labels, or nothing was redacted", () => {
    expect(
      redactedSpans([decision("email", [{ path: ["input"], start: 3, end: 9 }])], ["nothing of the kind"]),
    ).toEqual([[]]);
    expect(
      redactedSpans([decision("email", [{ path: ["input"], start: 0, end: 7 }], { action: "flag" })], ["[EMAIL]"]),
    ).toEqual([[]]);
  });

  it("of a blocked request are those of the revealed text", () => {
    const spans = [{ path: ["input"], start: 9, end: 15 }];
    const blocked = decision("[PROJECT]", spans, { field: "content_filters", action: "block" });
    expect(marked([blocked], ["Feed the [PROJECT]!"])).toEqual([["[PROJECT]"]]);
    const text = "Feed the falcon!";
    const [found] = revealedSpans([blocked], ["Feed the [PROJECT]!"], [text]);
    expect(found?.map(({ start, end }) => text.slice(start, end))).toEqual(["falcon"]);
  });
});
