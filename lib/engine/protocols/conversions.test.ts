import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import { endpointOf } from "../../testing/endpoints";
import { StrictChatBody, StrictResponsesBody } from "../../testing/strict-upstream";
import { RESPONSES_TO_CHAT } from "./chat/from-responses";
import type { FieldRules } from "./field-rules";
import type { InferenceRequest } from "./inference-request";
import { CHAT_TO_RESPONSES } from "./responses/from-chat";
import { OWN_FIELDS, SAME_PROTOCOL } from "./same-protocol";
import { warningsOf } from "./warnings";
import { leftOutTools, unconvertible, upstreamRequest } from "./upstream-request";

type Body = Record<string, unknown>;
type Protocol = "chat_completions" | "responses";

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Body;
const messages = [{ role: "user", content: "hi" }];
const MINIMAL = { chat_completions: { messages }, responses: { input: "hi" } } as const;
const CONTRACT = { chat_completions: ChatCompletionsBody, responses: ResponsesBody };
const STRICT = { chat_completions: StrictChatBody, responses: StrictResponsesBody };
const RULES: Record<Protocol, FieldRules> = { chat_completions: CHAT_TO_RESPONSES, responses: RESPONSES_TO_CHAT };
const OTHER = { chat_completions: "responses", responses: "chat_completions" } as const;

const requestOf = (protocol: Protocol, fields: object) =>
  ({ protocol, body: CONTRACT[protocol].parse({ ...MINIMAL[protocol], ...fields }) }) as InferenceRequest;
const sent = (request: InferenceRequest, protocol: Protocol, supportedParameters: string[] | null = null) =>
  plain(
    upstreamRequest(request, endpointOf({ provider: { protocol }, upstreamModel: "their-model", supportedParameters }))
      .body,
  );
const refusedPaths = (request: InferenceRequest, supported: string[] | null = null) =>
  unconvertible(
    request,
    endpointOf({ provider: { protocol: OTHER[request.protocol as Protocol] }, supportedParameters: supported }),
  ).map(({ path }) => path.join("."));

const functionTool = { name: "f", description: "d", parameters: { type: "object" }, strict: true };

