import { describe, expect, it } from "vitest";
import { MessagesBody } from "../protocols/contracts/messages-request-contract";
import { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import { requestSize } from "./request-size";

const messages = [{ role: "user", content: "Hi" }];
const chat = (body: object) =>
  requestSize({ protocol: "chat_completions", body: ChatCompletionsBody.parse({ messages, ...body }) });

it("of embeddings counts their inputs, and no output", () => {
  const body = ChatCompletionsBody.parse({ messages: [...messages, ...messages], max_completion_tokens: 5 });
  const size = requestSize({ protocol: "chat_completions", body }, undefined, "embeddings");
  expect(size).toMatchObject({ inputs: 2, maxOutputTokens: 0, isLimitIgnorable: false });
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
