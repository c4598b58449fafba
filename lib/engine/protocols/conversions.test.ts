import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "./contracts/chat-request-contract";
import { ResponsesBody } from "./contracts/responses-request-contract";
import { samplesOf } from "../../testing/contract-samples";
import { endpointOf } from "../../testing/endpoints";
import { FIELD_VALUES } from "../../testing/field-values";
import { StrictChatBody, StrictResponsesBody } from "../../testing/strict-upstream";
import { type UpstreamProtocol, PROTOCOLS } from "./vocabulary";
import type { Protocol } from "../endpoint";
import { MESSAGES_TO_CHAT } from "./chat/from-messages";
import { RESPONSES_TO_CHAT } from "./chat/from-responses";
import { MessagesBody } from "./contracts/messages-request-contract";
import type { FieldRules } from "./field-rules";
import type { InferenceRequest } from "./inference-request";
import { CHAT_TO_RESPONSES } from "./responses/from-chat";
import { OWN_FIELDS, SAME_PROTOCOL } from "./same-protocol";
import { warningsOf } from "./warnings";
import { honourOf, leftOutTools, unconvertible, unsupportedFields, upstreamRequest } from "./upstream-request";

type Body = Record<string, unknown>;

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Body;
const messages = [{ role: "user", content: "hi" }];
const MINIMAL = {
  chat_completions: { messages },
  responses: { input: "hi" },
  messages: { messages, max_tokens: 5 },
} as const satisfies Record<Protocol, object>;
const CONTRACT = { chat_completions: ChatCompletionsBody, responses: ResponsesBody, messages: MessagesBody };
const STRICT = { chat_completions: StrictChatBody, responses: StrictResponsesBody };
const RULES: Record<Protocol, FieldRules> = {
  chat_completions: CHAT_TO_RESPONSES,
  responses: RESPONSES_TO_CHAT,
  messages: MESSAGES_TO_CHAT,
};
/** The upstream's protocol of the conversion that is tested. */
const OTHER = {
  chat_completions: "responses",
  responses: "chat_completions",
  messages: "chat_completions",
} as const satisfies Record<Protocol, Protocol>;

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
    endpointOf({ provider: { protocol: OTHER[request.protocol] }, supportedParameters: supported }),
  ).map(({ path }) => path.join("."));

const droppedPlaces = (request: InferenceRequest) =>
  unsupportedFields(
    request,
    endpointOf({ provider: { protocol: OTHER[request.protocol] }, supportedParameters: null }),
  );

/** Fields that a field needs beside it. */
const BESIDE: Body = {
  tool_choice: ["tools"],
  parallel_tool_calls: ["tools"],
  stream_options: ["stream"],
  top_logprobs: ["logprobs", "include"],
};

/** Values of a field that a converted request leaves out, by the place of what is refused or dropped of them. */
const REFUSED_PARTS: Body = { modalities: "modalities" };
const DROPPED_PARTS: Body = {
  context_management: "context_management.edits[]",
  stop_server_tools_when: "stop_server_tools_when",
};

