import { describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { endpointOf } from "../../../testing/endpoints";
import { StrictGenerateContentBody } from "../../../testing/strict-generate-content";
import { unconvertible } from "../upstream-request";
import { generateContentBody } from "./body";
import { CHAT_TO_GENERATE_CONTENT, chatToGenerateContent } from "./from-chat";

const NEWER = "gemini-3-pro-preview";
const EARLIER = "gemini-2.5-flash";
const messages = [{ role: "user", content: "hi" }];
const PROMPT = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };

const convert = (fields: object, model = NEWER) => {
  const { draft, refused } = chatToGenerateContent(ChatCompletionsBody.parse({ messages, ...fields }));
  const places = (isDropped: boolean) =>
    refused.filter(({ leftOut }) => (leftOut === "field") === isDropped).map(({ path }) => path.join("."));
  return { body: generateContentBody(draft, model), refused: places(false), dropped: places(true) };
};
const accepted = (fields: object, model = NEWER) => {
  const { body, refused } = convert(fields, model);
  expect(refused).toEqual([]);
  expect(StrictGenerateContentBody.safeParse(body).error?.issues ?? []).toEqual([]);
  return body;
};

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [{ type: "function", function: { name: "weather", description: "Weather", parameters: schema } }];
const DECLARED = [
  { functionDeclarations: [{ name: "weather", description: "Weather", parametersJsonSchema: schema }] },
];
const calling = (config: object) => ({ toolConfig: { functionCallingConfig: config } });
const configured = (generationConfig: object) => ({ generationConfig });

/** For each field a value that asks for something, and what is sent besides the prompt. */
const MAPPED: Record<string, [value: unknown, sent: object, beside?: object]> = {
  frequency_penalty: [0.5, configured({ frequencyPenalty: 0.5 })],
  image_config: [
    { aspect_ratio: "16:9", image_size: "2K" },
    configured({ imageConfig: { aspectRatio: "16:9", imageSize: "2K" } }),
  ],
  logprobs: [true, configured({ responseLogprobs: true })],
  max_completion_tokens: [9, configured({ maxOutputTokens: 9 })],
  max_tokens: [9, configured({ maxOutputTokens: 9 })],
  messages: [[{ role: "user", content: "hello" }], { contents: [{ role: "user", parts: [{ text: "hello" }] }] }],
  modalities: [["text", "image"], configured({ responseModalities: ["TEXT", "IMAGE"] })],
  n: [2, configured({ candidateCount: 2 })],
  presence_penalty: [-0.5, configured({ presencePenalty: -0.5 })],
  reasoning: [
    { effort: "low", summary: "auto" },
    configured({ thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true } }),
  ],
  reasoning_effort: ["minimal", configured({ thinkingConfig: { thinkingLevel: "MINIMAL", includeThoughts: true } })],
  response_format: [
    { type: "json_schema", json_schema: { name: "n", schema, strict: true } },
    configured({ responseMimeType: "application/json", responseJsonSchema: schema }),
  ],
  seed: [1, configured({ seed: 1 })],
  service_tier: ["fast", { serviceTier: "priority" }],
  stop: ["END", configured({ stopSequences: ["END"] })],
  temperature: [0, configured({ temperature: 0 })],
  tool_choice: ["required", { tools: DECLARED, ...calling({ mode: "ANY" }) }, { tools }],
  tools: [tools, { tools: DECLARED }],
  top_k: [4, configured({ topK: 4 })],
  top_logprobs: [2, configured({ responseLogprobs: true, logprobs: 2 }), { logprobs: true }],
  top_p: [0.5, configured({ topP: 0.5 })],
  web_search_options: [{}, { tools: [{ googleSearch: {} }] }],
};
const OURS: Record<string, unknown> = {
  model: "acme/one",
  models: ["acme/two"],
  preset: "p",
  provider: { only: ["acme"] },
  route: "fallback",
  plugins: [{ id: "web" }],
  session_id: "s",
  trace: { trace_id: "t" },
  debug: { echo_upstream_body: true },
  metadata: { a: "b" },
  prompt_cache_key: "k",
  stream: true,
  stream_options: { include_usage: true },
  safety_identifier: "ada",
  user: "ada",
};
const REFUSED: Record<string, unknown> = {
  function_call: "auto",
  functions: [{ name: "f" }],
  logit_bias: { 1: 2 },
};
const HONOURED: Record<string, unknown> = { parallel_tool_calls: false };
const DROPPED: Record<string, unknown> = {
  audio: { voice: "alloy", format: "mp3" },
  cache_control: { type: "ephemeral" },
  min_p: 0.1,
  prediction: { type: "content", content: "x" },
  prompt_cache_options: { mode: "explicit" },
  prompt_cache_retention: "24h",
  repetition_penalty: 1.1,
  stop_server_tools_when: [{ type: "step_count_is", step_count: 2 }],
  store: true,
  top_a: 0.1,
  verbosity: "low",
};
/** Values that ask for nothing. */
const DEFAULTS: Record<string, unknown> = {
  min_p: 0,
  parallel_tool_calls: true,
  repetition_penalty: 1,
  store: false,
  top_a: 0,
  service_tier: "auto",
  response_format: { type: "text" },
  stop: [],
  reasoning: {},
  tool_choice: "auto",
  top_logprobs: 3,
  logprobs: false,
};

