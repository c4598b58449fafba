import { describe, expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { StrictMessagesBody } from "../../testing/strict-messages";
import { StrictChatBody, StrictResponsesBody } from "../../testing/strict-upstream";
import type { UpstreamProtocol } from "../../records/providers/vocabulary";
import { MessagesBody } from "./contracts/messages-request-contract";
import type { InferenceRequest } from "./inference-request";
import { unconvertible, upstreamRequest } from "./upstream-request";
import { unknownFields } from "./known-fields";

const ephemeral = { cache_control: { type: "ephemeral" } };
const PNG = "iVBORw0KGgo=";

const tools = [
  {
    name: "Read",
    description: "Reads a file from the local filesystem.",
    input_schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { file_path: { type: "string" }, limit: { type: "number" } },
      required: ["file_path"],
      additionalProperties: false,
    },
  },
  {
    name: "mcp__github__list_issues",
    description: "Lists issues.",
    input_schema: { type: "object", properties: {} },
    eager_input_streaming: true,
    ...ephemeral,
  },
];
const turn = {
  model: "claude-opus-5",
  max_tokens: 32_000,
  stream: true,
  system: [
    { type: "text", text: "x-anthropic-billing-header: cc_version=2.1.37.0d9; cc_entrypoint=cli;" },
    { type: "text", text: "You are Claude Code, Anthropic's official CLI for Claude.", ...ephemeral },
    { type: "text", text: "You are an interactive agent.", cache_control: { type: "ephemeral", ttl: "1h" } },
  ],
  tools,
  metadata: { user_id: JSON.stringify({ device_id: "d".repeat(64), account_uuid: "", session_id: "s" }) },
};
const question = {
  role: "user",
  content: [
    { type: "text", text: "<system-reminder>…</system-reminder>" },
    { type: "text", text: "Fix it", ...ephemeral },
  ],
};
const called = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "I should read it.", signature: "EqQB".repeat(20) },
    { type: "text", text: "Reading." },
    { type: "tool_use", id: "toolu_01A", name: "Read", input: { file_path: "/a.ts" }, caller: { type: "direct" } },
    { type: "tool_use", id: "toolu_01B", name: "Read", input: { file_path: "/b.png" } },
  ],
};
const returned = {
  role: "user",
  content: [
    { type: "tool_result", tool_use_id: "toolu_01A", content: "File does not exist.", is_error: true },
    {
      type: "tool_result",
      tool_use_id: "toolu_01B",
      content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } }],
      ...ephemeral,
    },
  ],
};

/** Requests as the coding agent's public documentation and bug reports show them. */
const REQUESTS: Record<string, object> = {
  "the first turn": {
    ...turn,
    thinking: { type: "adaptive" },
    output_config: { effort: "high" },
    messages: [question],
  },
  "a turn with results of tools": {
    ...turn,
    thinking: { type: "enabled", budget_tokens: 31_999 },
    context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
    messages: [question, called, returned],
  },
  "a title of the session": {
    model: "claude-haiku-4-5",
    max_tokens: 512,
    temperature: 1,
    system: turn.system.slice(0, 2),
    messages: [{ role: "user", content: "Fix it" }],
    output_config: {
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: { title: { type: "string" } },
          required: ["title"],
          additionalProperties: false,
        },
      },
    },
    metadata: turn.metadata,
  },
  "a check of the quota": {
    model: "claude-haiku-4-5",
    max_tokens: 1,
    messages: [{ role: "user", content: "quota" }],
    metadata: turn.metadata,
  },
  "a turn without thinking": {
    ...turn,
    thinking: { type: "disabled" },
    tool_choice: { type: "auto" },
    messages: [question],
  },
};

const STRICT = { chat_completions: StrictChatBody, responses: StrictResponsesBody, messages: StrictMessagesBody };
const requestOf = (body: object): InferenceRequest => ({ protocol: "messages", body: MessagesBody.parse(body) });
const sent = (request: InferenceRequest, protocol: UpstreamProtocol) =>
  JSON.parse(
    JSON.stringify(upstreamRequest(request, endpointOf({ provider: { protocol }, upstreamModel: "their-model" })).body),
  ) as Record<string, unknown>;

