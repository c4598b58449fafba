import { describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { ResponsesBody } from "../contracts/responses-request-contract";
import { endpointOf } from "../../../testing/endpoints";
import { StrictConverseBody } from "../../../testing/strict-converse";
import type { InferenceRequest } from "../inference-request";
import { honourOf, unconvertible, unsupportedFields, upstreamRequest } from "../upstream-request";
import { CHAT_TO_CONVERSE } from "./from-chat";

const MINIMAL = { model: "m/m", messages: [{ role: "user", content: "hi" }] };
const chat = (fields: object): InferenceRequest => ({
  protocol: "chat_completions",
  body: ChatCompletionsBody.parse({ ...MINIMAL, ...fields }),
});
const endpoint = (upstreamModel: string, supportedParameters: string[] | null = null) =>
  endpointOf({ provider: { protocol: "converse" }, upstreamModel, supportedParameters });
const NOVA = "amazon.nova-pro-v1:0";
const CLAUDE = "anthropic.claude-sonnet-4-5";

/** Returns the body that is sent, after the strict fake's check. */
const sent = (request: InferenceRequest, model = NOVA, supported: string[] | null = null) =>
  StrictConverseBody.parse(
    JSON.parse(JSON.stringify(upstreamRequest(request, endpoint(model, supported)).body)) as unknown,
  );
const refusedPaths = (request: InferenceRequest, supported: string[] | null = null) =>
  unconvertible(request, endpoint(NOVA, supported)).map(({ path }) => path.join("."));

const weather = { type: "function", function: { name: "weather", description: "d", parameters: { type: "object" } } };

/** A value of every field that asks for something, with fields that it needs. */
const VALUES: Record<string, [unknown, object?]> = {
  audio: [{ format: "mp3" }],
  cache_control: [{ type: "ephemeral" }],
  debug: [{ echo_upstream_body: true }],
  frequency_penalty: [0.5],
  function_call: ["auto"],
  functions: [[{ name: "f" }]],
  image_config: [{ size: "1k" }],
  logit_bias: [{ "1": 1 }],
  logprobs: [true],
  max_completion_tokens: [100],
  max_tokens: [100],
  messages: [[{ role: "user", content: "hello" }]],
  metadata: [{ a: "b" }],
  min_p: [0.1],
  modalities: [["text"]],
  model: ["m/m"],
  models: [["m/n"]],
  n: [2],
  parallel_tool_calls: [false],
  plugins: [[{ id: "web" }]],
  prediction: [{ type: "content", content: "x" }],
  presence_penalty: [0.5],
  preset: ["p"],
  prompt_cache_key: ["k"],
  prompt_cache_options: [{ mode: "explicit" }],
  prompt_cache_retention: ["24h"],
  provider: [{ only: ["acme"] }],
  reasoning: [{ effort: "high" }],
  reasoning_effort: ["low"],
  repetition_penalty: [1.1],
  response_format: [{ type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } }],
  route: ["fallback"],
  safety_identifier: ["u"],
  seed: [7],
  service_tier: ["flex"],
  session_id: ["s"],
  stop: [["END"]],
  stop_server_tools_when: [[{ type: "step_count_is", step_count: 1 }]],
  store: [true],
  stream: [true],
  stream_options: [{ include_usage: true }, { stream: true }],
  temperature: [0.5],
  tool_choice: ["required", { tools: [weather] }],
  tools: [[weather]],
  top_a: [0.1],
  top_k: [40],
  top_logprobs: [3],
  top_p: [0.9],
  trace: [{ trace_id: "t" }],
  user: ["u"],
  verbosity: ["high"],
  web_search_options: [{ search_context_size: "low" }],
};

it("has a value for every field", () => {
  expect(Object.keys(VALUES).sort()).toEqual(Object.keys(CHAT_TO_CONVERSE).sort());
});

describe.each(Object.entries(CHAT_TO_CONVERSE))("%s", (name, { is }) => {
  const [value, needed = {}] = VALUES[name] ?? [];
  const request = chat({ ...needed, [name]: value });
  const without = sent(chat(needed));

  it(is, () => {
    expect(refusedPaths(request)).toEqual(is === "refused" ? [name] : []);
    expect(unsupportedFields(request, endpoint(NOVA))).toEqual(is === "dropped" ? [name] : []);
    if (is === "ours" || is === "dropped" || is === "honoured") expect(sent(request)).toEqual(without);
    if (is === "mapped" && name !== "modalities") expect(sent(request)).not.toEqual(without);
  });
  if (is === "refused" || is === "dropped")
    it("is sent as a field of the model to an endpoint that is known to support it", () => {
      expect(refusedPaths(request, [name])).toEqual([]);
      expect(sent(request, NOVA, [name]).additionalModelRequestFields).toEqual({ [name]: value });
    });
});

