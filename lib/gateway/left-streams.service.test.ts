import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { MessagesBody } from "../engine/protocols/contracts/messages-request-contract";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import type { UpstreamProtocol } from "../engine/protocols/vocabulary";
import { hiddenRates } from "../records/providers/hidden-rates";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { TEST_SETTINGS } from "../testing/context";
import { testWorld } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { create as createMessage } from "./messages-service";
import { createChatCompletion } from "./service";

type Send = (event: object) => void;

/** Creates a model whose upstream streams the events of `write`, and later those of `send`. */
async function modelAt(protocol: UpstreamProtocol, write: (send: Send, response: ServerResponse) => void) {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  let send: Send = () => undefined;
  const { url } = await upstreamServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      send = (event) => {
        const named = "type" in event ? `event: ${String(event.type)}\n` : "";
        response.write(`${named}data: ${JSON.stringify(event)}\n\n`);
      };
      write(send, response);
    });
  });
  const providerId = await createProvider(world, { baseUrl: url, protocol });
  await createModel(world, { slug: "acme/one", providerId });
  const { id } = await createKey(world);
  const context: Context = { ...world.context, caller: keyCaller(world, id), headers: new Headers() };
  const recorded = () =>
    world.context.db.generation.findFirstOrThrow({ where: { id: context.headers.get("x-generation-id") ?? "" } });
  return { world, context, recorded, providerId, send: (event: object) => send(event) };
}

/**
 * Reads a stream until it contains a text, then disconnects; `afterwards` is called while the gateway may still read.
 */
