import { describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { call, converted, droppedOf, PNG, refusedOf, tool, type Body } from "../../../testing/messages-conversion";
import { CHAT_TO_MESSAGES } from "./from-chat";

/** A value of every field that asks for something. */
const VALUES: Body = {
  model: "acme/one",
  models: ["acme/two"],
  preset: "p",
  provider: { only: ["acme"] },
  route: "fallback",
  plugins: [{ id: "web" }],
  session_id: "s",
  trace: { trace_id: "t" },
  debug: { echo_upstream_body: true },
  audio: { voice: "alloy", format: "mp3" },
  cache_control: { type: "ephemeral" },
  frequency_penalty: 0.5,
  function_call: "auto",
  functions: [{ name: "f" }],
  image_config: { size: "1K" },
  logit_bias: { 1: 2 },
  logprobs: true,
  max_completion_tokens: 9,
  max_tokens: 9,
  messages: [{ role: "user", content: "bye" }],
  metadata: { a: "b" },
  min_p: 0.1,
  modalities: ["text", "image"],
  n: 2,
  parallel_tool_calls: false,
  prediction: { type: "content", content: "x" },
  presence_penalty: 0.5,
  prompt_cache_key: "k",
  prompt_cache_options: { mode: "explicit" },
  prompt_cache_retention: "24h",
  reasoning: { effort: "low", summary: "auto" },
  reasoning_effort: "low",
  repetition_penalty: 1.1,
  response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" }, strict: true } },
  safety_identifier: "ada",
  seed: 1,
  service_tier: "priority",
  stop: ["x"],
  stop_server_tools_when: [{ type: "step_count_is", step_count: 2 }],
  store: true,
  stream: true,
  stream_options: { include_usage: false, include_obfuscation: false },
  temperature: 0.5,
  tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [tool("f")] } },
  tools: [tool("f", { description: "d", parameters: { type: "object" }, strict: true }), tool("g")],
  top_a: 0.1,
  top_k: 4,
  top_logprobs: 2,
  top_p: 0.5,
  user: "ada",
  verbosity: "low",
  web_search_options: { user_location: { type: "approximate", approximate: { city: "Rome" } } },
};
/** Fields that a field needs beside it. */
const BESIDE: Body = {
  parallel_tool_calls: ["tools"],
  tool_choice: ["tools"],
  stream_options: ["stream"],
};

describe("each field of Chat Completions", () => {
  const fields = Object.keys(ChatCompletionsBody.shape).sort();

  it("has a rule and a value", () => {
    expect(Object.keys(CHAT_TO_MESSAGES).sort()).toEqual(fields);
    expect(Object.keys(VALUES).sort()).toEqual(fields);
  });

  it.each(fields)("%s", (field) => {
    const rule = CHAT_TO_MESSAGES[field];
    const beside = (BESIDE[field] ?? []) as string[];
    const given = Object.fromEntries([field, ...beside].map((name) => [name, VALUES[name]]));
    if (rule?.is === "refused" || field === "modalities") {
      expect(refusedOf(given)).toEqual([field]);
      return;
    }
    if (rule?.is === "dropped") expect(droppedOf(given)).toEqual([field]);
    const body = converted(given);
    if (rule?.is === "dropped") expect(body).toEqual(converted({}));
    if (rule?.is === "ours" && !["model", "metadata"].includes(field)) expect(body).not.toHaveProperty(field);
    if (rule?.is === "carried") expect(body[field]).toEqual(VALUES[field]);
    if (rule?.is !== "mapped") return;
    const without = Object.fromEntries(Object.entries(given).filter(([name]) => name !== field));
    expect(body).not.toEqual(converted(without));
  });

  it("that Signalbox doesn't know is refused", () => {
    expect(refusedOf({ temprature: 1 })).toEqual(["temprature"]);
  });
});

