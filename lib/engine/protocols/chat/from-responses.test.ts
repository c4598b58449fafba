import { describe, expect, it } from "vitest";
import type { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { ResponsesBody } from "../contracts/responses-request-contract";
import { responsesToChat } from "./from-responses";

const translate = (body: object) => responsesToChat(ResponsesBody.parse(body)).draft as Partial<ChatCompletionsBody>;
const messagesOf = (input: unknown) => translate({ input }).messages;
const call = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
const chatCall = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };

describe("responsesToChat", () => {
  it.each<[string, unknown, unknown[]]>([
    ["a text is a user message", "hi", [{ role: "user", content: "hi" }]],
    ["a message may omit its type", [{ role: "developer", content: "hi" }], [{ role: "developer", content: "hi" }]],
    [
      "text parts are joined",
      [
        {
          role: "user",
          content: [
            { type: "input_text", text: "a" },
            { type: "input_text", text: "b" },
          ],
        },
      ],
      [{ role: "user", content: "a\nb" }],
    ],
    [
      "other parts stay separate",
      [
        {
          role: "user",
          content: [
            { type: "input_text", text: "a" },
            { type: "input_image", image_url: "data:,", detail: "low" },
          ],
        },
      ],
      [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "image_url", image_url: { url: "data:,", detail: "low" } },
          ],
        },
      ],
    ],
    [
      "an assistant's parts become text and a refusal",
      [
        {
          type: "message",
          role: "assistant",
          content: [
            { type: "output_text", text: "a" },
            { type: "refusal", refusal: "no" },
          ],
        },
      ],
      [{ role: "assistant", content: "a", refusal: "no" }],
    ],
    ["a call becomes an assistant message", [call], [{ role: "assistant", content: null, tool_calls: [chatCall] }]],
    [
      "a call output becomes a tool message",
      [{ type: "function_call_output", call_id: "c1", output: "42" }],
      [{ role: "tool", tool_call_id: "c1", content: "42" }],
    ],
    [
      "reasoning, text and calls of one turn become one message",
      [
        { type: "reasoning", id: "r", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
        { role: "assistant", content: "ok" },
        call,
        { ...call, call_id: "c2" },
      ],
      [{ role: "assistant", content: "ok", reasoning: "hm", tool_calls: [chatCall, { ...chatCall, id: "c2" }] }],
    ],
    [
      "two answers stay separate",
      [
        { role: "assistant", content: "a" },
        { role: "assistant", content: "b" },
      ],
      [
        { role: "assistant", content: "a" },
        { role: "assistant", content: "b" },
      ],
    ],
    [
      "a type without a counterpart is dropped",
      [
        { type: "item_reference", id: "x" },
        { type: "brand_new", a: 1 },
        { role: "user", content: "hi" },
      ],
      [{ role: "user", content: "hi" }],
    ],
  ])("%s", (_name, input, expected) => {
    expect(JSON.parse(JSON.stringify(messagesOf(input)))).toEqual(expected);
  });

  it("leaves out what SDKs add when they parse an answer", () => {
    const said = { type: "output_text", text: "{}", annotations: [], parsed: {} };
    const input = [
      { role: "assistant", content: [said] },
      { ...call, parsed_arguments: {} },
    ];
    expect(responsesToChat(ResponsesBody.parse({ input }))).toMatchObject({
      draft: { messages: [{ role: "assistant", content: "{}", tool_calls: [chatCall] }] },
      refused: [],
    });
  });

  it("puts instructions first", () => {
    expect(translate({ instructions: "Be kind", input: "hi" }).messages?.[0]).toEqual({
      role: "system",
      content: "Be kind",
    });
  });

  it("nests function tools, tool choice and response schema", () => {
    const body = translate({
      input: "hi",
      tools: [{ type: "function", name: "f", parameters: { type: "object" } }, { type: "service:web_search" }],
      tool_choice: { type: "function", name: "f" },
      text: { format: { type: "json_schema", name: "n", schema: {} } },
    });
    expect(body).toMatchObject({
      tools: [
        { type: "function", function: { name: "f", parameters: { type: "object" } } },
        { type: "service:web_search" },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: { type: "json_schema", json_schema: { name: "n", schema: {} } },
    });
  });

  it.each([
    ["auto", "auto"],
    ["required", "required"],
  ])("tool_choice %j becomes %j", (tool_choice, expected) => {
    expect(translate({ input: "hi", tool_choice }).tool_choice).toBe(expected);
  });
});
