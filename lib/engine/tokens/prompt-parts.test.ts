import { describe, expect, it } from "vitest";
import { MessagesBody } from "../protocols/contracts/messages-request-contract";
import { ChatCompletionsBody } from "../protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../protocols/contracts/responses-request-contract";
import { recordedSize, requestSize } from "../routing/request-size";
import { encodingOf } from "./encoding";
import { modelMaxOutput } from "../model-limits";

const chat = (body: object) =>
  requestSize({
    protocol: "chat_completions",
    body: ChatCompletionsBody.parse({ model: "m", messages: [{ role: "user", content: "Hi" }], ...body }),
  });
const responses = (body: object) =>
  requestSize({ protocol: "responses", body: ResponsesBody.parse({ model: "m", input: "Hi", ...body }) });
const user = (...content: object[]) => ({ messages: [{ role: "user", content }] });

const plain = chat({}).prompt;
const FUNCTION = { name: "look", description: "Looks something up", parameters: { type: "object" } };
const DATA = `data:application/pdf;base64,${"A".repeat(4000)}`;

describe("the size of a prompt", () => {
  it.each<[string, { prompt: typeof plain }]>([
    ["a function", chat({ tools: [{ type: "function", function: FUNCTION }] })],
    ["a server tool", chat({ tools: [{ type: "web_search" }] })],
    ["a schema", chat({ response_format: { type: "json_schema", json_schema: { name: "a", schema: {} } } })],
    [
      "an image",
      chat(user({ type: "text", text: "Hi" }, { type: "image_url", image_url: { url: "https://a.example" } })),
    ],
    [
      "audio",
      chat(user({ type: "text", text: "Hi" }, { type: "input_audio", input_audio: { data: DATA, format: "mp3" } })),
    ],
    ["a file", chat(user({ type: "text", text: "Hi" }, { type: "file", file: { file_data: DATA } }))],
    [
      "a video",
      chat(user({ type: "text", text: "Hi" }, { type: "video_url", video_url: { url: "https://a.example" } })),
    ],
    [
      "another message",
      chat({
        messages: [
          { role: "system", content: "" },
          { role: "user", content: "Hi" },
        ],
      }),
    ],
    [
      "a tool call",
      chat({
        messages: [
          { role: "user", content: "Hi" },
          {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "1", type: "function", function: { name: "a", arguments: '{"b":1}' } }],
          },
        ],
      }),
    ],
    ["a function of Responses", responses({ tools: [{ type: "function", ...FUNCTION }] })],
    ["instructions", responses({ instructions: "Be kind" })],
    ["a schema of Responses", responses({ text: { format: { type: "json_schema", name: "a", schema: {} } } })],
    [
      "an image of Responses",
      responses({
        input: [
          {
            role: "user",
            content: [
              { type: "input_text", text: "Hi" },
              { type: "input_image", image_url: "https://a.example" },
            ],
          },
        ],
      }),
    ],
    ["variables", responses({ prompt: { id: "p", variables: { city: "Paris" } } })],
  ])("grows with %s", (_name, { prompt }) => {
    expect(prompt.most).toBeGreaterThan(plain.most);
  });

  it("is the same in every protocol", () => {
    const body = MessagesBody.parse({ model: "m", messages: [{ role: "user", content: "Hi" }] });
    expect(responses({}).prompt).toEqual(plain);
    expect(requestSize({ protocol: "messages", body }).prompt).toEqual(plain);
  });

  it("doesn't count the data of an image as text", () => {
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(1_000_000)}` } };
    const { prompt, images, modalities } = chat(user(image));
    expect([prompt.most < 3000, images, modalities.images]).toEqual([true, 1, true]);
  });

  it("of a thumbnail is smaller", () => {
    const image = (detail: string) => user({ type: "image_url", image_url: { url: "https://a.example", detail } });
    expect(chat(image("low")).prompt.most).toBeLessThan(chat(image("high")).prompt.most);
  });

  it("includes the output limit, the prediction and the service tier", () => {
    expect(
      chat({ max_tokens: 7, prediction: { type: "content", content: "abc" }, service_tier: "fast" }),
    ).toMatchObject({
      maxOutputTokens: 7,
      predictedTokens: expect.any(Number) as number,
      serviceTier: "priority",
    });
    expect(chat({ prediction: { type: "content", content: "abc" } }).predictedTokens).toBeGreaterThan(3);
    expect(chat({ modalities: ["text", "image"] }).modalities.images).toBe(true);
  });

  it.each<[string, ReturnType<typeof chat>]>([
    ["text", chat({})],
    ["functions", chat({ tools: [{ type: "function", function: FUNCTION }] })],
    ["a tool of the caller", responses({ tools: [{ type: "custom", name: "a" }] })],
  ])("with %s is text alone", (_name, { isTextOnly }) => {
    expect(isTextOnly).toBe(true);
  });

  const messages = (body: object) =>
    requestSize({
      protocol: "messages",
      body: MessagesBody.parse({ model: "m", messages: [{ role: "user", content: "Hi" }], ...body }),
    });
  const pdf = { type: "document", source: { type: "url", url: "https://a.example/a.pdf" } };
  it.each<[string, ReturnType<typeof chat>]>([
    ["an image", chat(user({ type: "image_url", image_url: { url: "https://a.example" } }))],
    ["a file", chat(user({ type: "file", file: { file_data: DATA } }))],
    ["a stored file", chat(user({ type: "file", file: { file_id: "f" } }))],
    ["audio", chat(user({ type: "input_audio", input_audio: { data: DATA, format: "mp3" } }))],
    ["a video", chat(user({ type: "video_url", video_url: { url: "https://a.example" } }))],
    ["a document", messages(user(pdf))],
    ["a hosted tool", messages({ tools: [{ type: "web_search_20250305", name: "web_search" }] })],
    ["tools of a server", messages({ mcp_servers: [{ type: "url", url: "https://a.example", name: "a" }] })],
    ["a search", chat({ web_search_options: {} })],
    ["a stored prompt", responses({ prompt: { id: "p" } })],
    [
      "encrypted reasoning",
      responses({ input: [{ type: "reasoning", id: "r", summary: [], encrypted_content: "x" }] }),
    ],
  ])("with %s is not text alone", (_name, { isTextOnly }) => {
    expect(isTextOnly).toBe(false);
  });

  it("of a recorded request counts its messages", () => {
    expect(recordedSize([{ role: "user", content: "Hi" }]).prompt).toEqual(plain);
  });
});

it.each([
  ["gpt-4o-2024-08-06", 16_384],
  ["openai/gpt-4.1-mini", 32_768],
  ["gpt-4", 8192],
  ["gpt-4-turbo-2024-04-09", 4096],
  ["gpt-5-mini", 128_000],
  ["gpt-5-chat-latest", 16_384],
  ["o3-pro", 100_000],
  ["claude-3-5-sonnet-20241022", 8192],
  ["claude-3-haiku-20240307", 4096],
  ["claude-opus-4-1-20250805", 32_000],
  ["claude-sonnet-4-5-20250929", 64_000],
  ["claude-opus-4-6", 128_000],
  ["models/gemini-2.5-flash", 65_536],
  ["llama-4", 16_384],
])("the most that %s writes is %i tokens", (name, tokens) => expect(modelMaxOutput(name, {})).toBe(tokens));

it("limits of an admin come first, and no output is longer than the context", () => {
  expect(modelMaxOutput("gpt-4o", { maxOutputTokens: 9, contextLength: 5000 })).toBe(9);
  expect(modelMaxOutput("gpt-4o", { contextLength: 5000 })).toBe(5000);
  expect(modelMaxOutput("llama-4", { contextLength: 5000 })).toBe(5000);
});

it.each([
  ["gpt-5", "o200k_base"],
  ["openai/gpt-4o-mini", "o200k_base"],
  ["gpt-4.1", "o200k_base"],
  ["o4-mini", "o200k_base"],
  ["chatgpt-4o-latest", "o200k_base"],
  ["gpt-oss-120b", "o200k_base"],
  ["gpt-4", "cl100k_base"],
  ["gpt-4-turbo", "cl100k_base"],
  ["gpt-3.5-turbo-0125", "cl100k_base"],
  ["claude-sonnet-4-5", null],
  ["olmo-2", null],
])("%s uses %s", (name, encoding) => expect(encodingOf(name)).toBe(encoding));