describe("each field of a chat completions request", () => {
  const fields = Object.keys(ChatCompletionsBody.shape).sort();

  it("has a rule and a value", () => {
    expect(Object.keys(CHAT_TO_GENERATE_CONTENT).sort()).toEqual(fields);
    const sorted = [MAPPED, OURS, REFUSED, HONOURED, DROPPED].flatMap((one) => Object.keys(one)).sort();
    expect(sorted).toEqual(fields);
  });

  it.each(Object.entries(MAPPED))("%s is mapped", (field, [value, sent, beside]) => {
    expect(CHAT_TO_GENERATE_CONTENT[field]?.is).toBe("mapped");
    expect(accepted({ [field]: value, ...beside })).toEqual({ ...PROMPT, ...sent });
  });

  it.each(Object.entries(OURS))("%s isn't sent", (field, value) => {
    expect(CHAT_TO_GENERATE_CONTENT[field]?.is).toBe("ours");
    expect(accepted({ [field]: value })).toEqual(PROMPT);
  });

  it.each(Object.entries(REFUSED))("%s is refused, also for an endpoint that is said to support it", (field, value) => {
    expect(CHAT_TO_GENERATE_CONTENT[field]?.is).toBe("refused");
    const body = ChatCompletionsBody.parse({ messages, [field]: value });
    const endpoint = endpointOf({ provider: { protocol: "generate_content" }, supportedParameters: [field] });
    const refused = unconvertible({ protocol: "chat_completions", body }, endpoint);
    expect(refused).toEqual([{ path: [field], message: expect.any(String) as string }]);
  });

  it.each(Object.entries(DROPPED))("%s is dropped with a warning", (field, value) => {
    const { body, refused, dropped } = convert({ [field]: value });
    expect({ body, refused, dropped }).toEqual({ body: PROMPT, refused: [], dropped: [field] });
  });

  it.each(Object.entries(HONOURED))("%s is honoured", (field, value) => {
    const { honour } = chatToGenerateContent(ChatCompletionsBody.parse({ messages, [field]: value }));
    expect(accepted({ [field]: value })).toEqual(PROMPT);
    expect(honour).toEqual({ calls: 1 });
  });

  it.each(Object.entries(DEFAULTS))("%s: its default asks for nothing", (field, value) => {
    expect(accepted({ [field]: value })).toEqual(PROMPT);
  });

  it("an unknown field is refused", () => {
    expect(convert({ temprature: 1 }).refused).toEqual(["temprature"]);
  });
});

