import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Source } from "../policy/contract";
import type { FilterRule } from "./filter-rule";
import { contentBlock, findingsToDecisions, outcomeOf, type FilterFinding } from "./findings";

const source = (name: string, scope: Source["scope"]): Source => ({
  scope,
  guardrail_id: "0199e0f0-0000-7000-8000-000000000001",
  guardrail_name: name,
  revision: 3,
});
const finding = (rule: Partial<FilterRule>, families: string[] = []): FilterFinding => ({
  rule: {
    detector: { kind: "builtin", slug: "email" },
    action: "redact",
    label: "[EMAIL]",
    scanScope: "all_messages",
    sources: [source("Base", "workspace")],
    ...rule,
  },
  spans: [{ path: ["input"], start: 3, end: 9 }],
  families,
});
const injection = (action: FilterRule["action"], families: string[]) =>
  finding(
    { detector: { kind: "builtin", slug: "regex-prompt-injection" }, action, label: "[PROMPT_INJECTION]" },
    families,
  );

it("the strongest action decides the outcome, in any order", () => {
  const strength = ["allowed", "flagged", "redacted", "blocked"] as const;
  const rank = { flag: 1, redact: 2, block: 3 } as const;
  fc.assert(
    fc.property(fc.array(fc.constantFrom("block", "redact", "flag")), (actions) => {
      expect(outcomeOf(actions.map((action) => finding({ action })))).toBe(
        strength[Math.max(0, ...actions.map((action) => rank[action]))],
      );
    }),
  );
});

it("every guardrail with a matching rule gets a decision, with spans but without the matched text", () => {
  const rule = {
    detector: { kind: "pattern", pattern: "PROJ-\\d+" },
    label: "[TICKET]",
    sources: [source("Base", "workspace"), source("Mine", "key")],
  } as const;
  expect(findingsToDecisions([finding(rule)])).toEqual(
    rule.sources.map((one) => ({
      ...one,
      field: "content_filters",
      rule: "[TICKET]",
      action: "redact",
      spans: [{ path: ["input"], start: 3, end: 9 }],
    })),
  );
  expect(findingsToDecisions([finding({})])[0]).toMatchObject({ field: "content_filter_builtins", rule: "email" });
});

describe("contentBlock", () => {
  it.each<[string, FilterFinding[], string | undefined]>([
    ["nothing", [], undefined],
    ["redacted or flagged content", [finding({}), injection("flag", ["role"])], undefined],
    [
      "one filter",
      [finding({ action: "block" }), finding({ label: "[X]" })],
      "Request blocked by content filter: [EMAIL]",
    ],
    [
      "two filters",
      [finding({ action: "block" }), finding({ action: "block", label: "[X]" })],
      "Request blocked by content filter: [EMAIL], [X]",
    ],
    ["prompt injection", [injection("block", ["role"])], "Request blocked: prompt injection patterns detected"],
    [
      "prompt injection and a filter",
      [injection("block", ["role"]), finding({ action: "block" })],
      "Request blocked by content filter: [EMAIL]",
    ],
  ])("of %s", (_, findings, message) => {
    expect(contentBlock(findings)?.message).toBe(message);
  });

  it("names the blocking guardrails and the matched families of prompt injection", () => {
    const error = contentBlock([injection("block", ["role", "encoding"]), finding({})]);
    expect(error?.status).toBe(403);
    expect(error?.metadata).toEqual({
      patterns: ["role", "encoding"],
      blocked_by: [
        {
          ...source("Base", "workspace"),
          field: "content_filter_builtins",
          rule: "regex-prompt-injection",
          action: "block",
        },
      ],
    });
  });
});
