import { expect, it } from "vitest";
import type { Decision } from "@/lib/engine/decision/contract";
import { blockReason, describeDecisions } from "./decision-text";
import { stagesOf } from "./decision-stages";

const decision = (field: string, action: string, rule: string | null = null): Decision => ({
  scope: "key",
  guardrail_id: "019aa000-0000-7000-8000-000000000000",
  guardrail_name: "Production",
  revision: 3,
  field,
  rule,
  action,
  spans: [],
});
const attempt = { provider: "p", provider_name: "P", model: "m", status: 200, latency_ms: 1, error: null };
const states = (given: Parameters<typeof stagesOf>[0]) => stagesOf(given).map(({ name, state }) => `${name} ${state}`);

it("passes every stage when the request succeeded", () => {
  expect(
    new Set(
      stagesOf({ status: "succeeded", decisions: [decision("allowed_models", "exclude")], attempts: [attempt] }).map(
        ({ state }) => state,
      ),
    ),
  ).toEqual(new Set(["passed"]));
});

it.each([
  ["content", [decision("content_filters", "block")], "filters stopped"],
  ["exclusion", [decision("allowed_models", "exclude")], "candidates stopped"],
  ["an exhausted budget", [decision("allowed_models", "exclude"), decision("limit_usd", "block")], "budgets stopped"],
] as [string, Decision[], string][])("stops where %s blocked it", (_what, decisions, expected) => {
  const found = states({ status: "blocked", decisions, attempts: [] });
  expect(found).toContain(expected);
  expect(found.at(-1)).toBe("settle not reached");
});

it("stops at a check after filters and candidates, and lists the stage only with decisions", () => {
  const decisions = [decision("content_filters", "flag"), decision("external_checks", "block", "tone")];
  expect(states({ status: "blocked", decisions, attempts: [] }).slice(2, 6)).toEqual([
    "filters passed",
    "candidates passed",
    "checks stopped",
    "budgets not reached",
  ]);
  expect(states({ status: "failed", decisions: [decision("judges", "error", "legal")], attempts: [] })).toContain(
    "checks stopped",
  );
  expect(states({ status: "succeeded", decisions: [], attempts: [attempt] }).join()).not.toContain("checks");
});

it("stops at the answer when it was blocked, which was charged all the same", () => {
  const blocked: Decision = { ...decision("content_filters", "block", "[CODE]"), direction: "response", withheld: 41 };
  const record = { status: "blocked", decisions: [blocked], attempts: [attempt], error: null } as const;
  expect(states({ ...record, decisions: [blocked], attempts: [attempt] }).slice(-3)).toEqual([
    "upstream passed",
    "answer stopped",
    "settle passed",
  ]);
  expect(blockReason({ ...record, decisions: [blocked] })).toBe(
    "Blocked by guardrail “Production” (key): its content filter “[CODE]” matched the answer. 41 characters of the answer withheld.",
  );
  expect(states({ status: "succeeded", decisions: [], attempts: [attempt] }).join()).not.toContain("answer");
});

it("shows what a guardrail that only observes would have done in its stage, and stops at none", () => {
  const decisions = [
    decision("content_filters", "would_block", "[CODE]"),
    decision("external_checks", "would_block", "tone"),
    decision("allowed_models", "would_exclude", "a by p"),
    decision("limit_usd", "would_block", "daily limit of $5.00"),
  ];
  const record = { status: "succeeded", decisions, attempts: [attempt], error: null } as const;
  const stages = stagesOf({ ...record, attempts: [attempt] });
  expect(new Set(stages.map(({ state }) => state))).toEqual(new Set(["passed"]));
  expect(stages.flatMap(({ name, decisions: own }) => own.map(({ field }) => `${name} ${field}`))).toEqual([
    "filters content_filters",
    "candidates allowed_models",
    "checks external_checks",
    "budgets limit_usd",
  ]);
  expect(blockReason({ ...record, status: "blocked", error: null })).toBe("Blocked: no reason was recorded.");
});

it("summarizes what happened, and what would have happened, in one line", () => {
  expect(
    describeDecisions([
      decision("content_filter_builtins", "redact", "phone"),
      decision("content_filter_builtins", "would_redact", "email"),
      decision("allowed_models", "exclude", "a by p"),
      decision("allowed_models", "would_exclude", "b by p"),
      decision("ignored_models", "would_exclude", "b by p"),
      decision("allowed_providers", "would_exclude", "b by q"),
    ]),
  ).toBe(
    "redacted Phone numbers, would have redacted Email addresses, excluded 1 endpoint, would have excluded 2 endpoints",
  );
  expect(
    describeDecisions([
      decision("allowed_models", "would_block", "a by p"),
      decision("allowed_models", "would_block", "b by p"),
    ]),
  ).toBe("would have blocked by allowed models");
});

it("stops upstream when every attempt failed", () => {
  expect(states({ status: "failed", decisions: [], attempts: [attempt] })).toContain("upstream stopped");
});

it.each([
  [
    [decision("content_filter_builtins", "block", "email")],
    "Blocked by guardrail “Production” (key): its content filter “Email addresses” matched the request.",
  ],
  [
    [decision("external_checks", "error", "leaks"), decision("judges", "block", "legal")],
    "Blocked by guardrail “Production” (key): its model judge “legal” rejected the request.",
  ],
  [[decision("limit_usd", "block")], "Blocked by the spending limit of guardrail “Production” (key)."],
  [
    [decision("allowed_models", "exclude", "a by p"), decision("allowed_models", "exclude", "b by p")],
    "Blocked: no endpoint available. All were excluded by the allowed models of guardrail “Production” (key).",
  ],
] as const)("names the guardrail that blocked the request", (decisions, sentence) => {
  expect(blockReason({ status: "blocked", decisions: [...decisions], error: null })).toBe(sentence);
  expect(blockReason({ status: "succeeded", decisions: [...decisions], error: null })).toBeNull();
});