describe.each(Object.entries(REQUESTS))("%s", (_name, body) => {
  const request = requestOf(body);

  it.each(["chat_completions", "responses"] as const)("is taken by a strict %s upstream", (protocol) => {
    const endpoint = endpointOf({ provider: { protocol }, supportedParameters: null });
    expect(unconvertible(request, endpoint)).toEqual([]);
    const faults = STRICT[protocol].safeParse(sent(request, protocol)).error?.issues ?? [];
    expect(faults.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([]);
  });

  it("passes to a Messages upstream as it is", () => {
    const own = { stream: false, ...body };
    expect(sent(request, "messages")).toEqual({ ...(JSON.parse(JSON.stringify(own)) as object), model: "their-model" });
    expect(unknownFields("messages", request.body)).toEqual([]);
  });
});

it("keeps what the turn says", () => {
  const request = requestOf(REQUESTS["a turn with results of tools"] ?? {});
  expect(sent(request, "chat_completions")).toMatchObject({
    reasoning_effort: "high",
    messages: [
      { role: "system" },
      { role: "user", content: "<system-reminder>…</system-reminder>\nFix it" },
      { role: "assistant", content: "Reading.", tool_calls: [{ id: "toolu_01A" }, { id: "toolu_01B" }] },
      { role: "tool", tool_call_id: "toolu_01A", content: "Error: File does not exist." },
      { role: "tool", tool_call_id: "toolu_01B", content: "" },
      { role: "user", content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } }] },
    ],
  });
});

it("every field passes to a Messages upstream, unknown ones, nulls and nested ones included", () => {
  const body = {
    model: "m",
    max_tokens: 9,
    messages: [
      {
        role: "user",
        content: [
          { type: "novel", deep: [{ a: null }] },
          { type: "text", text: "x", novel: 1 },
        ],
        novel: 2,
      },
      { role: "system", content: "now" },
    ],
    system: "be kind",
    container: { id: "c", skills: [{ skill_id: "s", novel: 1 }] },
    mcp_servers: [{ type: "url", url: "https://a.example", name: "n", authorization_token: null }],
    inference_geo: "eu",
    service_tier: "standard_only",
    speed: "fast",
    stop_sequences: ["x"],
    temperature: 0.5,
    top_k: 4,
    top_p: 0.5,
    tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
    tools: [
      { name: "f", input_schema: { type: "object" }, novel: 1 },
      { type: "novel_20300101", name: "g" },
    ],
    thinking: { type: "adaptive", display: "omitted" },
    output_config: { effort: "max", novel: 1 },
    output_format: null,
    cache_control: { type: "ephemeral" },
    context_management: { edits: [{ type: "compact_20260112" }] },
    metadata: { user_id: "u" },
    novel: { a: 1 },
  };
  const ours = { session_id: "s", trace: { trace_id: "t" }, provider: { only: ["a"] }, debug: {}, models: ["n"] };
  expect(sent(requestOf({ ...body, ...ours, stream: true }), "messages")).toEqual({
    ...body,
    model: "their-model",
    stream: true,
  });
});

it("reasoning of other models isn't sent to a Messages upstream", () => {
  const foreign = [
    { type: "thinking", thinking: "hm", signature: "" },
    { type: "redacted_thinking", data: "openai-responses-v1.rs_1.abc" },
  ];
  const own = { type: "redacted_thinking", data: "EqQBabc" };
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [...foreign, own, { type: "text", text: "a" }] },
    { role: "assistant", content: foreign },
  ];
  const request = requestOf({ model: "m", max_tokens: 9, messages });
  expect(sent(request, "messages")["messages"]).toEqual([
    messages[0],
    { role: "assistant", content: [own, { type: "text", text: "a" }] },
  ]);
  expect(sent(request, "responses")["input"]).toContainEqual({
    type: "reasoning",
    id: "rs_1",
    summary: [],
    encrypted_content: "abc",
  });
});

it.each([
  ["stop_sequences", { stop_sequences: ["x"] }, "responses", "stop_sequences"],
  [
    "a server tool",
    { tools: [{ type: "code_execution_20250825", name: "code_execution" }] },
    "chat_completions",
    "tools.0",
  ],
  [
    "citations",
    {
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              citations: { enabled: true },
              source: { type: "text", media_type: "text/plain", data: "x" },
            },
          ],
        },
      ],
    },
    "responses",
    "messages.0.content.0.citations",
  ],
  [
    "a part of a later step",
    { messages: [{ role: "user", content: [{ type: "novel" }] }] },
    "responses",
    "messages.0.content.0",
  ],
  [
    "compaction",
    { context_management: { edits: [{ type: "compact_20260112" }] } },
    "chat_completions",
    "context_management.edits.0",
  ],
  ["an unknown field", { novel: 1 }, "chat_completions", "novel"],
] as const)("refuses %s by the caller's own path", (_name, fields, protocol, path) => {
  const request = requestOf({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }], ...fields });
  const refused = unconvertible(request, endpointOf({ provider: { protocol }, supportedParameters: null }));
  expect(refused.map((one) => one.path.join("."))).toEqual([path]);
});
