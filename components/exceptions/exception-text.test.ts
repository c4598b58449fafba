import { expect, it } from "vitest";
import { describeException, timeLeft } from "./exception-text";

const nothing = { guardrail_name: null, field: null, rule: null, raise_usd: null, phrase: null };

it.each([
  [0, "00:00:00"],
  [1, "00:00:01"],
  [59_000, "00:00:59"],
  [3_600_000, "01:00:00"],
  [86_399_000, "23:59:59"],
  [86_400_000, "1 d 00 h"],
  [90 * 86_400_000, "90 d 00 h"],
  [-5, "00:00:00"],
])("%d ms is %s", (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});

it.each([
  [
    {
      ...nothing,
      kind: "lift_rule" as const,
      guardrail_name: "Production",
      field: "content_filter_builtins" as const,
      rule: "email",
    },
    "“Production”: content filter “Email addresses” lifted",
  ],
  [
    { ...nothing, kind: "lift_rule" as const, guardrail_name: "Production", field: "allowed_models" as const },
    "“Production”: allowed models lifted",
  ],
  [
    { ...nothing, kind: "lift_rule" as const, guardrail_name: "Production", field: "enforce_zdr_vendor_a" as const },
    "“Production”: zero data retention for OpenAI lifted",
  ],
  [{ ...nothing, kind: "raise_limit" as const, raise_usd: 5 }, "Key’s own limit raised by $5.00"],
  [{ ...nothing, kind: "allow_phrase" as const, phrase: "a b" }, "Phrase “a b” allowed by content filters"],
])("describes the effect", (exception, text) => {
  expect(describeException(exception, ["openai", "anthropic", "google"])).toBe(text);
});
