import { expect, it } from "vitest";
import type { Decision } from "./contract";
import { moderationDecisions } from "./moderation-decisions";

const decision = (rule: string, action: string, start = 0): Decision => ({
  scope: "key",
  guardrail_id: "g",
  guardrail_name: "G",
  revision: 1,
  field: "content_filters",
  rule,
  action,
  spans: [{ path: ["messages", 0, "content"], start, end: start + 1 }],
});

it("joins the decisions of a rule, and names the inputs", () => {
  expect(
    moderationDecisions([[decision("A", "block"), decision("B", "allow")], [], [decision("A", "block", 5)]]),
  ).toEqual([
    {
      ...decision("A", "flag"),
      spans: [
        { path: ["input", 0], start: 0, end: 1 },
        { path: ["input", 2], start: 5, end: 6 },
      ],
    },
    { ...decision("B", "allow"), spans: [{ path: ["input", 0], start: 0, end: 1 }] },
  ]);
});

it("keeps at most a hundred spans", () => {
  const all = moderationDecisions(Array.from({ length: 150 }, () => [decision("A", "redact")]));
  expect(all.map(({ action, spans }) => [action, spans.length])).toEqual([["flag", 100]]);
});
