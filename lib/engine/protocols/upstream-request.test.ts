import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import type { ChatMessage } from "./contracts/chat-messages-contract";
import { chatToResponses } from "./responses/from-chat";
import { ChatCompletionsBody } from "./contracts/chat-request-contract";
import { ResponsesBody } from "./contracts/responses-request-contract";
import type { Protocol } from "../endpoint";
import { responsesToChat } from "./chat/from-responses";
import { upstreamRequest } from "./upstream-request";

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
const to = (protocol: Protocol, supportedParameters: string[] | null) =>
  endpointOf({ provider: { protocol }, upstreamModel: "their-model", supportedParameters });
const fromChat = (body: object, protocol: Protocol, supported: string[] | null = null) =>
  upstreamRequest(
    {
      protocol: "chat_completions",
      body: ChatCompletionsBody.parse({ messages: [{ role: "user", content: "hi" }], ...body }),
    },
    to(protocol, supported),
  );
const fromResponses = (body: object, protocol: Protocol, supported: string[] | null = null) =>
  upstreamRequest(
    { protocol: "responses", body: ResponsesBody.parse({ input: "hi", ...body }) },
    to(protocol, supported),
  );

const CHAT = { model: "their-model", messages: [{ role: "user", content: "hi" }], stream: false };
const RESPONSES = { model: "their-model", input: "hi", store: false, stream: false };
const MESSAGE_ITEMS = { ...RESPONSES, input: [{ role: "user", content: "hi" }] };

/** Fields for Signalbox itself, in every protocol. */
const OURS = {
  model: "acme/one",
  models: ["acme/two"],
  provider: { only: ["acme"] },
  plugins: [{ id: "web" }],
  route: "fallback",
  session_id: "s",
  debug: { echo_upstream_body: true },
  trace: { trace_id: "t" },
  preset: "p",
};

