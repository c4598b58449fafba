/** Streams of Messages as shown in the public documentation. */

const usage = (input: number, output: number, more: object = {}) => ({
  input_tokens: input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
  ...more,
});
const start = (input: number, more: object = {}) => ({
  type: "message_start",
  message: {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "claude-opus-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usage(input, 1, more),
  },
});
const open = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, given: object) => ({ type: "content_block_delta", index, delta: given });
const close = (index: number) => ({ type: "content_block_stop", index });
const finish = (stop_reason: string, given: object, more: object = {}) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null, ...more }, usage: given },
  { type: "message_stop" },
];
const words = (index: number, ...texts: string[]) => [
  open(index, { type: "text", text: "" }),
  ...texts.map((text) => delta(index, { type: "text_delta", text })),
  close(index),
];
const call = (index: number, id: string, name: string, ...pieces: string[]) => [
  open(index, { type: "tool_use", id, name, input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: "input_json_delta", partial_json })),
  close(index),
];

type Event = { type: string } & Record<string, unknown>;

export const PLAIN: Event[] = [
  start(25),
  open(0, { type: "text", text: "" }),
  { type: "ping" },
  delta(0, { type: "text_delta", text: "Hello" }),
  delta(0, { type: "text_delta", text: "!" }),
  close(0),
  ...finish("end_turn", { output_tokens: 15 }),
];

export const TOOLS: Event[] = [
  start(472),
  ...words(0, "Okay", ", let me check"),
  ...call(1, "toolu_01", "get_weather", "", '{"location":', ' "San', " Francisc", 'o, CA"', "}"),
  ...call(2, "toolu_02", "get_time"),
  ...finish("tool_use", { output_tokens: 89 }),
];

export const THINKING: Event[] = [
  start(30, { cache_creation_input_tokens: 200, cache_read_input_tokens: 1000 }),
  open(0, { type: "thinking", thinking: "", signature: "" }),
  delta(0, { type: "thinking_delta", thinking: "Let me solve this" }),
  delta(0, { type: "thinking_delta", thinking: " step by step." }),
  delta(0, { type: "signature_delta", signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk" }),
  close(0),
  open(1, { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw" }),
  close(1),
  ...words(2, "27 * 453 = 12,231"),
  ...finish("end_turn", { output_tokens: 60, output_tokens_details: { thinking_tokens: 40 } }),
];

const location = {
  type: "web_search_result_location",
  url: "https://a.example/weather",
  title: "Weather",
  encrypted_index: "EoIBCioIAhgBIiQ3YTAwMjY1Mi1mZjM5LTQ1NGUtODgxNC1kNjNjNTk1ZWI3Y",
  cited_text: "18°C",
};
export const SEARCH: Event[] = [
  start(2679),
  ...words(0, "I'll check. "),
  open(1, { type: "server_tool_use", id: "srvtoolu_01", name: "web_search", input: {} }),
  delta(1, { type: "input_json_delta", partial_json: '{"query":"weather NYC"}' }),
  close(1),
  open(2, {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_01",
    content: [
      { type: "web_search_result", url: "https://a.example/weather", title: "Weather", encrypted_content: "E" },
    ],
  }),
  close(2),
  open(3, { type: "text", text: "", citations: [] }),
  delta(3, { type: "citations_delta", citation: location }),
  delta(3, { type: "text_delta", text: "It is 18°C." }),
  close(3),
  ...finish("end_turn", usage(10_682, 510, { server_tool_use: { web_search_requests: 1 } })),
];

export const REFUSAL: Event[] = [
  start(12),
  ...words(0, "I"),
  ...finish(
    "refusal",
    { output_tokens: 2 },
    { stop_details: { type: "refusal", category: "bio", explanation: "It asks for something dangerous." } },
  ),
];

/** Future events, blocks and deltas. */
export const UNKNOWN: Event[] = [
  start(1),
  { type: "brand_new", text: "x" },
  open(0, { type: "brand_new_block", text: "y" }),
  delta(0, { type: "brand_new_delta", text: "z" }),
  close(0),
  ...words(1, "ok"),
  ...finish("brand_new_reason", { output_tokens: 2 }),
];

export const STREAMS = { PLAIN, TOOLS, THINKING, SEARCH, REFUSAL, UNKNOWN };

/** The whole response with the content of THINKING, SEARCH and TOOLS. */
export const WHOLE = {
  id: "msg_01",
  type: "message",
  role: "assistant",
  model: "claude-opus-5",
  content: [
    { type: "thinking", thinking: "Let me see.", signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk" },
    { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw" },
    { type: "text", text: "It is 18°C.", citations: [location] },
    { type: "tool_use", id: "toolu_01", name: "get_weather", input: { location: "Rome" } },
    { type: "tool_use", id: "toolu_02", name: "get_time", input: {} },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: usage(30, 60, {
    cache_creation_input_tokens: 200,
    cache_read_input_tokens: 1000,
    cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 150 },
    service_tier: "standard",
  }),
};