async function leaveAt(answer: unknown, text: string, afterwards: () => void = () => undefined): Promise<void> {
  if (!(answer instanceof EventStream)) throw new Error("expected a stream");
  const reader = answer.body.getReader();
  let read = "";
  while (!read.includes(text)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended without ${text}`);
    read += new TextDecoder().decode(value);
  }
  const cancelled = reader.cancel();
  afterwards();
  await cancelled;
}

it("the prompt of a Messages stream that the client leaves is charged as reported, with what its cache did", async () => {
  const usage = { input_tokens: 100_000, cache_read_input_tokens: 500, output_tokens: 1 };
  const { context, recorded } = await modelAt("messages", (send) => {
    send({ type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], usage } });
    send({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    send({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "The answer" } });
  });
  const pdf = { type: "document", source: { type: "url", url: "https://a.example/a.pdf" } };
  const messages = [{ role: "user", content: [pdf] }];
  const body = MessagesBody.parse({ model: "acme/one", max_tokens: 100, stream: true, messages });
  await leaveAt(await createMessage(context, { params: {}, query: {}, body }), "The answer");
  const { status, usageEstimated, costMicroUsd, tokensPrompt, tokensCached } = await recorded();
  expect({ status, usageEstimated, tokensPrompt, tokensCached }).toEqual({
    status: "cancelled",
    usageEstimated: true,
    tokensPrompt: 100_500,
    tokensCached: 500,
  });
  expect(costMicroUsd).toBeGreaterThanOrEqual(100_500n);
  expect(costMicroUsd).toBeLessThan(100_550n);
});

const choice = (delta: object, finish_reason: string | null = null) => ({
  id: "1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});
const ANSWER = choice({ content: "The answer" });
const STOP = choice({}, "stop");
const BILLED = {
  id: "1",
  object: "chat.completion.chunk",
  choices: [],
  usage: {
    prompt_tokens: 10,
    completion_tokens: 20_010,
    total_tokens: 20_020,
    completion_tokens_details: { reasoning_tokens: 20_000 },
  },
};
const REASONS = { supportedParameters: ["reasoning", "max_tokens"] };

/** Sends a chat completion as a stream to a model with the fields of its endpoint. */
async function chat(write: (send: Send, response: ServerResponse) => void, fields: object = {}, limits: object = {}) {
  const { world, context, recorded, providerId, send } = await modelAt("chat_completions", write);
  const endpoint = await world.context.db.endpoint.findFirstOrThrow({ where: { providerId } });
  await world.context.db.endpoint.updateMany({ where: { id: endpoint.id }, data: fields });
  const messages = [{ role: "user", content: "Hi" }];
  const body = ChatCompletionsBody.parse({ model: "acme/one", stream: true, messages, ...limits });
  const ask = () => createChatCompletion(context, { params: {}, query: {}, body });
  return { ask, recorded, endpoint, send };
}

describe("hidden reasoning of a stream that the client leaves", () => {
  it.each([
    ["after the last text", "The answer", [ANSWER], [STOP, BILLED], 0],
    // Longer than the gateway waits for the usage of an unfinished response.
    ["after the end, long before its usage", '"stop"', [ANSWER, STOP], [BILLED], 2000],
  ])("%s is charged as reported", async (_name, text, before, after, ms) => {
    const { ask, recorded, send } = await chat((first) => before.forEach(first));
    const report = () => after.forEach(send);
    await leaveAt(await ask(), text, () => void (ms === 0 ? report() : setTimeout(report, ms)));
    expect(await recorded()).toMatchObject({
      status: "cancelled",
      usageEstimated: false,
      tokensReasoning: 20_000,
      costMicroUsd: 10n + 2n * 20_010n,
    });
  });

  it("is charged by the time before the answer, if it isn't reported", async () => {
    const { ask, recorded } = await chat((send) => void setTimeout(() => send(ANSWER), 2000), REASONS);
    await leaveAt(await ask(), "The answer");
    const { usageEstimated, tokensCompletion } = await recorded();
    expect(usageEstimated).toBe(true);
    expect(tokensCompletion).toBeGreaterThan(100);
  });

  it("is charged by what earlier answers of the endpoint hid, within the limit of the request", async () => {
    let isFirst = true;
    const write = (send: Send, response: ServerResponse) => {
      setTimeout(() => {
        send(ANSWER);
        if (!isFirst) return;
        isFirst = false;
        [STOP, BILLED].forEach(send);
        response.end("data: [DONE]\n\n");
      }, 500);
    };
    const { ask, recorded, endpoint } = await chat(write, {}, { max_tokens: 30_000 });
    const answer = await ask();
    if (answer instanceof EventStream) await new Response(answer.body).text();
    expect(hiddenRates.rateOf(endpoint.id)).toBeGreaterThan(0);
    await leaveAt(await ask(), "The answer");
    const { tokensCompletion } = await recorded();
    expect(tokensCompletion).toBeGreaterThan(2000);
    expect(tokensCompletion).toBeLessThanOrEqual(30_000);
  });

  it("is not assumed without evidence, and the text written meanwhile is charged", async () => {
    let closed = false;
    const write = (send: Send, response: ServerResponse) => {
      send(ANSWER);
      response.on("close", () => void (closed = true));
    };
    const { ask, recorded, send } = await chat(write);
    await leaveAt(await ask(), "The answer", () => send(choice({ content: " is forty-two." })));
    const { status, usageEstimated, tokensCompletion } = await recorded();
    expect({ status, usageEstimated }).toEqual({ status: "cancelled", usageEstimated: true });
    expect(tokensCompletion).toBeGreaterThan(4);
    expect(tokensCompletion).toBeLessThan(15);
    await expect.poll(() => closed).toBe(true);
  });
});

it("a stream of a model that doesn't reason is stopped when the client leaves, without reading on", async () => {
  let closed = false;
  const write = (send: Send, response: ServerResponse) => {
    send(ANSWER);
    response.on("close", () => void (closed = true));
  };
  const { ask, recorded, send } = await chat(write, { supportedParameters: ["max_tokens"] });
  const again = () => Array.from({ length: 20 }).forEach(() => send(choice({ content: " again" })));
  await leaveAt(await ask(), "The answer", again);
  const { status, usageEstimated, tokensCompletion } = await recorded();
  expect({ status, usageEstimated }).toEqual({ status: "cancelled", usageEstimated: true });
  expect(tokensCompletion).toBeLessThan(10);
  await expect.poll(() => closed).toBe(true);
});