it("leaves out tuning parameters that the endpoint isn't known to support", () => {
  const request = chat({ temperature: 0.5, top_p: 0.9, stop: "x", top_k: 5, max_tokens: 9 });
  expect(sent(request, NOVA, ["temperature"])).toMatchObject({ inferenceConfig: { temperature: 0.5, maxTokens: 9 } });
  expect(sent(request, NOVA, ["temperature"]).additionalModelRequestFields).toBeUndefined();
});

it.each<[object, string, object | undefined]>([
  [{ reasoning_effort: "low", max_tokens: 9000 }, CLAUDE, { thinking: { type: "enabled", budget_tokens: 2048 } }],
  [{ reasoning: { max_tokens: 5000 } }, CLAUDE, { thinking: { type: "enabled", budget_tokens: 5000 } }],
  [{ reasoning_effort: "high", max_tokens: 4000 }, CLAUDE, { thinking: { type: "enabled", budget_tokens: 3999 } }],
  [{ reasoning_effort: "high", max_tokens: 500 }, CLAUDE, undefined],
  [{ reasoning: { enabled: false } }, CLAUDE, undefined],
  [{ reasoning: { enabled: true } }, CLAUDE, { thinking: { type: "enabled", budget_tokens: 8192 } }],
  [{ reasoning_effort: "high" }, "openai.gpt-oss-120b-1:0", { reasoning_effort: "high" }],
  [{ reasoning: { max_tokens: 5000 } }, "openai.gpt-oss-120b-1:0", { reasoning_effort: "medium" }],
])("%j for %s is %j", (fields, model, expected) =>
  expect(sent(chat(fields), model).additionalModelRequestFields).toEqual(expected),
);

describe("messages", () => {
  const messages = (...list: object[]) => chat({ messages: list, tools: [weather] });
  const call = { id: "call 1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } };

  it("become turns that alternate, with instructions apart", () => {
    const request = messages(
      { role: "system", content: "Be brief." },
      {
        role: "developer",
        content: [{ type: "text", text: "In French.", cache_control: { type: "ephemeral", ttl: "1h" } }],
      },
      { role: "user", content: "Weather?" },
      { role: "user", content: "In Bern." },
      { role: "assistant", content: "I look.", tool_calls: [call] },
      { role: "tool", tool_call_id: "call 1", content: "18" },
      { role: "user", content: " " },
      { role: "user", content: "Thanks" },
    );
    expect(refusedPaths(request)).toEqual([]);
    expect(sent(request)).toMatchObject({
      system: [{ text: "Be brief." }, { text: "In French." }, { cachePoint: { type: "default", ttl: "1h" } }],
      messages: [
        { role: "user", content: [{ text: "Weather?" }, { text: "In Bern." }] },
        {
          role: "assistant",
          content: [
            { text: "I look." },
            { toolUse: { toolUseId: "call_1", name: "weather", input: { city: "Bern" } } },
          ],
        },
        {
          role: "user",
          content: [{ toolResult: { toolUseId: "call_1", content: [{ text: "18" }] } }, { text: "Thanks" }],
        },
      ],
    });
  });

  it("may have images, videos and documents", () => {
    const request = messages({
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "image_url", image_url: { url: "data:image/jpg;base64,aGk=" } },
        { type: "image_url", image_url: { url: "s3://bucket/a.webp" } },
        { type: "video_url", video_url: { url: "data:video/mp4;base64,aGk=" } },
        { type: "file", file: { filename: "Q3 rëport_final.pdf", file_data: "data:application/pdf;base64,aGk=" } },
        { type: "file", file: { filename: "a.csv", file_data: "data:text/csv,a%2Cb" } },
      ],
    });
    expect(refusedPaths(request)).toEqual([]);
    expect(sent(request).messages[0]?.content).toEqual([
      { text: "Look" },
      { image: { format: "jpeg", source: { bytes: "aGk=" } } },
      { image: { format: "webp", source: { s3Location: { uri: "s3://bucket/a.webp" } } } },
      { video: { format: "mp4", source: { bytes: "aGk=" } } },
      { document: { format: "pdf", source: { bytes: "aGk=" }, name: "Q3 r port final" } },
      { document: { format: "csv", source: { bytes: "YSxi" }, name: "a" } },
    ]);
  });

  it.each<[string, object[], string]>([
    [
      "an image by address",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }] }],
      "messages.0.content.0.image_url",
    ],
    [
      "audio",
      [
        MINIMAL.messages[0] ?? {},
        { role: "user", content: [{ type: "input_audio", input_audio: { data: "a", format: "mp3" } }] },
      ],
      "messages.1.content.0",
    ],
    ["an answer first", [{ role: "assistant", content: "x" }], "messages"],
    ["only an instruction", [{ role: "system", content: "x" }], "messages"],
    [
      "arguments that aren't JSON",
      [
        MINIMAL.messages[0] ?? {},
        { role: "assistant", tool_calls: [{ ...call, function: { name: "f", arguments: "{" } }] },
      ],
      "messages.1.tool_calls.0.function.arguments",
    ],
  ])("refuses %s", (_, list, path) => expect(refusedPaths(messages(...list))).toContain(path));

  it("are sent without names and images of earlier answers, and the warnings name both", () => {
    const request = messages(
      { role: "user", content: "a", name: "bob" },
      { role: "assistant", content: "b", name: "model", images: [{ type: "image_url", image_url: { url: "data:," } }] },
      { role: "user", content: "c", name: "bob" },
    );
    expect(refusedPaths(request)).toEqual([]);
    expect(unsupportedFields(request, endpoint(NOVA))).toEqual(["messages[].name", "messages[].images"]);
    expect(sent(request).messages).toHaveLength(3);
  });

  it("have instructions in the middle as text of the user, after results of tools", () => {
    const { system, messages: turns } = sent(
      messages(
        { role: "system", content: "first" },
        { role: "user", content: "a" },
        { role: "system", content: "second" },
        { role: "assistant", tool_calls: [call] },
        { role: "system", content: "third" },
        { role: "tool", tool_call_id: "call 1", content: "1" },
        { role: "developer", content: " " },
      ),
    );
    expect(system).toEqual([{ text: "first" }]);
    expect(turns.map(({ content }) => content)).toEqual([
      [{ text: "a" }, { text: "<system>\nsecond\n</system>" }],
      [{ toolUse: { toolUseId: "call_1", name: "weather", input: { city: "Bern" } } }],
      [{ toolResult: { toolUseId: "call_1", content: [{ text: "1" }] } }, { text: "<system>\nthird\n</system>" }],
    ]);
  });

  it.each([{}, { tools: [] }, { tools: [weather], tool_choice: "none" }])(
    "that call tools are sent with a declaration of the tools, and no call may come back, with %j",
    (fields) => {
      const list = [
        { role: "user", content: "a" },
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: "call 1", content: "1" },
      ];
      const request = chat({ messages: list, ...fields });
      expect(refusedPaths(request)).toEqual([]);
      expect(sent(request)).toMatchObject({
        toolConfig: { tools: [{ toolSpec: { name: "weather" } }] },
        system: [{ text: "Answer in text. Don't call a tool." }],
      });
      expect(honourOf(request, endpoint(NOVA))).toEqual({ calls: 0 });
    },
  );

  it("without calls have no tools if none may be called", () => {
    expect(sent(chat({ tools: [weather], tool_choice: "none" })).toolConfig).toBeUndefined();
  });

  it("have only the tools that the choice allows", () => {
    const other = { type: "function", function: { name: "other" } };
    const allowed = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [other] } };
    expect(sent(chat({ tools: [weather, other], tool_choice: allowed })).toolConfig).toMatchObject({
      toolChoice: { any: {} },
      tools: [{ toolSpec: { name: "other" } }],
    });
  });

  it("ask for a JSON object by an instruction", () => {
    const request = chat({ response_format: { type: "json_object" } });
    expect(sent(request).system).toHaveLength(1);
    expect(honourOf(request, endpoint(NOVA))).toEqual({ isJsonObject: true });
  });
});

