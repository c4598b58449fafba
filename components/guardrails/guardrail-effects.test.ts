import { expect, it } from "vitest";
import { EMPTY_VALUES, type GuardrailValues } from "./guardrail-values";
import { guardrailEffects } from "./guardrail-effects";

const VENDORS = ["anthropic", "openai", "google"];
const said = (fields: Partial<GuardrailValues>) => guardrailEffects({ ...EMPTY_VALUES, ...fields }, VENDORS);

it("returns no sentences without restrictions; empty lists don't restrict", () => {
  expect(said({})).toEqual([]);
  expect(
    said({ allowed_models: [], ignored_providers: [], include_byok_in_budgets: true, reset_interval: "daily" }),
  ).toEqual([]);
});

it("says nothing of a limit while it is invalid", () => {
  expect(said({ limit_usd: -5 })).toEqual([]);
  expect(said({ limit_usd: Number.NaN })).toEqual([]);
});

it("begins with the mode of a guardrail that only observes", () => {
  expect(said({ mode: "observe", limit_usd: 0 })).toEqual([
    "Only observes: requests pass unchanged, and the log says what would have happened.",
    "Spending is blocked.",
  ]);
});

it("names data regions and the first four models and providers", () => {
  expect(
    said({
      allowed_models: ["a/b"],
      ignored_models: ["a/c", "a/d"],
      allowed_providers: ["p", "q", "r", "s", "t", "u"],
      ignored_providers: ["z"],
      allowed_data_regions: ["europe"],
    }),
  ).toEqual([
    "Only a/b can be used.",
    "a/c and a/d can't be used.",
    "Only p, q, r, s, and 2 more can serve requests.",
    "z can't serve requests.",
    "Only endpoints in europe can serve requests.",
  ]);
});

it("names the vendors with zero data retention", () => {
  expect(said({ enforce_zdr_vendor_b: true, enforce_zdr_other: true, enforce_zdr_vendor_a: false })).toEqual([
    "Models from OpenAI and all other vendors use only zero-retention endpoints.",
  ]);
});

it("groups filters by action, strictest first", () => {
  expect(
    said({
      content_filter_builtins: [
        { slug: "regex-prompt-injection", action: "flag" },
        { slug: "email", action: "redact" },
        { slug: "ip-address", action: "redact" },
        { slug: "ssn", action: "block" },
      ],
      content_filters: [
        { pattern: "a", action: "block" },
        { pattern: "b", action: "block" },
        { pattern: "c", action: "redact" },
      ],
    }),
  ).toEqual([
    "Requests containing US Social Security numbers and matches of your 2 patterns are blocked.",
    "Email addresses, IP addresses, and matches of your pattern are redacted before the request is sent.",
    "Requests containing prompt injection are flagged and sent unchanged.",
  ]);
});

it("tells filters of responses from those of requests", () => {
  expect(
    said({
      content_filter_builtins: [
        { slug: "email", action: "redact", scope: "both" },
        { slug: "ssn", action: "block", scope: "response" },
      ],
    }),
  ).toEqual([
    "Email addresses are redacted before the request is sent.",
    "Responses containing US Social Security numbers are blocked.",
    "Email addresses are redacted in responses.",
  ]);
});

it("states the limit, its period and what counts", () => {
  expect(said({ limit_usd: 12.5, reset_interval: "weekly" })).toEqual([
    "Each assigned key and member can spend $12.50 per week.",
  ]);
  expect(said({ limit_usd: 3, include_byok_in_budgets: true })).toEqual([
    "Each assigned key and member can spend $3.00 in total, including BYOK spend.",
  ]);
  expect(said({ limit_usd: 0 })).toEqual(["Spending is blocked."]);
  expect(said({ limit_usd: Number.NaN })).toEqual([]);
});

it("names checks and judges by what they receive", () => {
  const check = { format: "signalbox" as const, timeout_ms: 5000, url: "https://checks.example/" };
  const judge = { model: "a/b", instructions: "Rule", threshold: 0.5, action: "block" as const, timeout_ms: 10_000 };
  expect(
    said({
      external_checks: [
        { ...check, name: "tone" },
        { ...check, name: "leaks", scope: "both" },
      ],
      judges: [{ ...judge, name: "legal", scope: "response" }],
    }),
  ).toEqual([
    "Requests are judged by external checks (tone and leaks); without a verdict they are rejected.",
    "Responses are scored by model judges (legal); without a score they are rejected.",
    "Responses are judged by external checks (leaks); without a verdict they are rejected.",
  ]);
});
