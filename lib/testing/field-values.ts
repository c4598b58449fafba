import type { Protocol } from "../engine/endpoint";

type Body = Record<string, unknown>;

/** Fields for Signalbox, and `stream`. */
const OWN = ["model", "models", "preset", "provider", "route", "plugins", "session_id", "trace", "debug", "stream"];

const functionTool = { name: "f", description: "d", parameters: { type: "object" }, strict: true };

/** Fields of several protocols. */
const SHARED: Body = {
  model: "acme/one",
  models: ["acme/two"],
  preset: "p",
  provider: { only: ["acme"] },
  route: "fallback",
  plugins: [{ id: "web" }],
  session_id: "s",
  trace: { trace_id: "t" },
  debug: { echo_upstream_body: true },
  cache_control: { type: "ephemeral" },
  frequency_penalty: 0.5,
  image_config: { size: "1K" },
  metadata: { a: "b" },
  modalities: ["text", "image"],
  parallel_tool_calls: false,
  presence_penalty: 0.5,
  prompt_cache_key: "k",
  prompt_cache_options: { mode: "explicit" },
  prompt_cache_retention: "24h",
  reasoning: { effort: "low", summary: "auto" },
  safety_identifier: "ada",
  service_tier: "flex",
  stop_server_tools_when: [{ type: "step_count_is", step_count: 2 }],
  stream: true,
  temperature: 0.5,
  top_k: 4,
  top_logprobs: 2,
  top_p: 0.5,
  user: "ada",
};
/** A value of every request field with an effect. */
export const FIELD_VALUES: Readonly<Record<Protocol, Body>> = {
  chat_completions: {
    ...SHARED,
    audio: { voice: "alloy", format: "mp3" },
    function_call: "auto",
    functions: [{ name: "f" }],
    logit_bias: { 1: 2 },
    logprobs: true,
    max_completion_tokens: 9,
    max_tokens: 9,
    messages: [
      { role: "system", content: "be kind" },
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: "https://a.example/i.png", detail: "low" } },
        ],
      },
      {
        role: "assistant",
        content: "ok",
        reasoning: "hm",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "f", arguments: "{}" } },
          { id: "c2", type: "custom", custom: { name: "g", input: "x" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "42" },
      { role: "tool", tool_call_id: "c2", content: "43" },
    ],
    min_p: 0.1,
    n: 2,
    prediction: { type: "content", content: "x" },
    reasoning_effort: "low",
    repetition_penalty: 1.1,
    response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" }, strict: true } },
    seed: 1,
    stop: ["x"],
    store: true,
    stream_options: { include_usage: false, include_obfuscation: false },
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "f" } }] },
    },
    tools: [
      { type: "function", function: functionTool },
      {
        type: "custom",
        custom: { name: "g", format: { type: "grammar", grammar: { syntax: "lark", definition: "start: X" } } },
      },
    ],
    top_a: 0.1,
    verbosity: "low",
    web_search_options: {
      search_context_size: "low",
      user_location: { type: "approximate", approximate: { city: "Rome" } },
    },
  },
  responses: {
    ...SHARED,
    background: false,
    client_metadata: { "x-client": "1" },
    conversation: null,
    include: ["message.output_text.logprobs", "reasoning.encrypted_content"],
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "see" },
          { type: "input_image", image_url: "data:,", detail: "low" },
        ],
      },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }] },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "ok", annotations: [] }],
      },
      { type: "function_call", id: "fc_1", call_id: "c1", name: "f", namespace: "crm", arguments: "{}" },
      { type: "custom_tool_call", call_id: "c2", name: "g", input: "x" },
      { type: "function_call_output", call_id: "c1", output: "42" },
      { type: "custom_tool_call_output", call_id: "c2", output: [{ type: "input_text", text: "43" }] },
    ],
    instructions: "be kind",
    max_output_tokens: 9,
    max_tool_calls: 3,
    previous_response_id: null,
    prompt: { id: "p" },
    store: false,
    stream_options: { include_obfuscation: false },
    text: { verbosity: "low", format: { type: "json_schema", name: "n", schema: { type: "object" }, strict: true } },
    tool_choice: { type: "custom", name: "g" },
    tools: [
      { type: "function", ...functionTool },
      { type: "custom", name: "g", format: { type: "grammar", syntax: "lark", definition: "start: X" } },
      { type: "namespace", name: "crm", description: "CRM", tools: [{ type: "function", name: "f" }] },
    ],
    truncation: "auto",
  },
  messages: {
    ...Object.fromEntries(OWN.map((name) => [name, SHARED[name]])),
    cache_control: { type: "ephemeral" },
    container: { id: "c" },
    thread: { type: "create" },
    context_management: { edits: [{ type: "clear_thinking_20251015" }, { type: "compact_20260112" }] },
    inference_geo: "eu",
    max_tokens: 9,
    mcp_servers: [{ type: "url", url: "https://a.example", name: "n" }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "see", cache_control: { type: "ephemeral" } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
          { type: "image", source: { type: "url", url: "https://a.example/i.png" } },
          {
            type: "document",
            title: "t",
            context: "c",
            source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
          },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "plain" } },
          { type: "search_result", source: "https://a.example", title: "t", content: [{ type: "text", text: "x" }] },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "c2lnbmF0dXJl" },
          { type: "text", text: "ok" },
          { type: "tool_use", id: "c1", name: "f", input: { a: 1 } },
          { type: "tool_use", id: "c2", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "42", is_error: true },
          {
            type: "tool_result",
            tool_use_id: "c2",
            content: [
              { type: "text", text: "43" },
              { type: "image", source: { type: "url", url: "https://a.example/i.png" } },
            ],
          },
          { type: "text", text: "go on" },
        ],
      },
      { role: "system", content: "now be brief" },
    ],
    metadata: { user_id: "ada" },
    output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
    output_format: { type: "json_schema", schema: { type: "object" } },
    service_tier: "standard_only",
    speed: "fast",
    stop_sequences: ["x"],
    system: [{ type: "text", text: "be kind", cache_control: { type: "ephemeral" } }],
    temperature: 0.5,
    thinking: { type: "enabled", budget_tokens: 2048, display: "summarized" },
    tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
    tools: [
      { name: "f", description: "d", input_schema: { type: "object" }, strict: true },
      { type: "custom", name: "g", input_schema: { type: "object" }, eager_input_streaming: true },
    ],
    top_k: 4,
    top_p: 0.5,
  },
};