describe.each(PROTOCOLS)("%s", (protocol) => {
  const fields = Object.keys(CONTRACT[protocol].shape).sort();

  it("has a rule and a value for every field of the contract", () => {
    expect(Object.keys(RULES[protocol]).sort()).toEqual(fields);
    expect(Object.keys(FIELD_VALUES[protocol]).sort()).toEqual(fields);
    expect(fields).toEqual(expect.arrayContaining(Object.keys(SAME_PROTOCOL[protocol])));
  });

  describe("to an upstream of another protocol", () => {
    it.each(fields)("%s", (field) => {
      const rule = RULES[protocol][field];
      const beside = ((BESIDE[field] ?? []) as string[]).filter((name) => fields.includes(name));
      const given = Object.fromEntries([field, ...beside].map((name) => [name, FIELD_VALUES[protocol][name]]));
      const request = requestOf(protocol, given);
      const refused = refusedPaths(request);
      if (rule?.is === "refused" || REFUSED_PARTS[field]) {
        expect(refused).toEqual([REFUSED_PARTS[field] ?? field]);
        if (field !== "store")
          expect(sent(request, OTHER[protocol], [field])[field]).toEqual(FIELD_VALUES[protocol][field]);
        return;
      }
      expect(refused).toEqual([]);
      const place = DROPPED_PARTS[field] ?? (rule?.is === "dropped" ? field : null);
      expect(droppedPlaces(request)).toEqual(place === null ? [] : [place]);
      if (rule?.is === "dropped" && field !== "store")
        expect(sent(request, OTHER[protocol], [field])[field]).toEqual(FIELD_VALUES[protocol][field]);
      const body = sent(request, OTHER[protocol]);
      expect(STRICT[OTHER[protocol]].safeParse(body).error?.issues ?? []).toEqual([]);
      if (rule?.is === "ours" && !["model", "store"].includes(field)) expect(body).not.toHaveProperty(field);
      if (rule?.is === "carried") expect(body).toHaveProperty(field);
      if (rule?.is === "carried" && !rule.note) expect(body[field]).toEqual(FIELD_VALUES[protocol][field]);
      if (rule?.is === "honoured") expect(body).toEqual(sent(requestOf(protocol, {}), OTHER[protocol]));
      if (rule?.is === "mapped" && !DROPPED_PARTS[field]) {
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
    /** Every variant of a field's value, with unknown fields in it. */
    const values = new Map(passing.map((field) => [field, [FIELD_VALUES[protocol][field]]]));
    for (const { value } of samplesOf(CONTRACT[protocol], "x"))
      for (const [field, one] of Object.entries(value))
        if (CONTRACT[protocol].safeParse({ ...MINIMAL[protocol], [field]: one }).success) values.get(field)?.push(one);
    const body = fc
      .record(
        {
          ...Object.fromEntries([...values].map(([field, known]) => [field, fc.constantFrom(...known)])),
          ...Object.fromEntries(
            Object.keys(OWN_FIELDS).map((field) => [field, fc.constant(FIELD_VALUES[protocol][field])]),
          ),
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
          const { model, stream, ...received } = sent(requestOf(protocol, given), protocol);
          expect({ model, stream }).toEqual({ model: "their-model", stream: given["stream"] ?? false });
          const passed = Object.entries({ ...MINIMAL[protocol], ...given }).filter(([name]) => !listed.has(name));
          const set = {
            chat_completions: { messages, ...(given["stream"] ? { stream_options: { include_usage: true } } : {}) },
            responses: { input: "hi", store: false },
            messages: { messages },
          }[protocol];
          expect(received).toEqual(plain({ ...Object.fromEntries(passed), ...set }));
        }),
      );
    });

    it.each([...listed])("%s is set, removed or mapped", (field) => {
      const request = requestOf(protocol, { [field]: FIELD_VALUES[protocol][field] });
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
    ["a stored template", { prompt: { id: "p" } }, "prompt"],
  ])("%s is refused", (_name, fields, path) => {
    expect(toChat(fields).refused).toEqual([path]);
  });

  it("a reference to reasoning, which clients send that expect it to be stored, is left out", () => {
    const user = { role: "user", content: "hi" };
    const request = requestOf("responses", { input: [{ type: "item_reference", id: "rs_1" }, user] });
    const endpoint = endpointOf({ provider: { protocol: "chat_completions" } });
    expect(unconvertible(request, endpoint)).toEqual([]);
    expect(upstreamRequest(request, endpoint).body).toMatchObject({ messages: [user] });
    expect(unsupportedFields(request, endpoint)).toEqual(["input[]"]);
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

describe("a web search of Messages beside other tools", () => {
  const search = { type: "web_search_20250305", name: "web_search", max_uses: 5 };
  const plainSearch = { type: "web_search_20250305", name: "web_search" };
  const own = { name: "f", input_schema: { type: "object" } };
  const at = (protocol: Protocol, supportedParameters: string[] | null = null) =>
    endpointOf({ provider: { protocol }, supportedParameters });

  it.each([{}, { tool_choice: { type: "auto" } }, { tool_choice: { type: "none" } }])(
    "is left out and named, with %j",
    (choice) => {
      const request = requestOf("messages", { tools: [own, search], ...choice });
      for (const protocol of ["chat_completions", "responses"] as const) {
        expect(unconvertible(request, at(protocol))).toEqual([]);
        expect(leftOutTools(request, at(protocol))).toEqual(["web_search_20250305"]);
        expect(warningsOf(request, [], at(protocol))).toBe("left-out-tool=web_search_20250305");
        const body = STRICT[protocol].parse(sent(request, protocol));
        expect(body.tools).toHaveLength(1);
      }
    },
  );

  it("is sent to upstreams that search, if they take its settings", () => {
    const searching = at("chat_completions", ["tools", "web_search_options"]);
    const options = (tool: object) =>
      sent(requestOf("messages", { tools: [own, tool] }), "chat_completions", ["tools", "web_search_options"])[
        "web_search_options"
      ];
    expect(options(plainSearch)).toEqual({});
    expect(leftOutTools(requestOf("messages", { tools: [own, plainSearch] }), searching)).toEqual([]);
    expect(options(search)).toBeUndefined();
    expect(leftOutTools(requestOf("messages", { tools: [own, search] }), searching)).toEqual(["web_search_20250305"]);
    expect(leftOutTools(requestOf("messages", { tools: [own, search] }), at("messages"))).toEqual([]);
  });

  it.each([
    ["on its own", { tools: [plainSearch] }, "tools.0"],
    ["on its own, with its settings", { tools: [search] }, "tools.0.max_uses"],
    ["when a tool is required", { tools: [own, plainSearch], tool_choice: { type: "any" } }, "tools.1"],
    [
      "when it is demanded",
      { tools: [own, plainSearch], tool_choice: { type: "tool", name: "web_search" } },
      "tools.1",
    ],
  ])("is refused %s", (_name, fields, path) => {
    expect(refusedPaths(requestOf("messages", fields))).toEqual([path]);
  });
});

describe("a document by address", () => {
  const url = "https://a.example/a.pdf";
  const document = { type: "document", title: "A", context: "about", source: { type: "url", url } };
  const request = requestOf("messages", { messages: [{ role: "user", content: [document] }] });
  const to = (protocol: UpstreamProtocol) =>
    plain(upstreamRequest(request, endpointOf({ provider: { protocol }, supportedParameters: null })).body);

  it.each<[UpstreamProtocol, string]>([
    ["chat_completions", "messages.0.content.0.source.url"],
    ["converse", "messages.0"],
  ])("is refused by %s", (protocol, path) => {
    const endpoint = endpointOf({ provider: { protocol }, supportedParameters: null });
    expect(unconvertible(request, endpoint).map((one) => one.path.join("."))).toEqual([path]);
  });

  it.each<[UpstreamProtocol, object]>([
    ["messages", { messages: [{ content: [document] }] }],
    [
      "responses",
      { input: [{ content: [{ type: "input_text" }, { type: "input_file", filename: "A", file_url: url }] }] },
    ],
    [
      "generate_content",
      { contents: [{ parts: [{ text: "about" }, { fileData: { fileUri: url, mimeType: "application/pdf" } }] }] },
    ],
  ])("is sent to %s", (protocol, expected) => {
    expect(unconvertible(request, endpointOf({ provider: { protocol }, supportedParameters: null }))).toEqual([]);
    expect(to(protocol)).toMatchObject(expected);
    if (protocol === "responses") expect(StrictResponsesBody.safeParse(to(protocol)).error?.issues ?? []).toEqual([]);
  });
});

it("a value that Signalbox doesn't know passes to an upstream of the same protocol, with a warning", () => {
  const at = (protocol: Protocol) => endpointOf({ provider: { protocol }, supportedParameters: null });
  const responses = requestOf("responses", { reasoning: { effort: "ultra", summary: "auto" }, truncation: "middle" });
  expect(sent(responses, "responses")).toMatchObject({ reasoning: { effort: "ultra" }, truncation: "middle" });
  expect(warningsOf(responses, [], at("responses"))).toBe("unknown-value=reasoning.effort, unknown-value=truncation");
  const chat = requestOf("chat_completions", { reasoning_effort: "ultra", tool_choice: "any" });
  expect(sent(chat, "chat_completions")).toMatchObject({ reasoning_effort: "ultra", tool_choice: "required" });
  expect(warningsOf(chat, [], at("chat_completions"))).toBe("unknown-value=reasoning_effort");
});

it("a value that Signalbox doesn't know is refused by a conversion if it changes what is requested", () => {
  const refusals = (request: InferenceRequest, protocol: UpstreamProtocol) =>
    unconvertible(request, endpointOf({ provider: { protocol }, supportedParameters: null })).map(({ path }) =>
      path.join("."),
    );
  const format = requestOf("responses", { text: { format: { type: "xml" } } });
  const choice = requestOf("responses", { tool_choice: { type: "magic" } });
  const custom = { tools: [{ type: "custom", name: "f", format: { type: "abnf" } }] };
  expect(refusals(format, "chat_completions")).toEqual(["text.format.type"]);
  expect(refusals(format, "messages")[0]).toMatch(/^text/);
  expect(refusals(choice, "chat_completions")).toEqual(["tool_choice"]);
  expect(refusals(requestOf("responses", custom), "chat_completions")).toEqual(["tools"]);
  const chat = requestOf("chat_completions", {
    tool_choice: "maybe",
    modalities: ["text", "smell"],
    verbosity: "mute",
  });
  expect(refusals(chat, "responses")).toEqual(["modalities", "tool_choice"]);
  expect(refusals(chat, "generate_content")).toEqual(expect.arrayContaining(["modalities", "tool_choice"]));
  expect(refusals(chat, "converse")).toEqual(expect.arrayContaining(["modalities", "tool_choice"]));
  const thinking = requestOf("messages", { max_tokens: 9, thinking: { type: "later" }, speed: "warp" });
  expect(refusals(thinking, "chat_completions")).toEqual(["thinking.type"]);
});

describe("what chat completions clients send to a Responses upstream", () => {
  it.each<[string, object, string[], string[]?]>([
    ["a stop sequence", { stop: ["x"] }, []],
    ["a seed", { seed: 1 }, [], ["seed"]],
    ["penalties", { presence_penalty: 1, frequency_penalty: 0 }, [], ["presence_penalty"]],
    ["several choices", { n: 2 }, ["n"]],
    ["defaults", { n: 1, presence_penalty: 0, repetition_penalty: 1, store: false, logit_bias: {}, stop: [] }, []],
    ["a participant's name", { messages: [{ role: "user", content: "hi", name: "ada" }] }, [], ["messages[].name"]],
    [
      "what SDKs send back of answers",
      {
        messages: [
          {
            role: "assistant",
            name: "model",
            content: "hi",
            reasoning_content: "hm",
            extra_content: {},
            tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" }, extra_content: {} }],
          },
          { role: "tool", tool_call_id: "a", content: "1", name: "f" },
        ],
      },
      [],
      ["messages[].name", "messages[].extra_content"],
    ],
    [
      "a stop condition",
      { stop_server_tools_when: [{ type: "step_count_is", step_count: 1 }] },
      [],
      ["stop_server_tools_when"],
    ],
    [
      "a stop condition of a hosted tool",
      { tools: [{ type: "web_search" }], stop_server_tools_when: [{ type: "step_count_is", step_count: 1 }] },
      ["stop_server_tools_when"],
    ],
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
  ])("%s", (_name, fields, refused, dropped = []) => {
    const request = requestOf("chat_completions", fields);
    expect(refusedPaths(request)).toEqual(refused);
    expect(droppedPlaces(request)).toEqual(dropped);
  });

  it("an endpoint's known parameters decide", () => {
    const request = requestOf("chat_completions", { top_k: 3, seed: 1 });
    expect(refusedPaths(request, ["top_k"])).toEqual([]);
    expect(sent(request, "responses", ["top_k"])).toMatchObject({ top_k: 3 });
    expect(sent(request, "responses", ["top_k"])).not.toHaveProperty("seed");
  });

  it.each([null, [], ["stop"]])(
    "stop sequences are cut by Signalbox, without a warning, with parameters %j",
    (supported) => {
      const request = requestOf("chat_completions", { stop: ["x"] });
      const endpoint = endpointOf({ provider: { protocol: "responses" }, supportedParameters: supported });
      expect(sent(request, "responses", supported)).not.toHaveProperty("stop");
      expect(honourOf(request, endpoint)).toEqual({ stop: ["x"] });
      expect(warningsOf(request, [], endpoint)).toBeNull();
    },
  );
});