describe("upstreamRequest", () => {
  it("uses the provider's protocol and the endpoint's own model, without Signalbox fields", () => {
    expect(fromChat(OURS, "chat_completions")).toEqual({ path: "/chat/completions", isStream: false, body: CHAT });
    expect(fromResponses(OURS, "chat_completions")).toEqual({ path: "/chat/completions", isStream: false, body: CHAT });
    expect(fromResponses(OURS, "responses")).toEqual({ path: "/responses", isStream: false, body: RESPONSES });
    expect(fromChat(OURS, "responses")).toEqual({ path: "/responses", isStream: false, body: MESSAGE_ITEMS });
  });

  it("a chat completions stream always requests usage", () => {
    expect(fromResponses({ stream: true }, "chat_completions").body).toEqual({
      ...CHAT,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(fromChat({ stream: true, stream_options: { include_usage: false } }, "responses").body).toEqual({
      ...MESSAGE_ITEMS,
      stream: true,
    });
  });

  it.each<[string, object, object]>([
    ["a limit keeps the caller's field name", { max_tokens: 5 }, { max_tokens: 5 }],
    ["a limit keeps the caller's field name", { max_completion_tokens: 5 }, { max_completion_tokens: 5 }],
    ["of two limits, the newer one applies alone", { max_completion_tokens: 1, max_tokens: 32_000 }, { max_tokens: 1 }],
    [
      "an effort uses the public API's field",
      { reasoning: { effort: "low", summary: "auto" } },
      { reasoning_effort: "low" },
    ],
    ["disabled reasoning is effort none", { reasoning: { enabled: false } }, { reasoning_effort: "none" }],
    ["a reasoning budget needs the object", { reasoning: { max_tokens: 100 } }, { reasoning: { max_tokens: 100 } }],
    ["fast is priority", { service_tier: "fast" }, { service_tier: "priority" }],
    ["null is sent", { temperature: null, stop: null }, { temperature: null, stop: null }],
    ["0 is sent", { temperature: 0, seed: 0 }, { temperature: 0, seed: 0 }],
    [
      "fields that other upstreams may reject, and unknown ones",
      { metadata: { a: "b" }, user: "u", cache_control: { type: "ephemeral" }, temprature: 1 },
      { metadata: { a: "b" }, user: "u", cache_control: { type: "ephemeral" }, temprature: 1 },
    ],
  ])("chat → chat: %s", (_name, given, expected) => {
    expect(fromChat(given, "chat_completions").body).toEqual({ ...CHAT, ...expected });
  });

  it.each<[string[], object, object]>([
    [["max_tokens"], { max_completion_tokens: 5 }, { max_tokens: 5 }],
    [["max_completion_tokens"], { max_tokens: 5 }, { max_completion_tokens: 5 }],
    [
      ["max_tokens", "max_completion_tokens"],
      { max_tokens: 32_000, max_completion_tokens: 1 },
      { max_completion_tokens: 1 },
    ],
    [
      [],
      { max_tokens: 5, tools: [], response_format: { type: "json_object" }, modalities: ["text"] },
      { max_tokens: 5, tools: [], response_format: { type: "json_object" }, modalities: ["text"] },
    ],
    [["top_p"], { temperature: 1, top_p: 0.5, seed: 3, stop: ["x"] }, { top_p: 0.5 }],
    [["reasoning"], { reasoning_effort: "low" }, { reasoning: { effort: "low" } }],
    [["reasoning", "reasoning_effort"], { reasoning: { effort: "low" } }, { reasoning_effort: "low" }],
    [["metadata"], { metadata: { a: "b" } }, { metadata: { a: "b" } }],
  ])("chat → chat, an upstream that supports %j: %j", (supported, given, expected) => {
    expect(fromChat(given, "chat_completions", supported).body).toEqual({ ...CHAT, ...expected });
  });

  it.each<[string, object, object]>([
    [
      "documented fields pass",
      {
        instructions: "be kind",
        max_output_tokens: 50,
        max_tool_calls: 3,
        metadata: { a: "b" },
        include: ["reasoning.encrypted_content"],
        parallel_tool_calls: false,
        truncation: "auto",
        top_logprobs: 2,
        prompt_cache_key: "k",
        service_tier: "flex",
      },
      {
        instructions: "be kind",
        max_output_tokens: 50,
        max_tool_calls: 3,
        metadata: { a: "b" },
        include: ["reasoning.encrypted_content"],
        parallel_tool_calls: false,
        truncation: "auto",
        top_logprobs: 2,
        prompt_cache_key: "k",
        service_tier: "flex",
      },
    ],
    ["fast is priority", { service_tier: "fast" }, { service_tier: "priority" }],
    [
      "reasoning without its switch",
      { reasoning: { effort: "high", summary: "auto", max_tokens: 5, enabled: true } },
      { reasoning: { effort: "high", summary: "auto", max_tokens: 5 } },
    ],
    ["disabled reasoning is effort none", { reasoning: { enabled: false } }, { reasoning: { effort: "none" } }],
    [
      "fields that other upstreams may reject, and unknown ones",
      { top_k: 4, cache_control: { type: "ephemeral" }, presence_penalty: 1, temprature: 1, user: "u" },
      { top_k: 4, cache_control: { type: "ephemeral" }, presence_penalty: 1, temprature: 1, user: "u" },
    ],
    [
      "items unchanged",
      {
        input: [
          { type: "brand_new", a: 1 },
          { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "abc" },
          { type: "reasoning", id: "rs_2", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
        ],
      },
      {
        input: [
          { type: "brand_new", a: 1 },
          { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "abc" },
          { type: "reasoning", id: "rs_2", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
        ],
      },
    ],
    [
      "no reasoning that only its id identifies, because nothing is stored",
      {
        input: [
          { type: "reasoning", id: "rs_1", summary: [] },
          { type: "item_reference", id: "rs_2" },
          { role: "user", content: "hi" },
        ],
      },
      { input: [{ role: "user", content: "hi" }] },
    ],
    [
      "thinking of a Messages upstream",
      {
        input: [
          { type: "reasoning", id: "rs_gen-1-a_0", summary: [], encrypted_content: "anthropicThinking001EqQBCg" },
          { role: "user", content: "hi" },
        ],
      },
      { input: [{ role: "user", content: "hi" }] },
    ],
    [
      "plain reasoning generated by Signalbox",
      {
        input: [
          { type: "reasoning", id: "rs_gen-1-a_0", summary: [] },
          { role: "user", content: "hi" },
        ],
      },
      { input: [{ role: "user", content: "hi" }] },
    ],
  ])("Responses → Responses: %s", (_name, given, expected) => {
    expect(plain(fromResponses(given, "responses").body)).toEqual({ ...RESPONSES, ...expected });
  });

  it("an end user's safety identifier is never sent, but its hash", () => {
    const named = (body: object) => fromResponses(body, "responses").body["safety_identifier"];
    expect(named({ safety_identifier: "ada@example.com" })).toMatch(/^[0-9a-f]{64}$/);
    expect(named({ safety_identifier: "ada@example.com" })).not.toBe(named({ safety_identifier: "bob@example.com" }));
    expect(named({ user: "ada" })).toBeUndefined();
    for (const protocol of ["responses", "chat_completions"] as const)
      for (const { body } of [
        fromResponses({ safety_identifier: "ada" }, protocol),
        fromChat({ safety_identifier: "ada" }, protocol),
      ]) {
        expect(JSON.stringify(body)).not.toContain('"ada"');
        expect(body["safety_identifier"]).toMatch(/^[0-9a-f]{64}$/);
      }
  });
});

describe("chatToResponses", () => {
  const convert = (body: object) => plain(fromChat(body, "responses").body);
  const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
  const sealed = { type: "reasoning.encrypted", data: "sealed", id: "rs_1", format: "openai-responses-v1", index: 0 };

  it.each<[string, unknown[], object]>([
    [
      "a leading system message becomes the instructions",
      [
        { role: "system", content: "be kind" },
        { role: "user", content: "hi" },
      ],
      { instructions: "be kind", input: [{ role: "user", content: "hi" }] },
    ],
    [
      "a later system message stays in place",
      [
        { role: "user", content: "hi" },
        { role: "system", content: "be kind" },
      ],
      {
        input: [
          { role: "user", content: "hi" },
          { role: "system", content: "be kind" },
        ],
      },
    ],
    [
      "a system message alone becomes the input",
      [{ role: "system", content: "be kind" }],
      { input: [{ role: "system", content: "be kind" }] },
    ],
    ["a name is dropped", [{ role: "user", content: "hi", name: "ada" }], { input: [{ role: "user", content: "hi" }] }],
    [
      "parts",
      [
        {
          role: "user",
          content: [
            { type: "text", text: "see" },
            { type: "image_url", image_url: { url: "data:,", detail: "low" } },
            { type: "file", file: { filename: "a.pdf", file_data: "data:," } },
            { type: "file", file: { file_data: "https://a.example/b.pdf" } },
            { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
            { type: "video_url", video_url: { url: "https://a.example/v" } },
          ],
        },
      ],
      {
        input: [
          {
            role: "user",
            content: [
              { type: "input_text", text: "see" },
              { type: "input_image", image_url: "data:,", detail: "low" },
              { type: "input_file", filename: "a.pdf", file_data: "data:," },
              { type: "input_file", file_url: "https://a.example/b.pdf" },
              { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
              { type: "input_video", video_url: "https://a.example/v" },
            ],
          },
        ],
      },
    ],
    [
      "a turn with calls and their outputs, encrypted reasoning first",
      [
        { role: "assistant", content: "ok", tool_calls: [call], reasoning: "hm", reasoning_details: [sealed] },
        { role: "tool", tool_call_id: "c1", content: "42" },
      ],
      {
        input: [
          { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
          { role: "assistant", content: "ok" },
          { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
          { type: "function_call_output", call_id: "c1", output: "42" },
        ],
      },
    ],
    [
      "a refusal",
      [{ role: "assistant", content: null, refusal: "no" }],
      { input: [{ role: "assistant", content: [{ type: "refusal", refusal: "no" }] }] },
    ],
  ])("%s", (_name, messages, expected) => {
    expect(convert({ messages })).toEqual({ ...RESPONSES, ...expected });
  });

  it.each<[string, object, object]>([
    ["a limit", { max_tokens: 50 }, { max_output_tokens: 50 }],
    ["the newer field name takes precedence", { max_tokens: 1, max_completion_tokens: 50 }, { max_output_tokens: 50 }],
    ["an effort", { reasoning_effort: "low" }, { reasoning: { effort: "low" } }],
    [
      "the response schema",
      {
        response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" }, strict: true } },
      },
      { text: { format: { type: "json_schema", name: "n", schema: { type: "object" }, strict: true } } },
    ],
    [
      "JSON and verbosity",
      { response_format: { type: "json_object" }, verbosity: "low" },
      { text: { format: { type: "json_object" }, verbosity: "low" } },
    ],
    [
      "functions, not strict by default",
      {
        tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }, { type: "web_search" }],
      },
      {
        tools: [{ type: "function", name: "f", parameters: { type: "object" }, strict: false }, { type: "web_search" }],
      },
    ],
    [
      "strict when set",
      { tools: [{ type: "function", function: { name: "f", strict: true } }] },
      { tools: [{ type: "function", name: "f", parameters: null, strict: true }] },
    ],
    [
      "a forced function",
      { tool_choice: { type: "function", function: { name: "f" } } },
      { tool_choice: { type: "function", name: "f" } },
    ],
    ["a mode", { tool_choice: "required" }, { tool_choice: "required" }],
    ["fields that Responses lacks are dropped", { stop: ["x"], seed: 1, logit_bias: { 1: 2 }, min_p: 0.1 }, {}],
    [
      "shared fields are kept",
      { temperature: 0, top_p: 0.5, parallel_tool_calls: false, metadata: { a: "b" } },
      { temperature: 0, top_p: 0.5, parallel_tool_calls: false, metadata: { a: "b" } },
    ],
  ])("%s", (_name, given, expected) => {
    expect(convert(given)).toEqual({ ...MESSAGE_ITEMS, ...expected });
  });
});

describe("round trip", () => {
  const text = fc.string({ minLength: 1 });
  const user = fc.oneof(
    fc.record({ role: fc.constantFrom("user" as const, "developer" as const, "system" as const), content: text }),
    fc.record({
      role: fc.constant("user" as const),
      content: fc.tuple(text, fc.webUrl()).map(([words, url]) => [
        { type: "text" as const, text: words },
        { type: "image_url" as const, image_url: { url, detail: "high" } },
      ]),
    }),
  );
  const call = fc.record({
    id: text,
    type: fc.constant("function" as const),
    function: fc.record({ name: text, arguments: text }),
  });
  const said = fc.record({ role: fc.constant("assistant" as const), content: text });
  const called = fc.record({
    role: fc.constant("assistant" as const),
    content: fc.option(text),
    tool_calls: fc.array(call, { minLength: 1 }),
  });
  const output = fc.record({ role: fc.constant("tool" as const), tool_call_id: text, content: text });
  /** Alternating turns: two consecutive assistant messages are one turn in Responses. */
  const turns = fc.array(
    fc.tuple(user, fc.oneof(said, called), output).map((messages): ChatMessage[] => messages),
    { minLength: 1 },
  );

  it("chat → Responses → chat keeps every message", () => {
    fc.assert(
      fc.property(turns, (list) => {
        const messages = list.flat();
        const { draft } = chatToResponses(ChatCompletionsBody.parse({ messages }));
        const back = responsesToChat(draft as ResponsesBody).draft as Partial<ChatCompletionsBody>;
        expect(plain(back.messages)).toEqual(plain(messages));
      }),
    );
  });

  it("chat → Responses → chat keeps tools, formats and limits", () => {
    const given = {
      messages: [{ role: "user", content: "hi" }],
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object" }, strict: true } }],
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: { type: "json_schema", json_schema: { name: "n", schema: {} } },
      max_tokens: 9,
      temperature: 0.5,
      verbosity: "low",
    };
    const { draft } = chatToResponses(ChatCompletionsBody.parse(given));
    expect(plain(responsesToChat(draft as ResponsesBody).draft)).toMatchObject(given);
  });
});
