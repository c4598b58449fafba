import { describe, expect, it } from "vitest";
import { withoutClientFields } from "./client-fields";

describe("withoutClientFields", () => {
  it.each([
    [
      "calls of the Responses client",
      { type: "function_call", call_id: "c", name: "f", arguments: "{}", parsed_arguments: null },
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    ],
    [
      "texts of the Responses client",
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "{}", parsed: {} }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "{}" }] },
    ],
    [
      "messages and calls of the chat client",
      {
        role: "assistant",
        content: "{}",
        parsed: {},
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}", parsed_arguments: {} } }],
      },
      {
        role: "assistant",
        content: "{}",
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      },
    ],
    [
      "messages and calls of Mistral's client",
      {
        role: "assistant",
        content: "",
        prefix: false,
        tool_calls: [{ id: "c", type: "function", index: 0, function: { name: "f", arguments: "{}" } }],
      },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      },
    ],
    [
      "parts of the Agents SDK",
      { role: "assistant", content: [{ type: "text", text: "a", role: "assistant", refusal: null }] },
      { role: "assistant", content: [{ type: "text", text: "a" }] },
    ],
  ])("leaves out what is no part of the API in %s", (_name, given, expected) => {
    expect(withoutClientFields([given])).toEqual([expected]);
  });

  it.each([
    { role: "user", content: [{ type: "text", text: "a", parsed: 1 }] },
    { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
    { role: "assistant", content: "a", refusal: null, custom: true },
    { role: "assistant", content: "a", prefix: true },
  ])("returns the same message otherwise: %j", (message) => {
    expect(withoutClientFields([message])[0]).toBe(message);
  });
});