it.each<[object, string[]]>([
  [{ tools: [{ type: "web_search" }] }, ["tools.0"]],
  [{ modalities: ["text", "audio"] }, ["modalities"]],
  [{ unknown_field: 1 }, ["unknown_field"]],
])("%j is refused at %j", (fields, paths) => expect(refusedPaths(chat(fields))).toEqual(paths));

describe("a Responses request", () => {
  const responses = (fields: object): InferenceRequest => ({
    protocol: "responses",
    body: ResponsesBody.parse({ model: "m/m", input: "hi", ...fields }),
  });

  it("goes through chat completions", () => {
    const request = responses({
      instructions: "Be brief.",
      max_output_tokens: 50,
      reasoning: { effort: "low" },
      top_k: 5,
      tools: [{ type: "function", name: "f", parameters: { type: "object" }, strict: true }],
    });
    expect(refusedPaths(request)).toEqual([]);
    expect(sent(request)).toEqual({
      system: [{ text: "Be brief." }],
      messages: [{ role: "user", content: [{ text: "hi" }] }],
      inferenceConfig: { maxTokens: 50 },
      additionalModelRequestFields: { top_k: 5, reasoning_effort: "low" },
      toolConfig: { tools: [{ toolSpec: { name: "f", inputSchema: { json: { type: "object" } }, strict: true } }] },
    });
  });

  it.each<[object, string[]]>([
    [{ tools: [{ type: "web_search" }] }, ["tools.0"]],
    [{ input: [{ role: "assistant", content: "x" }] }, ["input"]],
  ])("%j is refused at %j, by its own names", (fields, paths) =>
    expect(refusedPaths(responses(fields)).sort()).toEqual(paths),
  );

  it("has its hints dropped by its own names", () => {
    const request = responses({ frequency_penalty: 1, truncation: "auto" });
    expect(refusedPaths(request)).toEqual([]);
    expect(unsupportedFields(request, endpoint(NOVA)).sort()).toEqual(["frequency_penalty", "truncation"]);
  });
});
