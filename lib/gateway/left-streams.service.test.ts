import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { MessagesBody } from "../engine/protocols/contracts/messages-request-contract";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import type { UpstreamProtocol } from "../records/providers/vocabulary";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { TEST_SETTINGS } from "../testing/context";
import { testWorld } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { create as createMessage } from "./messages-service";

type Send = (event: object) => void;

/** A model whose upstream streams what `write` sends. */
async function modelAt(protocol: UpstreamProtocol, write: (send: Send, response: ServerResponse) => void) {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  const { url } = await upstreamServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      write((event) => {
        const named = "type" in event ? `event: ${String(event.type)}\n` : "";
        response.write(`${named}data: ${JSON.stringify(event)}\n\n`);
      }, response);
    });
  });
  const providerId = await createProvider(world, { baseUrl: url, protocol });
  await createModel(world, { slug: "acme/one", providerId });
  const { id } = await createKey(world);
  const context: Context = { ...world.context, caller: keyCaller(world, id), headers: new Headers() };
  const recorded = () =>
    world.context.db.generation.findFirstOrThrow({ where: { id: context.headers.get("x-generation-id") ?? "" } });
  return { world, context, recorded };
}

/** Reads a stream until it contains a text, then leaves. */
async function leaveAt(answer: unknown, text: string): Promise<void> {
  if (!(answer instanceof EventStream)) throw new Error("expected a stream");
  const reader = answer.body.getReader();
  let read = "";
  while (!read.includes(text)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended without ${text}`);
    read += new TextDecoder().decode(value);
  }
  await reader.cancel();
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
