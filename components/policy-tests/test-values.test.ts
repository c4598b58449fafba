import { expect, it } from "vitest";
import {
  decidingFirst,
  distinctGuardrails,
  suggestedName,
  toPolicyTest,
  toTestValues,
  type TestStart,
} from "./test-values";

const START: TestStart = {
  name: "N",
  protocol: "responses",
  request: { model: "m", input: "hi" },
  answer: null,
  expected: { outcome: "blocked", field: "content_filters", rule: "[X]" },
};

it.each<[string, TestStart]>([
  ["a prompt", START],
  ["any rule", { ...START, expected: { outcome: "allowed", field: null, rule: null } }],
  ["a response", { ...START, answer: "hello" }],
  ["a whole request", { ...START, request: { model: "m", input: "hi", temperature: 0 } }],
  [
    "messages",
    { ...START, protocol: "chat_completions", request: { model: "m", messages: [{ role: "user", content: "hi" }] } },
  ],
])("%s round-trips through the form", (_what, start) => {
  expect(toPolicyTest(toTestValues(start, "g"), start.protocol)).toEqual(start);
});

it.each([
  ["name", { name: " " }],
  ["prompt", { prompt: "" }],
  ["model", { model: "" }],
  ["json", { json: "[1]" }],
])("asks for %s", (field, given) => {
  expect(toPolicyTest({ ...toTestValues(START, "g"), ...given }, "responses")).toMatchObject({ field });
});

it("offers the guardrail that decided first, once", () => {
  const named = (id: string | null) => ({ guardrail_id: id, guardrail_name: id && `Guardrail ${id}` });
  expect(distinctGuardrails(["decided", null, "default", "decided"].map(named))).toEqual([
    { id: "decided", name: "Guardrail decided" },
    { id: "default", name: "Guardrail default" },
  ]);
});

const named = (start: Partial<TestStart>) => suggestedName({ ...START, name: "", ...start });

it.each<[string, Partial<TestStart>, string]>([
  ["a pattern's label", {}, "Blocked by [X]: “hi”"],
  [
    "a built-in filter",
    { expected: { outcome: "redacted", field: "content_filter_builtins", rule: "email" } },
    "Redacted by Email addresses: “hi”",
  ],
  [
    "a field",
    { expected: { outcome: "blocked", field: "allowed_models", rule: null } },
    "Blocked by Allowed models: “hi”",
  ],
  ["no rule", { expected: { outcome: "allowed", field: null, rule: null } }, "Allowed: “hi”"],
  [
    "the last message of the user",
    {
      protocol: "chat_completions",
      request: {
        messages: [
          { role: "user", content: "first" },
          { role: "assistant", content: "answer" },
          { role: "user", content: [{ type: "text", text: "last" }] },
        ],
      },
    },
    "Blocked by [X]: “last”",
  ],
  [
    "the beginning of a long text",
    { request: { input: "word ".repeat(30) } },
    "Blocked by [X]: “word word word word word word word word word word word word…”",
  ],
  [
    "a text without its card number and address",
    { request: { input: "Charge 4111 1111 1111 1111 of ada@example.com now" } },
    "Blocked by [X]: “Charge … of … now”",
  ],
  ["nothing without a text", { request: { input: "" } }, ""],
])("names a test after %s", (_what, start, name) => {
  expect(named(start)).toBe(name);
});

it("lists the deciding guardrail first", () => {
  const actions = ["allow", "flag", "block", "redact"].map((action) => ({ action }));
  expect(decidingFirst(actions).map(({ action }) => action)).toEqual(["block", "redact", "flag", "allow"]);
});
