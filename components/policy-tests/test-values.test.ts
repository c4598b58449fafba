import { expect, it } from "vitest";
import { distinctGuardrails, toPolicyTest, toTestValues, type TestStart } from "./test-values";

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
