import { checkTable, type Row } from "../../../testing/contract-table";
import { ChatCompletionsBody } from "./chat-request-contract";

const MESSAGES = [{ role: "user", content: "hi" }];

checkTable("Chat completions body", ChatCompletionsBody, [
  [
    "max_tokens, max_completion_tokens: at least 1",
    [],
    ["max_tokens", "max_completion_tokens"].flatMap((field) =>
      [0, -1].map((tokens): Row[2][number] => [{ messages: MESSAGES, [field]: tokens }, field]),
    ),
  ],
  [
    "messages: required, at least one",
    [{ messages: MESSAGES }],
    [
      [{}, "messages"],
      [{ messages: [] }, "messages"],
    ],
  ],
  ["messages: known roles only", [], [[{ messages: [{ role: "king", content: "hi" }] }, "messages.0.role"]]],
  [
    "messages: a tool result references its call",
    [{ messages: [{ role: "tool", content: "1", tool_call_id: "c" }] }],
    [[{ messages: [{ role: "tool", content: "1" }] }, "messages.0.tool_call_id"]],
  ],
  [
    "tools: a function's definition is nested",
    [{ messages: MESSAGES, tools: [{ type: "function", function: { name: "f" } }] }],
    [[{ messages: MESSAGES, tools: [{ type: "function", name: "f" }] }, "tools.0.function"]],
  ],
  [
    "values that an upstream may know pass",
    [
      { service_tier: "batch" },
      { prompt_cache_options: { ttl: "30m" } },
      { modalities: ["text", "smell"] },
      { verbosity: "mute" },
      { tool_choice: "maybe" },
      { tool_choice: { type: "web_search_preview" } },
      { web_search_options: { search_context_size: "huge" } },
      { tools: [{ type: "custom", custom: { name: "f", format: { type: "abnf" } } }] },
    ].map((field) => ({ messages: MESSAGES, ...field })),
    [],
  ],
  ["shared limits apply", [], [[{ messages: MESSAGES, session_id: "x".repeat(257) }, "session_id"]]],
]);
