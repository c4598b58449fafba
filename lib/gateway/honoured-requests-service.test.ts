import { json } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { sseEvent } from "../engine/protocols/server-sent-events";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { TEST_SETTINGS } from "../testing/context";
import { failure } from "../testing/expect-failure";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import * as inference from "./service";

let world: World;
let caller: Context["caller"];
let count = 0;

beforeAll(async () => {
  world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  caller = keyCaller(world, (await createKey(world)).id);
});

const USAGE = { input_tokens: 10, output_tokens: 7 };

/** Responses with a text, as Responses and Messages upstreams send them. */
const ANSWERS = {
  responses: (text: string) => {
    const item = { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text }] };
    const response = { id: "r", object: "response", status: "completed", output: [item], usage: USAGE };
    const place = { item_id: "m", output_index: 0, content_index: 0 };
    const deltas = Array.from(text).map((delta) => ({ type: "response.output_text.delta", ...place, delta }));
    return { whole: response, events: [...deltas, { type: "response.completed", response }] };
  },
  messages: (text: string) => {
    const whole = { id: "m", type: "message", role: "assistant", content: [{ type: "text", text }], usage: USAGE };
    const deltas = Array.from(text).map((piece) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: piece },
    }));
    const events = [
      { type: "message_start", message: { ...whole, content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...deltas,
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: USAGE },
      { type: "message_stop" },
    ];
    return { whole: { ...whole, stop_reason: "end_turn" }, events };
  },
} as const;

/** Sends a chat completions request to a model of an upstream that responds with a text. */
async function chat(protocol: keyof typeof ANSWERS, text: string, fields: object) {
  const { whole, events } = ANSWERS[protocol](text);
  const { url } = await upstreamServer((request, response) => {
    void json(request).then((body) => {
      const { stream } = body as { stream: boolean };
      response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
      response.end(stream ? events.map((one) => sseEvent(one, one.type)).join("") : JSON.stringify(whole));
    });
  });
  const slug = `acme/honoured-${(count += 1)}`;
  const providerId = await createProvider(world, { slug: `honoured-${count}`, baseUrl: url, protocol });
  await createModel(world, { slug, providerId });
  const context: Context = { ...world.context, caller, headers: new Headers() };
  const messages = [{ role: "user", content: "hi", name: "ada" }];
  const body = ChatCompletionsBody.parse({ model: slug, messages, max_tokens: 99, ...fields });
  const answer = await inference.createChatCompletion(context, { params: {}, query: {}, body });
  const warnings = () => context.headers.get("x-signalbox-warnings");
  if (!(answer instanceof EventStream)) {
    const [choice] = answer.choices;
    return { text: choice?.message.content, finish: choice?.finish_reason, warnings: warnings() };
  }
  const streamed = await new Response(answer.body).text();
  const chunks = streamed
    .split("\n\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as { choices: { delta: { content?: string }; finish_reason?: string }[] });
  const choices = chunks.flatMap((chunk) => chunk.choices);
  return {
    text: choices.map(({ delta }) => delta.content ?? "").join(""),
    finish: choices.flatMap(({ finish_reason }) => finish_reason ?? []).at(-1),
    warnings: warnings(),
  };
}

describe.each([false, true])("with stream %j", (stream) => {
  it("a stop sequence ends the answer of an upstream that has none, and hints are named in a warning", async () => {
    const answer = await chat("responses", "one END two", { stream, stop: ["END"], seed: 1, top_k: 3 });
    expect(answer).toEqual({
      text: "one ",
      finish: "stop",
      warnings: "unsupported-field=top_k, unsupported-field=messages[].name, unsupported-field=seed",
    });
  });

  it("a JSON object is what an upstream without such a format answers", async () => {
    const text = 'Sure:\n```json\n{"city":"Rome"}\n```';
    const answer = await chat("messages", text, { stream, response_format: { type: "json_object" } });
    expect(answer).toMatchObject({ text: '{"city":"Rome"}', finish: "stop" });
  });
});

it("an answer that isn't the requested JSON object is a failure of the upstream", async () => {
  const error = await failure(chat("messages", "I can't.", { response_format: { type: "json_object" } }));
  expect(error.status).toBe(502);
});
