import { expect, it } from "vitest";
import { ruleText } from "./rule-text";

const GUARDRAIL = { guardrail_name: "Production" };
const ENDPOINT = { ...GUARDRAIL, rule: "sandbox/echo by sandbox", action: "exclude" } as const;

it.each([
  [
    { ...GUARDRAIL, field: "content_filter_builtins", rule: "email", action: "block" },
    "Production: Email addresses blocked",
  ],
  [
    { guardrail_name: null, field: "limit_usd", rule: null, action: "block" },
    "A key's own limit: Budget limit blocked",
  ],
  [{ ...ENDPOINT, field: "allowed_models" }, "Production: sandbox/echo by sandbox excluded (allowed models)"],
  [{ ...ENDPOINT, field: "ignored_models" }, "Production: sandbox/echo by sandbox excluded (blocked models)"],
  [
    { ...ENDPOINT, field: "allowed_models", action: "would_exclude" },
    "Production: sandbox/echo by sandbox would have been excluded (allowed models)",
  ],
] as const)("%o is %s", (rule, text) => {
  expect(ruleText(rule)).toBe(text);
});