/** A value of every field that asks for something. */
const SHARED = {
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
const VALUES: Record<Protocol, Body> = {
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
};
/** Fields that a field needs beside it. */
const BESIDE: Body = {
  parallel_tool_calls: ["tools"],
  stream_options: ["stream"],
  top_logprobs: ["logprobs", "include"],
};

describe.each(["chat_completions", "responses"] as const)("%s", (protocol) => {
  const fields = Object.keys(CONTRACT[protocol].shape).sort();

  it("has a rule and a value for every field of the contract", () => {
    expect(Object.keys(RULES[protocol]).sort()).toEqual(fields);
    expect(Object.keys(VALUES[protocol]).sort()).toEqual(fields);
    expect(fields).toEqual(expect.arrayContaining(Object.keys(SAME_PROTOCOL[protocol])));
  });

  describe("to an upstream of the other protocol", () => {
    it.each(fields)("%s", (field) => {
      const rule = RULES[protocol][field];
      const beside = ((BESIDE[field] ?? []) as string[]).filter((name) => fields.includes(name));
      const given = Object.fromEntries([field, ...beside].map((name) => [name, VALUES[protocol][name]]));
      const request = requestOf(protocol, given);
      const refused = refusedPaths(request);
      if (rule?.is === "refused" || field === "modalities") {
        expect(refused).toEqual([field]);
        if (field !== "store") expect(sent(request, OTHER[protocol], [field])[field]).toEqual(VALUES[protocol][field]);
        return;
      }
      expect(refused).toEqual([]);
      const body = sent(request, OTHER[protocol]);
      expect(STRICT[OTHER[protocol]].safeParse(body).error?.issues ?? []).toEqual([]);
      if (rule?.is === "ours" && !["model", "store"].includes(field)) expect(body).not.toHaveProperty(field);
      if (rule?.is === "carried") expect(body).toHaveProperty(field);
      if (rule?.is === "carried" && !rule.note) expect(body[field]).toEqual(VALUES[protocol][field]);
      if (rule?.is === "mapped") {
        const without = Object.fromEntries(Object.entries(given).filter(([name]) => name !== field));
        expect(body).not.toEqual(sent(requestOf(protocol, without), OTHER[protocol]));
      }
    });

    it("an unknown field is refused", () => {
      expect(refusedPaths(requestOf(protocol, { temprature: 1 }))).toEqual(["temprature"]);
    });
  });

  describe("to an upstream of the same protocol", () => {
    const listed = new Set(Object.keys(SAME_PROTOCOL[protocol]));
    const passing = fields.filter((field) => !listed.has(field));
    const body = fc
      .record(
        {
          ...Object.fromEntries(passing.map((field) => [field, fc.constantFrom(VALUES[protocol][field])])),
          ...Object.fromEntries(Object.keys(OWN_FIELDS).map((field) => [field, fc.constant(VALUES[protocol][field])])),
          stream: fc.boolean(),
        },
        { requiredKeys: [] },
      )
      .chain((known) =>
        fc
          .dictionary(
            fc.string({ minLength: 1 }).filter((name) => !fields.includes(name) && name !== "__proto__"),
            fc.jsonValue(),
          )
          .map((unknown): Body => ({ ...unknown, ...known })),
      );

    it("passes every field but the listed ones, unknown ones included", () => {
      fc.assert(
        fc.property(body, (given) => {
          const request = requestOf(protocol, given);
          const received = sent(request, protocol);
          const expected = Object.fromEntries(
            Object.entries({ ...MINIMAL[protocol], ...given }).filter(([name]) => !listed.has(name)),
          );
          const { model, stream, stream_options, store, input, ...rest } = received;
          expect({ model, stream }).toEqual({ model: "their-model", stream: given["stream"] ?? false });
          const others =
            protocol === "responses"
              ? { ...rest, ...(stream_options !== undefined && { stream_options }) }
              : { ...rest, ...(store !== undefined && { store }) };
          if (protocol === "responses") expect(input).toEqual("hi");
          expect(plain(others)).toEqual(plain(expected));
          if (protocol === "responses") expect(store).toBe(false);
          else expect(stream_options).toEqual(given["stream"] ? { include_usage: true } : undefined);
        }),
      );
    });

    it.each([...listed])("%s is set, removed or mapped", (field) => {
      const request = requestOf(protocol, { [field]: VALUES[protocol][field] });
      const received = sent(request, protocol);
      if (Object.hasOwn(OWN_FIELDS, field) && field !== "model") expect(received).not.toHaveProperty(field);
      expect(received["model"]).toBe("their-model");
    });
  });
});

describe("what Codex and others send to a chat completions upstream", () => {
  const toChat = (fields: object, supported: string[] | null = null) => {
    const request = requestOf("responses", fields);
    return { refused: refusedPaths(request, supported), body: sent(request, "chat_completions", supported) };
  };

  it("custom calls in the history have their call", () => {
    const { refused, body } = toChat({
      input: [
        { role: "user", content: "hi" },
        { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "*** Begin" },
        { type: "custom_tool_call_output", call_id: "c1", output: "done" },
      ],
    });
    expect(refused).toEqual([]);
    expect(body["messages"]).toEqual([
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "custom", custom: { name: "apply_patch", input: "*** Begin" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "done" },
    ]);
    expect(StrictChatBody.safeParse(body).success).toBe(true);
  });

  it("functions of a namespace are functions with its name as a prefix", () => {
    const tool = {
      type: "namespace",
      name: "mcp__crm__",
      description: "CRM",
      tools: [{ type: "function", name: "f", defer_loading: true }],
    };
    const { refused, body } = toChat({ tools: [tool] });
    expect(refused).toEqual([]);
    expect(body["tools"]).toEqual([{ type: "function", function: { name: "mcp__crm__f", description: "CRM" } }]);
  });

  it.each<[string, object, string]>([
    ["web search", { tools: [{ type: "web_search" }] }, "tools.0"],
    ["MCP", { tools: [{ type: "mcp", server_label: "x" }] }, "tools.0"],
    ["an unknown tool", { tools: [{ type: "brand_new" }] }, "tools.0"],
    ["a hosted tool's choice", { tool_choice: { type: "web_search_preview" } }, "tool_choice"],
    [
      "an image by its id",
      { input: [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }] },
      "input.0.content.0.image_url",
    ],
    [
      "a file by its address",
      { input: [{ role: "user", content: [{ type: "input_file", file_url: "https://a.example" }] }] },
      "input.0.content.0.file_url",
    ],
    [
      "an image as a tool's output",
      {
        input: [{ type: "function_call_output", call_id: "c", output: [{ type: "input_image", image_url: "data:," }] }],
      },
      "input.0.output",
    ],
    ["a reference to an item", { input: [{ type: "item_reference", id: "x" }] }, "input.0"],
    ["an unknown part", { input: [{ role: "user", content: [{ type: "brand_new" }] }] }, "input.0.content.0"],
    ["a budget for reasoning", { reasoning: { max_tokens: 5 } }, "reasoning.max_tokens"],
    ["a stored template", { prompt: { id: "p" } }, "prompt"],
  ])("%s is refused", (_name, fields, path) => {
    expect(toChat(fields).refused).toEqual([path]);
  });

  it("a search becomes options of a search model", () => {
    const tools = [
      { type: "web_search", search_context_size: "low", user_location: { type: "approximate", city: "Rome" } },
    ];
    const { refused, body } = toChat({ tools }, ["web_search_options"]);
    expect(refused).toEqual([]);
    expect(body).toMatchObject({
      web_search_options: {
        search_context_size: "low",
        user_location: { type: "approximate", approximate: { city: "Rome" } },
      },
    });
    expect(StrictChatBody.safeParse(body).success).toBe(true);
  });

  it("earlier reasoning reaches only endpoints that take it", () => {
    const input = [
      { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "hm" }] },
      { role: "user", content: "hi" },
    ];
    expect(toChat({ input }).body["messages"]).toEqual([{ role: "user", content: "hi" }]);
    expect(toChat({ input }, ["reasoning"]).body["messages"]).toEqual([
      { role: "assistant", content: null, reasoning: "hm" },
      { role: "user", content: "hi" },
    ]);
  });

  it("what another vendor signed stays behind", () => {
    const input = [
      { type: "reasoning", summary: [], encrypted_content: "anthropicRedacted001EmwK" },
      { role: "user", content: "hi" },
    ];
    expect(toChat({ input }).body["messages"]).toEqual([{ role: "user", content: "hi" }]);
  });
});