describe("thinking", () => {
  const thinking = (fields: object, model: string) => accepted(fields, model)["generationConfig"];

  it.each<[string, object, string, object]>([
    ["a level", { reasoning_effort: "high" }, NEWER, { thinkingLevel: "HIGH", includeThoughts: true }],
    ["the highest level", { reasoning: { effort: "max" } }, NEWER, { thinkingLevel: "HIGH", includeThoughts: true }],
    ["a budget", { reasoning_effort: "medium" }, EARLIER, { thinkingBudget: 8192, includeThoughts: true }],
    ["tokens", { reasoning: { max_tokens: 77 } }, NEWER, { thinkingBudget: 77, includeThoughts: true }],
    [
      "tokens and an effort",
      { reasoning: { max_tokens: 7, effort: "low" } },
      NEWER,
      { thinkingBudget: 7, includeThoughts: true },
    ],
    [
      "an effort beside a summary",
      { reasoning_effort: "low", reasoning: { effort: null, summary: "auto" } },
      NEWER,
      { thinkingLevel: "LOW", includeThoughts: true },
    ],
    ["thoughts alone", { reasoning: { enabled: true } }, EARLIER, { includeThoughts: true }],
    ["nothing", { reasoning: { enabled: false } }, EARLIER, { thinkingBudget: 0 }],
    ["no effort", { reasoning_effort: "none" }, NEWER, { thinkingBudget: 0 }],
  ])("asks for %s", (_name, fields, model, thinkingConfig) => {
    expect(thinking(fields, model)).toEqual({ thinkingConfig });
  });

  it("has no modes", () => {
    expect(convert({ reasoning: { effort: "low", mode: "pro" } })).toMatchObject({
      refused: [],
      dropped: ["reasoning.mode"],
    });
  });
});

describe("tools", () => {
  const strict = [{ type: "function", function: { name: "weather", parameters: schema, strict: true } }];
  const allowed = (mode: string) => ({
    type: "allowed_tools",
    allowed_tools: { mode, tools: [{ type: "function", function: { name: "weather" } }] },
  });

  it.each<[string, object, object]>([
    ["none", { tool_choice: "none", tools }, { mode: "NONE" }],
    [
      "a function by name",
      { tool_choice: { type: "function", function: { name: "weather" } }, tools },
      { mode: "ANY", allowedFunctionNames: ["weather"] },
    ],
    [
      "some functions",
      { tool_choice: allowed("auto"), tools },
      { mode: "VALIDATED", allowedFunctionNames: ["weather"] },
    ],
    [
      "one of some functions",
      { tool_choice: allowed("required"), tools },
      { mode: "ANY", allowedFunctionNames: ["weather"] },
    ],
    ["strict functions", { tools: strict }, { mode: "VALIDATED" }],
    ["strict functions, if any", { tools: strict, tool_choice: "auto" }, { mode: "VALIDATED" }],
  ])("the choice of %s", (_name, fields, config) => {
    expect(accepted(fields)).toMatchObject(calling(config));
  });

  it("a function without parameters has no schema", () => {
    expect(accepted({ tools: [{ type: "function", function: { name: "now" } }] })["tools"]).toEqual([
      { functionDeclarations: [{ name: "now" }] },
    ]);
  });

  it("web search is Google Search, beside functions and once", () => {
    expect(accepted({ tools: [...tools, { type: "web_search" }], web_search_options: {} })["tools"]).toEqual([
      ...DECLARED,
      { googleSearch: {} },
    ]);
  });

  it.each<[string, object, string]>([
    ["an unknown tool", { tools: [{ type: "brand_new" }] }, "tools.0"],
    [
      "a search of some domains",
      { tools: [{ type: "web_search", filters: { allowed_domains: ["a"] } }] },
      "tools.0.filters",
    ],
    [
      "the choice of a custom tool without one",
      { tools, tool_choice: { type: "custom", custom: { name: "g" } } },
      "tool_choice",
    ],
  ])("%s is refused", (_name, fields, path) => {
    expect(convert(fields).refused).toEqual([path]);
  });
});

