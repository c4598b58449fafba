import { expect, it } from "vitest";
import { isShown } from "./saved-conversation";

const decided = (...actions: string[]) =>
  actions.map((action) => ({
    scope: "key" as const,
    guardrail_id: null,
    guardrail_name: null,
    revision: null,
    field: "content_filter_builtins",
    rule: "email",
    action,
    spans: [],
  }));

it.each([
  ["no decision", true, decided(), true],
  ["a flag", true, decided("flag", "allow"), true],
  ["a redaction", true, decided("flag", "redact"), false],
  ["a block", true, decided("block"), false],
  ["content that isn't stored", false, decided(), false],
])("shows a request with %s as it was sent: %s", (_what, content_stored, decisions, expected) => {
  expect(isShown({ content_stored, decisions })).toBe(expected);
});