describe("a web search beside other tools", () => {
  const search = { type: "web_search", external_web_access: false };
  const tools = [{ type: "function", name: "f", parameters: {} }, search];
  const chat = (supportedParameters: string[] | null) =>
    endpointOf({ provider: { protocol: "chat_completions" }, supportedParameters });

  it.each([{}, { tool_choice: "auto" }, { tool_choice: "none" }])("is left out and named, with %j", (choice) => {
    const request = requestOf("responses", { tools, ...choice });
    expect(refusedPaths(request)).toEqual([]);
    expect(leftOutTools(request, chat(null))).toEqual(["web_search"]);
    const body = StrictChatBody.parse(sent(request, "chat_completions"));
    expect(body.tools).toEqual([{ type: "function", function: { name: "f", parameters: {} } }]);
    expect(warningsOf(request, [], chat(null))).toBe("left-out-tool=web_search");
  });

  it("is sent to upstreams that search", () => {
    const request = requestOf("responses", { tools });
    const endpoint = chat(["tools", "web_search_options"]);
    expect(leftOutTools(request, endpoint)).toEqual([]);
    expect(sent(request, "chat_completions", ["tools", "web_search_options"])["web_search_options"]).toEqual({});
    expect(leftOutTools(request, endpointOf({ provider: { protocol: "responses" } }))).toEqual([]);
  });

  it.each([
    ["on its own", { tools: [search] }],
    ["when a tool is required", { tools, tool_choice: "required" }],
    ["beside a hosted tool", { tools: [search, { type: "code_interpreter", container: { type: "auto" } }] }],
  ])("is refused %s, or what is beside it", (_name, fields) => {
    expect(refusedPaths(requestOf("responses", fields)).length).toBeGreaterThan(0);
  });
});

describe("what chat completions clients send to a Responses upstream", () => {
  it.each<[string, object, string[]]>([
    ["a stop sequence", { stop: ["x"] }, ["stop"]],
    ["a seed", { seed: 1 }, ["seed"]],
    ["penalties", { presence_penalty: 1, frequency_penalty: 0 }, ["presence_penalty"]],
    ["several choices", { n: 2 }, ["n"]],
    ["defaults", { n: 1, presence_penalty: 0, repetition_penalty: 1, store: false, logit_bias: {}, stop: [] }, []],
    ["a participant's name", { messages: [{ role: "user", content: "hi", name: "ada" }] }, ["messages.0.name"]],
    [
      "an earlier spoken answer",
      { messages: [{ role: "assistant", content: null, audio: { id: "a" } }] },
      ["messages.0.audio"],
    ],
    ["the deprecated form of functions", { functions: [{ name: "f" }] }, ["functions"]],
    [
      "a hint about caching",
      { messages: [{ role: "user", content: [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }] }] },
      [],
    ],
  ])("%s", (_name, fields, refused) => {
    expect(refusedPaths(requestOf("chat_completions", fields))).toEqual(refused);
  });

  it("an endpoint's known parameters decide", () => {
    const request = requestOf("chat_completions", { stop: ["x"], seed: 1 });
    expect(refusedPaths(request, ["stop"])).toEqual([]);
    expect(sent(request, "responses", ["stop"])).toMatchObject({ stop: ["x"] });
    expect(sent(request, "responses", ["stop"])).not.toHaveProperty("seed");
  });
});