describe("messages", () => {
  const contentsOf = (given: object[], model = NEWER) => accepted({ messages: given }, model)["contents"];
  const call = (id: string, args = "{}", more: object = {}) => ({
    id,
    type: "function",
    function: { name: "weather", arguments: args },
    ...more,
  });
  const functionCall = (id: string, args: object = {}) => ({ functionCall: { id, name: "weather", args } });
  const response = (id: string, output: string) => ({
    functionResponse: { id, name: "weather", response: { output } },
  });
  const question = { role: "user", content: "weather?" };
  const ASKED = { role: "user", parts: [{ text: "weather?" }] };

  it("instructions are apart, wherever they are", () => {
    const given = [
      { role: "system", content: "be kind" },
      { role: "user", content: "hi" },
      { role: "developer", content: [{ type: "text", text: "be brief" }] },
    ];
    expect(accepted({ messages: given })).toEqual({
      ...PROMPT,
      systemInstruction: { parts: [{ text: "be kind" }, { text: "be brief" }] },
    });
  });

  it("instructions alone are what the user says", () => {
    expect(accepted({ messages: [{ role: "system", content: "hi" }] })).toEqual(PROMPT);
  });

  it("media is sent as data or by address", () => {
    const image = (url: string, more: object = {}) => ({ type: "image_url", image_url: { url, ...more } });
    const content = [
      { type: "text", text: "see" },
      image("data:image/png;base64,aGk="),
      image("https://a.example/i.JPG?x=1", { detail: "low" }),
      { type: "input_audio", input_audio: { data: "aGk=", format: "mp3" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" } },
      { type: "file", file: { file_data: "gs://bucket/a.csv" } },
      { type: "video_url", video_url: { url: "https://youtu.be/x" } },
      { type: "file", file: { file_data: "data:,a%20b" } },
    ];
    const parts = [
      { text: "see" },
      { inlineData: { mimeType: "image/png", data: "aGk=" } },
      {
        fileData: { fileUri: "https://a.example/i.JPG?x=1", mimeType: "image/jpeg" },
        mediaResolution: { level: "MEDIA_RESOLUTION_LOW" },
      },
      { inlineData: { mimeType: "audio/mp3", data: "aGk=" } },
      { inlineData: { mimeType: "application/pdf", data: "aGk=" } },
      { fileData: { fileUri: "gs://bucket/a.csv", mimeType: "text/csv" } },
      { fileData: { fileUri: "https://youtu.be/x", mimeType: "video/mp4" } },
      { inlineData: { mimeType: "text/plain", data: "YSBi" } },
    ];
    expect(contentsOf([{ role: "user", content }])).toEqual([{ role: "user", parts }]);
    expect(JSON.stringify(contentsOf([{ role: "user", content }], EARLIER))).not.toContain("mediaResolution");
  });

  it("calls are paired with their outputs by id, also in parallel, and keep their signatures", () => {
    const signed = { extra_content: { google: { thought_signature: "c2ln" } } };
    const given = [
      question,
      { role: "assistant", content: "Looking", tool_calls: [call("a", '{"city":"Rome"}', signed), call("b")] },
      { role: "tool", tool_call_id: "b", content: "rain" },
      { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "sun" }] },
      { role: "assistant", content: null, tool_calls: [call("c")] },
      { role: "tool", tool_call_id: "c", content: "{}" },
    ];
    expect(contentsOf(given, EARLIER)).toEqual([
      ASKED,
      {
        role: "model",
        parts: [
          { text: "Looking" },
          { ...functionCall("a", { city: "Rome" }), thoughtSignature: "c2ln" },
          functionCall("b"),
        ],
      },
      { role: "user", parts: [response("b", "rain"), response("a", "sun")] },
      { role: "model", parts: [functionCall("c")] },
      { role: "user", parts: [response("c", "{}")] },
    ]);
  });

  it("newer models get a stand-in for the signature of a call that another model made", () => {
    const given = [
      question,
      { role: "assistant", tool_calls: [call("a"), call("b")] },
      { role: "tool", tool_call_id: "a", content: "sun" },
      { role: "tool", tool_call_id: "b", content: "rain" },
    ];
    expect(contentsOf(given)).toMatchObject([
      ASKED,
      { parts: [{ ...functionCall("a"), thoughtSignature: "skip_thought_signature_validator" }, functionCall("b")] },
      {},
    ]);
  });

  it("signatures return from reasoning details", () => {
    const detail = (data: string, id: string | null) => ({
      type: "reasoning.encrypted",
      data,
      id,
      format: "google-gemini-v1",
    });
    const details = [detail("dGV4dA", null), detail("Y2FsbA", "a"), detail("aW1n", "image_0")];
    const given = [
      question,
      {
        role: "assistant",
        content: "Looking",
        reasoning: "Hm",
        reasoning_details: [...details, { ...detail("eA", "a"), format: "openai-responses-v1" }],
        images: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }],
        tool_calls: [call("a")],
      },
      { role: "tool", tool_call_id: "a", content: "sun" },
    ];
    expect(contentsOf(given)).toMatchObject([
      ASKED,
      {
        parts: [
          { text: "Looking", thoughtSignature: "dGV4dA" },
          { inlineData: { mimeType: "image/png" }, thoughtSignature: "aW1n" },
          { ...functionCall("a"), thoughtSignature: "Y2FsbA" },
        ],
      },
      {},
    ]);
  });

  it("messages of one turn of the assistant are one content", () => {
    const given = [question, { role: "assistant", content: "Looking" }, { role: "assistant", tool_calls: [call("a")] }];
    expect(contentsOf(given, EARLIER)).toEqual([
      ASKED,
      { role: "model", parts: [{ text: "Looking" }, functionCall("a")] },
    ]);
  });

  it("images are part of a function's response", () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };
    const given = [
      question,
      { role: "assistant", tool_calls: [call("a")] },
      { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "see" }, image] },
    ];
    const parts = [{ inlineData: { mimeType: "image/png", data: "aGk=" } }];
    expect(contentsOf(given)).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { response: { output: "see" }, parts } }] },
    ]);
  });

  const user = (part: object) => [{ role: "user", content: [part] }];
  it.each<[string, object[], string]>([
    [
      "an image without a type",
      user({ type: "image_url", image_url: { url: "https://a.example/i" } }),
      "messages.0.content.0.image_url.url",
    ],
    [
      "an image by its id",
      user({ type: "image_url", image_url: { url: "file-1" } }),
      "messages.0.content.0.image_url.url",
    ],
    [
      "a broken data URL",
      user({ type: "image_url", image_url: { url: "data:x" } }),
      "messages.0.content.0.image_url.url",
    ],
    ["a stored file", user({ type: "file", file: { file_id: "file-1" } }), "messages.0.content.0.file.file_id"],
    ["an unknown part", user({ type: "brand_new" }), "messages.0.content.0"],
    [
      "an image as an instruction",
      [
        { role: "system", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }] },
        question,
      ],
      "messages.0.content.0",
    ],
    ["a function message", [question, { role: "function", name: "f", content: "x" }], "messages.1"],
    [
      "arguments that aren't an object",
      [question, { role: "assistant", tool_calls: [call("a", "[1]")] }],
      "messages.1.tool_calls.0.function.arguments",
    ],
    [
      "an output without a call",
      [question, { role: "tool", tool_call_id: "x", content: "1" }],
      "messages.1.tool_call_id",
    ],
    ["a spoken answer", [question, { role: "assistant", audio: { id: "a" } }], "messages.1.audio"],
  ])("%s is refused", (_name, given, path) => {
    expect(convert({ messages: given }).refused).toEqual([path]);
  });
});
