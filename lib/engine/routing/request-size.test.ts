import { describe, expect, it } from "vitest";
import { MessagesBody } from "../protocols/contracts/messages-request-contract";
import { ChatCompletionsBody } from "../protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../protocols/contracts/responses-request-contract";
import { requestSize } from "./request-size";

const messages = [{ role: "user", content: "Hi" }];
const chat = (body: object) =>
  requestSize({ protocol: "chat_completions", body: ChatCompletionsBody.parse({ messages, ...body }) });

it("of embeddings counts their inputs, and no output", () => {
  const body = ChatCompletionsBody.parse({ messages: [...messages, ...messages], max_completion_tokens: 5 });
  const size = requestSize({ protocol: "chat_completions", body }, undefined, "embeddings");
  expect(size).toMatchObject({ inputs: 2, maxOutputTokens: 0, isLimitIgnorable: false });
});

describe("the web searches of a request", () => {
  const search = { type: "web_search_20250305", name: "web_search" };
  const message = (...tools: object[]) =>
    requestSize({ protocol: "messages", body: MessagesBody.parse({ model: "m", messages, tools }) });
  const response = (body: object) =>
    requestSize({ protocol: "responses", body: ResponsesBody.parse({ model: "m", input: "Hi", ...body }) });
  it.each<[string, ReturnType<typeof chat>, number]>([
    ["without tools", chat({}), 0],
    ["with the caller's tools", chat({ tools: [{ type: "function", function: { name: "web_search" } }] }), 0],
    ["with a limit", message({ ...search, max_uses: 3 }), 3],
    ["without a limit", message(search), 10],
    ["with a limit of tool calls", response({ tools: [{ type: "web_search" }], max_tool_calls: 4 }), 4],
    ["of a model that searches", chat({ web_search_options: {} }), 10],
  ])("%s", (_name, { webSearches }, expected) => {
    expect(webSearches).toBe(expected);
  });
});

describe("the output limit", () => {
  it.each([
    [{}, null, false],
    [{ max_tokens: 5 }, 5, false],
    [{ max_completion_tokens: 5 }, 5, true],
    [{ max_completion_tokens: 5, max_tokens: null }, 5, true],
    [{ max_completion_tokens: 1, max_tokens: 32_000 }, 1, false],
  ])("of %j is %s; upstreams may ignore it: %s", (body, maxOutputTokens, isLimitIgnorable) => {
    expect(chat(body)).toMatchObject({ maxOutputTokens, isLimitIgnorable });
  });

  it("of the other protocols has one name", () => {
    const message = MessagesBody.parse({ model: "m", messages, max_tokens: 5 });
    const response = ResponsesBody.parse({ model: "m", input: "Hi", max_output_tokens: 5 });
    const limit = { maxOutputTokens: 5, isLimitIgnorable: false };
    expect(requestSize({ protocol: "messages", body: message })).toMatchObject(limit);
    expect(requestSize({ protocol: "responses", body: response })).toMatchObject(limit);
  });
});
