import Anthropic, { APIError as AnthropicError } from "@anthropic-ai/sdk";
import OpenAI, { APIError } from "openai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ApiError } from "../../platform/api-error";
import { chatStreamEncoder } from "./chat/stream-encoder";
import { textStreamEncoder } from "./completions/text-completion";
import { MessagesBody } from "./contracts/messages-request-contract";
import { ResponsesBody } from "./contracts/responses-request-contract";
import { messagesStreamEncoder } from "./messages/stream-encoder";
import { relay, type StreamEncoder } from "./observe";
import { responsesStreamEncoder } from "./responses/stream-encoder";

const heading = { id: "gen-1", created: 1, model: "acme/one", isByok: false };
const { signal } = new AbortController();
const messages = [{ role: "user" as const, content: "hi" }];
const MESSAGE = "This model's maximum context length is 8 tokens";
const FAILURE = new ApiError(400, MESSAGE, {
  type: "invalid_request_error",
  param: "messages",
  code: "context_length_exceeded",
  provider_code: "context_length_exceeded",
  service_metadata: null,
});

/** The stream of an answer that fails after its first content. */
async function failing(encoder: StreamEncoder): Promise<string> {
  async function* answer() {
    yield await Promise.resolve([{ choices: [{ index: 0, delta: { content: "a" }, finish_reason: null }] }]);
    throw new Error("broken");
  }
  const report = () => Promise.resolve({ costUsd: 0, completedAt: 2, failure: FAILURE });
  let text = "";
  for await (const part of relay(answer(), encoder, signal, report)) text += part;
  return text;
}

const chat = () => failing(chatStreamEncoder(heading, { includesUsage: false, echo: null }));
const completion = () => failing(textStreamEncoder(heading, { logprobs: null }, { includesUsage: false }));
const response = () => failing(responsesStreamEncoder(heading, ResponsesBody.parse({ input: "hi" }), null));
const message = () => failing(messagesStreamEncoder(heading, MessagesBody.parse({ max_tokens: 9, messages }), null));

const answering = (text: string) => () =>
  Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }));
const openai = (text: string) => new OpenAI({ apiKey: "k", baseURL: "http://gateway/v1", fetch: answering(text) });
const anthropic = (text: string) => new Anthropic({ apiKey: "k", baseURL: "http://gateway", fetch: answering(text) });

async function raised(stream: Promise<AsyncIterable<unknown>>): Promise<unknown> {
  try {
    for await (const _ of await stream);
  } catch (error) {
    return error;
  }
  return null;
}

describe("context_length_exceeded after the first content", () => {
  const expected = {
    code: "context_length_exceeded",
    type: "invalid_request_error",
    param: "messages",
    message: MESSAGE,
  };

  it.each<[string, () => Promise<unknown>]>([
    [
      "chat completions",
      async () => raised(openai(await chat()).chat.completions.create({ model: "m", messages, stream: true })),
    ],
    [
      "completions",
      async () => raised(openai(await completion()).completions.create({ model: "m", prompt: "hi", stream: true })),
    ],
    [
      "responses",
      async () => raised(openai(await response()).responses.create({ model: "m", input: "hi", stream: true })),
    ],
  ])("is raised by the openai client with its code, type, parameter and text: %s", async (_name, work) => {
    const error = await work();
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject(expected);
  });

  it("is raised by the Anthropic client with its type and text", async () => {
    const error = await raised(
      anthropic(await message()).messages.create({ model: "m", max_tokens: 9, messages, stream: true }),
    );
    expect(error).toBeInstanceOf(AnthropicError);
    expect(error).toMatchObject({ type: "invalid_request_error", error: { error: { message: MESSAGE } } });
  });

  /** Events as the AI SDK reads them: a chunk if it has choices, else an error. */
  const Chunk = z.object({ choices: z.array(z.unknown()) });
  const Failed = z.object({
    error: z.object({ message: z.string(), code: z.union([z.string(), z.number()]).nullish() }),
  });
  const ResponsesError = z.object({
    type: z.literal("error"),
    sequence_number: z.number(),
    error: z.object({ type: z.string(), code: z.string(), message: z.string(), param: z.string().nullish() }),
  });

  it.each([
    ["chat completions", chat, z.union([Chunk, Failed])],
    ["completions", completion, z.union([Chunk, Failed])],
    ["responses", response, z.union([ResponsesError, z.looseObject({ type: z.string() })])],
  ])("is an error for clients that tell events by their fields: %s", async (_name, work, schema) => {
    const events = (await work()).matchAll(/^data: (\{.*)$/gm);
    const errors = [...events].flatMap(([, data = ""]) => {
      const event = schema.parse(JSON.parse(data));
      return "error" in event ? [event.error] : [];
    });
    expect(errors).toMatchObject([{ code: "context_length_exceeded", message: MESSAGE }]);
  });

  it("keeps its HTTP status in the event of a chat completion", async () => {
    expect(await chat()).toContain('"status":400');
  });
});
