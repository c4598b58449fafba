import { describe, expect, it } from "vitest";
import { leavesOf } from "../filters/leaves";
import { checkTexts, replacedPart, rewrittenLeaves, type CheckText } from "./check-texts";
import { readResponse } from "./read-response";

const file = `data:text/plain;base64,${Buffer.from("secret plan").toString("base64")}`;
const body = {
  messages: [
    { role: "user", content: "Hello Ada" },
    { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"a":"b"}' } }] },
    {
      role: "user",
      content: [
        { type: "file", file: { file_data: file } },
        { type: "text", text: "bye" },
      ],
    },
  ],
};
const texts = checkTexts(leavesOf("chat_completions", body));
const [hello, call, plan] = texts as [CheckText, CheckText, CheckText];
const own = (answer: unknown) => readResponse("signalbox", JSON.stringify(answer), texts);
const lite = (answer: unknown) => readResponse("litellm", JSON.stringify(answer), texts);

it("a check reads whole tool arguments and decoded files", () =>
  expect(texts.map(({ text }) => text)).toEqual(["Hello Ada", '{"a":"b"}', "secret plan", "bye", "c", "f"]));

describe("an answer of Signalbox's format", () => {
  it.each<[string, unknown, object]>([
    ["allows", { action: "allow" }, { verdict: "allow" }],
    ["blocks", { action: "block", reason: "rude" }, { verdict: "block", reason: "rude" }],
    ["blocks without a reason", { action: "block" }, { verdict: "block", reason: null }],
    [
      "blocks with a reason on one line",
      { action: "block", reason: "a\r\nb\u0000\u202ec" },
      { verdict: "block", reason: "a b c" },
    ],
    ["blocks with a long reason", { action: "block", reason: "x".repeat(900) }, { reason: `${"x".repeat(300)}…` }],
    [
      "redacts",
      { action: "redact", texts: [{ index: 0, text: "Hello" }] },
      { verdict: "redact", replacements: new Map([[0, "Hello"]]) },
    ],
    ["redacts nothing", { action: "redact", texts: [{ index: 3, text: "bye" }] }, { verdict: "allow" }],
    ["redacts without texts", { action: "redact", texts: [] }, { verdict: "unavailable" }],
    [
      "redacts a text that doesn't exist",
      { action: "redact", texts: [{ index: 6, text: "" }] },
      { verdict: "unavailable", reason: "The response replaces text 6, which doesn't exist" },
    ],
    [
      "breaks tool arguments",
      { action: "redact", texts: [{ index: 1, text: "[X]" }] },
      { verdict: "unavailable", reason: "The replacement of text 1 must stay valid JSON" },
    ],
    [
      "replaces a name",
      { action: "redact", texts: [{ index: 5, text: "[X]" }] },
      {
        verdict: "unavailable",
        reason: "The replacement of text 5 is a name, an id, a URL or a grammar, which can't be rewritten",
      },
    ],
    ["has an unknown action", { action: "ok" }, { verdict: "unavailable" }],
    ["is empty", {}, { verdict: "unavailable" }],
    ["is null", null, { verdict: "unavailable" }],
  ])("%s", (_, answer, verdict) => expect(own(answer)).toMatchObject(verdict));
});

describe("an answer of LiteLLM's format", () => {
  it.each<[string, unknown, object]>([
    ["allows", { action: "NONE" }, { verdict: "allow" }],
    ["allows with the same texts", { action: "NONE", texts: texts.map(({ text }) => text) }, { verdict: "allow" }],
    ["blocks", { action: "BLOCKED", blocked_reason: "rude" }, { verdict: "block", reason: "rude" }],
    ["blocks without a reason", { action: "BLOCKED", blocked_reason: null }, { verdict: "block", reason: null }],
    [
      "redacts",
      { action: "GUARDRAIL_INTERVENED", texts: ["Hello", '{"a":"b"}', "secret plan", "bye", "c", "f"] },
      { verdict: "redact", replacements: new Map([[0, "Hello"]]) },
    ],
    ["has fewer texts", { action: "GUARDRAIL_INTERVENED", texts: ["Hello"] }, { verdict: "unavailable" }],
    ["changes only images", { action: "GUARDRAIL_INTERVENED", images: ["x"] }, { verdict: "unavailable" }],
    ["has an unknown action", { action: "block" }, { verdict: "unavailable" }],
  ])("%s", (_, answer, verdict) => expect(lite(answer)).toMatchObject(verdict));

  it("that isn't JSON is none", () =>
    expect(readResponse("litellm", "<html>", texts)).toEqual({
      verdict: "unavailable",
      reason: "The response isn't valid JSON",
    }));
});

describe("a replacement", () => {
  it("is written where the text is, encoded like it", () => {
    const written = rewrittenLeaves(
      texts,
      new Map([
        [0, "Hello [NAME]"],
        [2, "[PLAN]"],
      ]),
    );
    expect(Object.fromEntries([...written].map(([{ path }, text]) => [path.join("."), text]))).toEqual({
      "messages.0.content": "Hello [NAME]",
      "messages.2.content.0.file.file_data": `data:text/plain;base64,${Buffer.from("[PLAN]").toString("base64")}`,
    });
  });

  it("is recorded by the part that changed", () => {
    expect(replacedPart(hello, "Hello [NAME]")).toEqual({ path: ["messages", 0, "content"], start: 6, end: 9 });
    expect(replacedPart(hello, "Hello Ada!")).toMatchObject({ start: 9, end: 9 });
    expect(replacedPart(call, '{"a":"c"}')).toMatchObject({ start: 6, end: 7 });
    expect(replacedPart(plan, "[PLAN]")).toMatchObject({ start: 23, end: file.length });
  });
});
