import { describe, expect, it } from "vitest";
import { z } from "zod";
import { INCLUDES, ResponsesBody } from "./responses-request-contract";
import { checkTable, type Row } from "../../../testing/contract-table";

const text = (length: number) => "x".repeat(length);
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
const nullable = (field: string, value: unknown): Row => [
  `${field}: may be null`,
  [{ [field]: null }, { [field]: value }, {}],
  [],
];

const doubles = ["temperature", "top_p", "frequency_penalty", "presence_penalty"];
const integers = ["max_output_tokens", "top_logprobs", "max_tool_calls"];

checkTable("Responses request body", ResponsesBody, [
  [
    "model: string with a visible character, at most 500",
    [{ model: "a/b" }, { model: text(500) }],
    [
      [{ model: 1 }, "model"],
      [{ model: "" }, "model"],
      [{ model: " " }, "model"],
      [{ model: text(501) }, "model"],
    ],
  ],
  [
    "models: array of such strings",
    [{ models: [] }, { models: ["a/b"] }],
    [
      [{ models: "a/b" }, "models"],
      [{ models: [1] }, "models.0"],
      [{ models: ["a/b", ""] }, "models.1"],
    ],
  ],
  [
    "input: string, or array of input items",
    [{ input: "hi" }, { input: [] }],
    [
      [{ input: 1 }, "input"],
      [{ input: ["hi"] }, "input.0"],
    ],
  ],
  ["input: an unknown item kind passes", [{ input: [{ type: "configuration_update", anything: 1 }] }], []],
  [
    "input: a message may omit its type",
    [{ input: [{ role: "user", content: "hi" }] }],
    [[{ input: [{ role: "king", content: "hi" }] }, "input.0.role"]],
  ],
  [
    "input: a message's content is text, parts or null",
    [
      { input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }] },
      { input: [{ role: "assistant", content: null }] },
    ],
    [[{ input: [{ role: "user", content: [{ type: "input_text" }] }] }, "input.0.content.0.text"]],
  ],
  [
    "input: a function call names itself",
    [{ input: [{ type: "function_call", call_id: "c", name: "f", arguments: "{}" }] }],
    [[{ input: [{ type: "function_call", call_id: "c", name: "f" }] }, "input.0.arguments"]],
  ],
  [
    "instructions: string or null",
    [{ instructions: null }, { instructions: "Be brief" }],
    [[{ instructions: 1 }, "instructions"]],
  ],
  [
    "max_tool_calls: maximum 30",
    [{ max_tool_calls: 1 }, { max_tool_calls: 30 }],
    [
      [{ max_tool_calls: 31 }, "max_tool_calls"],
      [{ max_tool_calls: 0 }, "max_tool_calls"],
    ],
  ],
  [
    "stop_server_tools_when: minimum 1 item",
    [
      {
        stop_server_tools_when: [
          { type: "step_count_is", step_count: 3 },
          { type: "max_cost", max_cost_in_dollars: 0.5 },
        ],
      },
    ],
    [
      [{ stop_server_tools_when: [] }, "stop_server_tools_when"],
      [{ stop_server_tools_when: [{ type: "step_count_is", step_count: 1.5 }] }, "stop_server_tools_when.0.step_count"],
      [{ stop_server_tools_when: [{ type: "max_cost" }] }, "stop_server_tools_when.0.max_cost_in_dollars"],
      [{ stop_server_tools_when: [{ type: "full_moon" }] }, "stop_server_tools_when.0.type"],
    ],
  ],
  [
    "stop_server_tools_when: additional public API conditions",
    [
      {
        stop_server_tools_when: [
          { type: "has_tool_call", tool_name: "f" },
          { type: "max_tokens_used", max_tokens: 9 },
          { type: "finish_reason_is", reason: "stop" },
        ],
      },
    ],
    [[{ stop_server_tools_when: [{ type: "has_tool_call", tool_name: "" }] }, "stop_server_tools_when.0.tool_name"]],
  ],
  ...doubles.map((field): Row => [
    `${field}: number or null`,
    [{ [field]: 0.5 }, { [field]: null }],
    [[{ [field]: "1" }, field]],
  ]),
  ...integers.map((field): Row => [
    `${field}: integer or null`,
    [{ [field]: 5 }, { [field]: null }],
    [[{ [field]: 1.5 }, field]],
  ]),
  [
    "top_k: integer",
    [{ top_k: 40 }],
    [
      [{ top_k: 0.5 }, "top_k"],
      [{ top_k: null }, "top_k"],
    ],
  ],
  nullable("parallel_tool_calls", true),
  nullable("background", false),
  [
    "include: the allowed values, or null",
    [{ include: [...INCLUDES] }, { include: null }],
    [[{ include: ["everything"] }, "include.0"]],
  ],
  ["modalities: text, image", [{ modalities: ["text", "image"] }], [[{ modalities: ["smell"] }, "modalities.0"]]],
  [
    "image_config: values are string, number or array",
    [{ image_config: { a: "x", b: 1, c: [1, "x"] } }],
    [[{ image_config: { a: true } }, "image_config.a"]],
  ],
  [
    "metadata: at most 16 pairs",
    [{ metadata: pairs(16) }, { metadata: null }],
    [[{ metadata: pairs(17) }, "metadata"]],
  ],
  [
    "metadata: key at most 64 characters",
    [{ metadata: { [text(64)]: "v" } }],
    [[{ metadata: { [text(65)]: "v" } }, `metadata.${text(65)}`]],
  ],
  [
    "metadata: no brackets in keys",
    [],
    [
      [{ metadata: { "a[0": "v" } }, "metadata.a[0"],
      [{ metadata: { "a]": "v" } }, "metadata.a]"],
    ],
  ],
  [
    "metadata: value at most 512 characters",
    [{ metadata: { a: text(512) } }],
    [[{ metadata: { a: text(513) } }, "metadata.a"]],
  ],
  ["metadata: string values", [], [[{ metadata: { a: 1 } }, "metadata.a"]]],
  [
    "cache_control: type ephemeral required, ttl optional",
    [
      { cache_control: { type: "ephemeral" } },
      { cache_control: { type: "ephemeral", ttl: "1h" } },
      { cache_control: { type: "ephemeral", ttl: "9h" } },
    ],
    [
      [{ cache_control: { type: "eternal" } }, "cache_control.type"],
      [{ cache_control: {} }, "cache_control.type"],
      [{ cache_control: { type: "ephemeral", ttl: 9 } }, "cache_control.ttl"],
    ],
  ],
  nullable("prompt_cache_key", "k"),
  [
    "prompt_cache_options: mode explicit required, ttl string or null",
    [{ prompt_cache_options: null }, { prompt_cache_options: { mode: "explicit", ttl: null } }],
    [
      [{ prompt_cache_options: {} }, "prompt_cache_options.mode"],
      [{ prompt_cache_options: { ttl: "30m" } }, "prompt_cache_options.mode"],
      [{ prompt_cache_options: { mode: "implicit" } }, "prompt_cache_options.mode"],
    ],
  ],
  [
    "prompt: id required; variables are strings or input text, image or file",
    [
      { prompt: null },
      { prompt: { id: "p", variables: null } },
      {
        prompt: {
          id: "p",
          variables: {
            a: "x",
            b: { type: "input_text", text: "x" },
            c: { type: "input_image" },
            d: { type: "input_file" },
          },
        },
      },
    ],
    [
      [{ prompt: {} }, "prompt.id"],
      [{ prompt: { id: "p", variables: { a: 1 } } }, "prompt.variables.a"],
      [{ prompt: { id: "p", variables: { a: { type: "input_audio" } } } }, "prompt.variables.a.type"],
    ],
  ],
  [
    "debug: echo_upstream_body boolean",
    [{ debug: { echo_upstream_body: true } }],
    [[{ debug: { echo_upstream_body: "yes" } }, "debug.echo_upstream_body"]],
  ],
  [
    "max_output_tokens: at least 1",
    [{ max_output_tokens: 1 }],
    [
      [{ max_output_tokens: 0 }, "max_output_tokens"],
      [{ max_output_tokens: -1 }, "max_output_tokens"],
    ],
  ],
  [
    "reasoning: enabled and max_tokens, each nullable",
    [
      { reasoning: null },
      { reasoning: { enabled: null, max_tokens: null } },
      { reasoning: { enabled: true, max_tokens: 100 } },
    ],
    [
      [{ reasoning: { max_tokens: 1.5 } }, "reasoning.max_tokens"],
      [{ reasoning: { enabled: "yes" } }, "reasoning.enabled"],
    ],
  ],
  [
    "reasoning: base settings",
    [
      { reasoning: { effort: "xhigh", summary: "concise", mode: "pro", context: "all_turns" } },
      { reasoning: { effort: "enormous", summary: "long", mode: "new", context: "new" } },
    ],
    [
      [{ reasoning: { effort: 1 } }, "reasoning.effort"],
      [{ reasoning: { summary: "" } }, "reasoning.summary"],
    ],
  ],
  [
    "route: fallback, sort or null",
    [{ route: "fallback" }, { route: "sort" }, { route: null }],
    [[{ route: "random" }, "route"]],
  ],
  nullable("safety_identifier", "u"),
  [
    "service_tier: auto, default, fast, flex, priority, scale, null",
    ["auto", "default", "fast", "flex", "priority", "scale", null].map((service_tier) => ({ service_tier })),
    [
      [{ service_tier: "first" }, "service_tier"],
      [{ service_tier: "batch" }, "service_tier"],
    ],
  ],
  ["session_id: at most 256 characters", [{ session_id: text(256) }], [[{ session_id: text(257) }, "session_id"]]],
  ["user: at most 256 characters", [{ user: text(256) }], [[{ user: text(257) }, "user"]]],
  ["store: constant false", [{ store: false }], [[{ store: true }, "store"]]],
  ["stream: boolean", [{ stream: true }], [[{ stream: "true" }, "stream"]]],
  ["background: false or null", [{ background: false }], [[{ background: true }, "background"]]],
  [
    "conversation: a non-null value is rejected",
    [{ conversation: null }],
    [
      [{ conversation: "conv_1" }, "conversation"],
      [{ conversation: { id: "conv_1" } }, "conversation"],
    ],
  ],
  [
    "previous_response_id: a non-null value is rejected",
    [{ previous_response_id: null }],
    [
      [{ previous_response_id: "resp_1" }, "previous_response_id"],
      [{ previous_response_id: {} }, "previous_response_id"],
    ],
  ],
  [
    "text.verbosity: low, medium, high, xhigh, max, or null",
    ["low", "medium", "high", "xhigh", "max", null].map((verbosity) => ({ text: { verbosity } })),
    [[{ text: { verbosity: "mute" } }, "text.verbosity"]],
  ],
  [
    "text.format: text, json_object, json_schema, or a type that an upstream may know",
    [
      { text: { format: { type: "text" } } },
      { text: { format: { type: "json_object" } } },
      { text: { format: { type: "json_schema", name: "n", schema: {} } } },
      { text: { format: { type: "xml" } } },
    ],
    [
      [{ text: { format: {} } }, "text.format.type"],
      [{ text: { format: { type: "json_schema", name: "n" } } }, "text.format.schema"],
    ],
  ],
  [
    "tool_choice: auto, none, required",
    ["auto", "none", "required", "any"].map((tool_choice) => ({ tool_choice })),
    [[{ tool_choice: "maybe" }, "tool_choice"]],
  ],
  [
    "tool_choice: a function by name",
    [{ tool_choice: { type: "function", name: "f" } }],
    [[{ tool_choice: { type: "function" } }, "tool_choice.name"]],
  ],
  [
    "tool_choice: web search preview, allowed tools, apply_patch, shell, or a type that an upstream may know",
    [
      { type: "web_search_preview" },
      { type: "web_search_preview_2025_03_11" },
      { type: "allowed_tools", mode: "auto", tools: [{}] },
      { type: "apply_patch" },
      { type: "shell" },
      { type: "magic" },
    ].map((tool_choice) => ({ tool_choice })),
    [
      [{ tool_choice: {} }, "tool_choice.type"],
      [{ tool_choice: { type: "allowed_tools", mode: 1, tools: [] } }, "tool_choice.mode"],
    ],
  ],
  [
    "tools: a function requires a name",
    [{ tools: [{ type: "function", name: "f", description: "d", parameters: { type: "object" } }] }],
    [[{ tools: [{ type: "function" }] }, "tools.0.name"]],
  ],
  [
    "tools: an unknown type passes, a missing type is rejected",
    [{ tools: [{ type: "service:teleport", parameters: { to: "Mars" } }] }],
    [[{ tools: [{}] }, "tools.0.type"]],
  ],
  [
    "tools: known server tools are checked under either prefix",
    [
      {
        tools: [
          { type: "service:web_search" },
          { type: "openrouter:web_fetch", parameters: { max_uses: 2 } },
          { type: "mcp", server_label: "x" },
        ],
      },
    ],
    [
      [{ tools: [{ type: "service:web_search", parameters: { max_uses: "2" } }] }, "tools.0.parameters.max_uses"],
      [
        { tools: [{ type: "openrouter:subagent", parameters: { max_tool_calls: 26 } }] },
        "tools.0.parameters.max_tool_calls",
      ],
    ],
  ],
  [
    "truncation: auto, disabled, null, or a value that an upstream may know",
    [{ truncation: "auto" }, { truncation: "disabled" }, { truncation: null }, { truncation: "middle" }],
    [[{ truncation: 1 }, "truncation"]],
  ],
  [
    "trace: known fields are strings, others pass",
    [{ trace: { trace_id: "t", own: 1 } }],
    [[{ trace: { span_name: 1 } }, "trace.span_name"]],
  ],
  ["unknown fields are silently ignored", [{ messages: [], anything: { at: "all" } }], []],
]);

it("the choice of any tool is that of a required one", () => {
  expect(ResponsesBody.parse({ tool_choice: "any" }).tool_choice).toBe("required");
});

describe("defaults", () => {
  const documented = (
    z.toJSONSchema(ResponsesBody, { io: "input" }) as { properties: Record<string, { default?: unknown }> }
  ).properties;

  it("stream and store default to false", () => {
    expect(ResponsesBody.parse({ nonsense: 1 })).toEqual({ nonsense: 1, stream: false, store: false });
  });

  it.each([
    ["max_tool_calls", 30],
    ["service_tier", "auto"],
    ["stream", false],
    ["store", false],
  ])("%s: %s is documented", (field, value) => {
    expect(documented[field]?.default).toBe(value);
  });
});
