import { expect, it } from "vitest";
import { EMPTY_VALUES, type GuardrailValues } from "./guardrail-values";
import { whatItDoes } from "./what-it-does";

const VENDORS = ["anthropic", "openai", "google"];
const said = (fields: Partial<GuardrailValues>) => whatItDoes({ ...EMPTY_VALUES, ...fields }, VENDORS);

it("says nothing of a guardrail that restricts nothing; empty lists restrict nothing", () => {
  expect(said({})).toEqual([]);
  expect(
    said({ allowed_models: [], ignored_providers: [], include_byok_in_budgets: true, reset_interval: "daily" }),
  ).toEqual([]);
});

it("names models and providers, the first four", () => {
  expect(
    said({
      allowed_models: ["a/b"],
      ignored_models: ["a/c", "a/d"],
      allowed_providers: ["p", "q", "r", "s", "t", "u"],
      ignored_providers: ["z"],
    }),
  ).toEqual([
    "Only a/b can be used.",
    "a/c and a/d can't be used.",
    "Only p, q, r, s, and 2 more may serve requests.",
    "z may not serve requests.",
  ]);
});

it("names the vendors of zero data retention", () => {
  expect(said({ enforce_zdr_vendor_b: true, enforce_zdr_other: true, enforce_zdr_vendor_a: false })).toEqual([
    "Models of OpenAI and every other vendor run only where nothing of a request is kept.",
  ]);
});

it("groups filters by what they do, the strictest first", () => {
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
    "Requests with US social security numbers and matches of your 2 patterns are refused.",
    "E-mail addresses, IP addresses, and matches of your pattern are replaced before a request leaves.",
    "Requests with prompt injection are recorded and go on unchanged.",
  ]);
});

it("says how much may be spent, by whom and how long", () => {
  expect(said({ limit_usd: 12.5, reset_interval: "weekly" })).toEqual([
    "Every assigned key and member may spend $12.50 a week.",
  ]);
  expect(said({ limit_usd: 3, include_byok_in_budgets: true })).toEqual([
    "Every assigned key and member may spend $3.00 in total, spending on your own provider keys included.",
  ]);
  expect(said({ limit_usd: 0 })).toEqual(["Nothing may be spent."]);
  expect(said({ limit_usd: Number.NaN })).toEqual([]);
});