describe("messages", () => {
  it("become alternating turns, with the system apart", () => {
    const body = converted({
      messages: [
        { role: "system", content: "be kind" },
        { role: "user", content: "a" },
        { role: "user", content: [{ type: "text", text: "b", cache_control: { type: "ephemeral", ttl: "1h" } }] },
        { role: "developer", content: [{ type: "text", text: "be brief" }] },
        { role: "assistant", content: "c" },
        { role: "assistant", content: [{ type: "refusal", refusal: "d" }] },
        { role: "user", content: "" },
        { role: "user", content: "e" },
      ],
    });
    const text = (words: string) => ({ type: "text", text: words });
    expect(body["system"]).toEqual([text("be kind"), text("be brief")]);
    expect(body["messages"]).toEqual([
      { role: "user", content: [text("a"), { ...text("b"), cache_control: { type: "ephemeral", ttl: "1h" } }] },
      { role: "assistant", content: [text("c"), text("d")] },
      { role: "user", content: [text("e")] },
    ]);
  });

  it("call tools in parallel, and results come first in the next turn", () => {
    const body = converted({
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: null, tool_calls: [call("c.1", "f", '{"a":1}'), call("c:1", "g", "")] },
        { role: "user", content: "well?" },
        { role: "tool", tool_call_id: "c:1", content: "" },
        { role: "tool", tool_call_id: "c.1", content: [{ type: "text", text: "42" }] },
        { role: "assistant", content: null, tool_calls: [call("c.1")] },
        { role: "tool", tool_call_id: "c.1", content: "43" },
        { role: "assistant", content: "so: " },
      ],
    });
    expect(body["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "hi" }] },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "c_1", name: "f", input: { a: 1 } },
          { type: "tool_use", id: "c_1_2", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c_1_2" },
          { type: "tool_result", tool_use_id: "c_1", content: [{ type: "text", text: "42" }] },
          { type: "text", text: "well?" },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "c_1_3", name: "f", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c_1_3", content: [{ type: "text", text: "43" }] }],
      },
      { role: "assistant", content: [{ type: "text", text: "so:" }] },
    ]);
  });

  it.each<[string, object, object]>([
    [
      "an image by its address",
      { type: "image_url", image_url: { url: "https://a.example/i.png", detail: "low" } },
      { type: "image", source: { type: "url", url: "https://a.example/i.png" } },
    ],
    [
      "an image in base64",
      { type: "image_url", image_url: { url: `data:image/PNG;base64,${PNG}` }, cache_control: { type: "ephemeral" } },
      {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: PNG },
        cache_control: { type: "ephemeral" },
      },
    ],
    [
      "a PDF",
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
        title: "a.pdf",
      },
    ],
    [
      "a PDF by its address",
      { type: "file", file: { file_data: "https://a.example/a.pdf" } },
      { type: "document", source: { type: "url", url: "https://a.example/a.pdf" } },
    ],
    [
      "a text file",
      { type: "file", file: { file_data: "data:text/plain;base64,w6k=" } },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "é" } },
    ],
    [
      "a file that the upstream has",
      { type: "file", file: { file_id: "file_1" } },
      { type: "document", source: { type: "file", file_id: "file_1" } },
    ],
  ])("have %s, also as a tool's output", (_name, part, block) => {
    const [turn] = converted({ messages: [{ role: "user", content: [part] }] })["messages"] as Body[];
    expect(turn).toEqual({ role: "user", content: [block] });
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", tool_calls: [call("c")] },
      { role: "tool", tool_call_id: "c", content: [part] },
    ];
    expect((converted({ messages })["messages"] as Body[]).at(-1)?.["content"]).toMatchObject([{ content: [block] }]);
  });

  it("give thinking back that has a signature", () => {
    const format = "anthropic-claude-v1";
    const body = converted({
      messages: [
        { role: "user", content: "hi" },
        {
          role: "assistant",
          content: "ok",
          reasoning: "hm, well",
          reasoning_details: [
            { type: "reasoning.text", text: "hm, ", format, index: 0 },
            { type: "reasoning.text", text: "well", format, index: 0 },
            { type: "reasoning.text", signature: "sig", format, index: 0 },
            { type: "reasoning.encrypted", data: "secret", format, index: 1 },
            { type: "reasoning.encrypted", data: "other", id: "rs_1", format: "openai-responses-v1", index: 0 },
            { type: "reasoning.text", text: "unsigned", format, index: 2 },
          ],
        },
      ],
    });
    expect((body["messages"] as Body[])[1]?.["content"]).toEqual([
      { type: "thinking", thinking: "hm, well", signature: "sig" },
      { type: "redacted_thinking", data: "secret" },
      { type: "text", text: "ok" },
    ]);
  });

  it.each<[string, object[], string[]]>([
    ["only the system", [{ role: "system", content: "hi" }], ["messages"]],
    ["an answer first", [{ role: "assistant", content: "hi" }], ["messages.0"]],
    ["nothing but blanks", [{ role: "user", content: "\n" }], ["messages"]],
    [
      "a result without a call",
      [
        { role: "user", content: "a" },
        { role: "tool", tool_call_id: "c", content: "" },
      ],
      ["messages.1.tool_call_id"],
    ],
    [
      "a call without a result",
      [
        { role: "user", content: "a" },
        { role: "assistant", tool_calls: [call("c")] },
      ],
      ["messages.1.tool_calls.0"],
    ],
    [
      "a result behind the next answer",
      [
        { role: "user", content: "a" },
        { role: "assistant", tool_calls: [call("c")] },
        { role: "assistant", content: "b" },
        { role: "tool", tool_call_id: "c", content: "" },
      ],
      ["messages.1.tool_calls.0", "messages.3.tool_call_id"],
    ],
    [
      "arguments that aren't an object",
      [
        { role: "user", content: "a" },
        { role: "assistant", tool_calls: [call("c", "f", "[1")] },
        { role: "tool", tool_call_id: "c", content: "" },
      ],
      ["messages.1.tool_calls.0.function.arguments"],
    ],
    [
      "a custom call",
      [
        { role: "user", content: "a" },
        { role: "assistant", tool_calls: [{ id: "c", type: "custom", custom: { name: "g", input: "x" } }] },
      ],
      ["messages.1.tool_calls.0"],
    ],
    [
      "audio",
      [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "", format: "wav" } }] }],
      ["messages.0.content.0"],
    ],
    [
      "a video",
      [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "video_url", video_url: { url: "https://a.example" } },
          ],
        },
      ],
      ["messages.0.content.1"],
    ],
    [
      "another image",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/tiff;base64,AA==" } }] }],
      ["messages.0.content.0.image_url.url"],
    ],
    [
      "another file",
      [{ role: "user", content: [{ type: "file", file: { file_data: "data:text/csv;base64,AA==" } }] }],
      ["messages.0.content.0.file.file_data"],
    ],
    [
      "a picture of the system's",
      [
        { role: "user", content: "a" },
        { role: "system", content: [{ type: "image_url", image_url: { url: "https://a.example" } }] },
      ],
      ["messages.1.content.0"],
    ],
    [
      "role `function`",
      [
        { role: "user", content: "a" },
        { role: "function", name: "f", content: "" },
      ],
      ["messages.1"],
    ],
    [
      "an earlier spoken answer",
      [
        { role: "user", content: "a" },
        { role: "assistant", content: null, audio: { id: "a" } },
      ],
      ["messages.1.audio"],
    ],
  ])("with %s are refused", (_name, messages, paths) => {
    expect(refusedOf({ messages })).toEqual(paths);
  });
});
