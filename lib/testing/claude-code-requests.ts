const ephemeral = { cache_control: { type: "ephemeral" } };
export const PNG = "iVBORw0KGgo=";

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

/** Requests as shown in the coding agent's public documentation and bug reports. */
export const CLAUDE_CODE_REQUESTS: Record<string, object> = {
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
