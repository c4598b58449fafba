import { describe, expect, it } from "vitest";
import { CLAUDE_CODE_REQUESTS, PNG } from "../../testing/claude-code-requests";
import { endpointOf } from "../../testing/endpoints";
import { StrictMessagesBody } from "../../testing/strict-messages";
import { StrictChatBody, StrictResponsesBody } from "../../testing/strict-upstream";
import type { UpstreamProtocol } from "./vocabulary";
import { MessagesBody } from "./contracts/messages-request-contract";
import type { InferenceRequest } from "./inference-request";
import { unconvertible, upstreamRequest } from "./upstream-request";
import { unknownFields } from "./known-fields";

const STRICT = { chat_completions: StrictChatBody, responses: StrictResponsesBody, messages: StrictMessagesBody };
const requestOf = (body: object): InferenceRequest => ({ protocol: "messages", body: MessagesBody.parse(body) });
const sent = (request: InferenceRequest, protocol: UpstreamProtocol) =>
  JSON.parse(
    JSON.stringify(upstreamRequest(request, endpointOf({ provider: { protocol }, upstreamModel: "their-model" })).body),
  ) as Record<string, unknown>;

describe.each(Object.entries(CLAUDE_CODE_REQUESTS))("%s", (_name, body) => {
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
  const request = requestOf(CLAUDE_CODE_REQUESTS["a turn with results of tools"] ?? {});
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
  ["an unknown field", { novel: 1 }, "chat_completions", "novel"],
] as const)("refuses %s by the caller's own path", (_name, fields, protocol, path) => {
  const request = requestOf({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }], ...fields });
  const refused = unconvertible(request, endpointOf({ provider: { protocol }, supportedParameters: null }));
  expect(refused.map((one) => one.path.join("."))).toEqual([path]);
});
