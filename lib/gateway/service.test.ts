import { createParser, type EventSourceMessage } from "eventsource-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../server/bootstrap";
import { EventStream } from "../platform/http/event-stream";
import { createKey, keyCaller } from "../testing/factories";
import { failure } from "../testing/expect-failure";
import { NOW, testWorld, type World } from "../testing/test-context";
import type { Context } from "../platform/context";
import { ChatCompletion } from "../engine/protocols/contracts/chat-result-contract";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { ResponseObject } from "../engine/protocols/contracts/responses-result-contract";
import * as inference from "./service";

let world: World;
let context: Context;

beforeAll(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  const key = await createKey(world);
  context = { ...world.context, caller: keyCaller(world, key.id) };
});

const fresh = (overrides: Partial<Context> = {}): Context => ({ ...context, headers: new Headers(), ...overrides });
const respond = (request: object, at = fresh()) =>
  inference.createResponse(at, { params: {}, query: {}, body: ResponsesBody.parse(request) });
const chat = (request: object, at = fresh()) =>
  inference.createChatCompletion(at, { params: {}, query: {}, body: ChatCompletionsBody.parse(request) });
const messages = [{ role: "user", content: "hello big world" }];

async function stored({ headers, db }: Context) {
  const id = headers.get("x-generation-id") ?? "";
  return db.generation.findFirstOrThrow({ where: { id }, include: { content: true } });
}

async function eventsOf(answer: unknown): Promise<EventSourceMessage[]> {
  if (!(answer instanceof EventStream)) throw new Error("expected a stream");
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) parser.feed(decoder.decode(bytes));
  return events;
}

describe("a complete answer", () => {
  it("of Responses is recorded with content, usage and exact cost", async () => {
    const at = fresh({ client: { ...context.client, sessionId: "from-header", appTitle: "App" } });
    const answer = ResponseObject.parse(
      await respond(
        {
          model: "sandbox/echo",
          instructions: "Be kind",
          input: "hello big world",
          session_id: "from-body",
          trace: { trace_id: "trace-of-body" },
          user: "u1",
        },
        at,
      ),
    );
    expect(answer).toMatchObject({
      status: "completed",
      output_text: "You said: hello big world",
      usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10, cost: 0.00001 },
    });
    const row = await stored(at);
    expect(row).toMatchObject({
      id: answer.id,
      createdAt: NOW,
      status: "succeeded",
      apiType: "responses",
      model: "sandbox/echo",
      providerSlug: "sandbox",
      keyId: context.caller.kind === "key" ? context.caller.keyId : null,
      userId: world.adminId,
      tokensPrompt: 5,
      tokensCompletion: 5,
      costMicroUsd: 10n,
      finishReason: "stop",
      sessionId: "from-body",
      traceId: "trace-of-body",
      externalUser: "u1",
      appTitle: "App",
      contentStored: true,
      attempts: [{ provider_name: "Sandbox", status: 200 }],
    });
    expect(row.content).toMatchObject({
      input: {
        messages: [
          { role: "system", content: "Be kind" },
          { role: "user", content: "hello big world" },
        ],
      },
      completion: "You said: hello big world",
      error: null,
      searchText: "Be kind hello big world You said:",
    });
  });

  it("of chat completions includes the cost and the generation id", async () => {
    const at = fresh();
    const answer = ChatCompletion.parse(await chat({ model: "sandbox/reasoner", messages }, at));
    expect(answer).toMatchObject({
      id: at.headers.get("x-generation-id"),
      model: "sandbox/reasoner",
      choices: [{ message: { content: "You said: hello big world", reasoning: expect.any(String) as string } }],
    });
    expect(answer.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 14, cost: 0.000059 });
  });

  it("is incomplete when truncated by max_output_tokens", async () => {
    expect(await respond({ model: "sandbox/echo", input: "hello big world", max_output_tokens: 3 })).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output_text: "You said: hello",
    });
  });

  it("has no stored content when the workspace doesn't log it", async () => {
    const other = await testWorld();
    await createSandbox(other.context.db, other.organizationId, NOW);
    await other.context.db.workspace.update({ where: { id: other.workspaceId }, data: { contentLogging: false } });
    const at = { ...other.context, caller: keyCaller(other, (await createKey(other)).id) };
    await chat({ model: "sandbox/echo", messages }, at);
    expect(await stored(at)).toMatchObject({ contentStored: false, content: null });
  });
});

describe("a streamed answer", () => {
  it("of chat completions ends with usage and [DONE], after it was recorded", async () => {
    const at = fresh();
    const answer = await chat(
      { model: "sandbox/echo", messages, stream: true, stream_options: { include_usage: true } },
      at,
    );
    const events = await eventsOf(answer);
    expect(events.at(-1)?.data).toBe("[DONE]");
    const chunks = events
      .slice(0, -1)
      .map(
        ({ data }) => JSON.parse(data) as { id: string; choices: { delta: { content?: string } }[]; usage?: object },
      );
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("You said: hello big world");
    expect(chunks.at(-1)).toMatchObject({
      id: at.headers.get("x-generation-id"),
      choices: [],
      usage: { total_tokens: 8, cost: 0.000009 },
    });
    expect(await stored(at)).toMatchObject({ status: "succeeded", streamed: true, costMicroUsd: 9n });
  });

  it("of Responses follows the documented event sequence", async () => {
    const events = await eventsOf(await respond({ model: "sandbox/reasoner", input: "hi", stream: true }));
    const types = events.map(({ event }) => event);
    expect(types.slice(0, 4)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
    ]);
    expect(types.slice(-4)).toEqual([
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const bodies = events.map(({ data }) => JSON.parse(data) as { sequence_number: number });
    expect(bodies.map(({ sequence_number }) => sequence_number)).toEqual(bodies.map((_, index) => index));
  });

  it("starts with the upstream body when debug requests it", async () => {
    const events = await eventsOf(
      await respond({
        model: "sandbox/echo",
        input: "hi",
        stream: true,
        debug: { echo_upstream_body: true },
        safety_identifier: "secret",
      }),
    );
    expect(events[0]?.event).toBe("response.debug");
    expect(JSON.parse(events[0]?.data ?? "")).toMatchObject({
      debug: { echo_upstream_body: { model: "sandbox/echo", messages: [{ role: "user", content: "hi" }] } },
    });
    expect(events[0]?.data).not.toContain("secret");
  });

  it.each([1, 3, 50])("abandoned after %i events is recorded once, as cancelled", async (count) => {
    const at = fresh();
    const answer = await chat(
      { model: "sandbox/echo", messages: [{ role: "user", content: "word ".repeat(500) }], stream: true },
      at,
    );
    if (!(answer instanceof EventStream)) throw new Error("expected a stream");
    const reader = answer.body.getReader();
    for (let read = 0; read < count; read++) await reader.read();
    await reader.cancel();
    expect(await stored(at)).toMatchObject({ status: "cancelled", errorStatus: null });
  });

  it("that is never read is recorded as cancelled", async () => {
    const at = fresh();
    const answer = await chat({ model: "sandbox/echo", messages, stream: true }, at);
    if (answer instanceof EventStream) await answer.body.cancel();
    expect(await stored(at)).toMatchObject({ status: "cancelled" });
  });

  it("whose client disconnects is recorded as cancelled", async () => {
    const client = new AbortController();
    const at = fresh({ signal: client.signal });
    const answer = await chat(
      { model: "sandbox/echo", messages: [{ role: "user", content: "word ".repeat(500) }], stream: true },
      at,
    );
    if (!(answer instanceof EventStream)) throw new Error("expected a stream");
    const reader = answer.body.getReader();
    await reader.read();
    client.abort();
    while (!(await reader.read()).done);
    expect(await stored(at)).toMatchObject({ status: "cancelled" });
  });
});

describe("failures", () => {
  it("an unavailable upstream is a 502, recorded with its message", async () => {
    const at = fresh();
    const { status, metadata } = await failure(respond({ model: "sandbox/unavailable", input: "hi" }, at));
    expect({ status, metadata }).toMatchObject({
      status: 502,
      metadata: { provider_name: "Sandbox", previous_errors: [] },
    });
    const row = await stored(at);
    expect(row).toMatchObject({
      status: "failed",
      errorStatus: 502,
      errorMessage: "The model is overloaded",
      costMicroUsd: 0n,
      attempts: [{ status: 503 }],
    });
    expect(row.content).toMatchObject({
      completion: null,
      error: {
        message: "The model is overloaded",
        status: 502,
        provider_name: "Sandbox",
        raw: expect.stringContaining("overloaded") as string,
        previous_errors: [],
      },
    });
  });

  it("falls back to the next model and records both attempts", async () => {
    const at = fresh();
    const answer = await respond({ model: "sandbox/unavailable", models: ["sandbox/echo"], input: "hi" }, at);
    expect(answer).toMatchObject({ model: "sandbox/echo", output_text: "You said: hi" });
    expect(await stored(at)).toMatchObject({
      requestedModel: "sandbox/unavailable",
      model: "sandbox/echo",
      attempts: [{ status: 503 }, { status: 200 }],
    });
  });

  it("returns the first upstream's error when fallbacks are not allowed", async () => {
    const refused = await failure(
      respond({
        model: "sandbox/unavailable",
        models: ["sandbox/echo"],
        provider: { allow_fallbacks: false },
        input: "hi",
      }),
    );
    expect(refused.status).toBe(502);
  });

  it("an unknown model is a 404 naming the model, and a failed generation", async () => {
    const at = fresh();
    expect(await failure(chat({ model: "nobody/knows", messages }, at))).toMatchObject({
      status: 404,
      metadata: { requested_models: ["nobody/knows"], excluded: [] },
    });
    expect(await stored(at)).toMatchObject({ status: "failed", errorStatus: 404, content: { input: { messages } } });
  });

  it("preferences without a matching endpoint are a 404 naming the field that excluded each", async () => {
    expect(await failure(chat({ model: "sandbox/echo", messages, provider: { ignore: ["sandbox"] } }))).toMatchObject({
      status: 404,
      metadata: {
        excluded: [
          { model: "sandbox/echo", provider: "sandbox", excluded_by: [{ scope: "request", field: "ignore" }] },
        ],
      },
    });
  });

  it.each([
    ["no model", { input: "hi" }, "model"],
    ["no input", { model: "sandbox/echo" }, "input"],
    [
      "a reference to an item, which isn't stored",
      { model: "sandbox/echo", input: [{ type: "item_reference", id: "msg_1" }] },
      ["input", 0],
    ],
    ["too many models", { input: "hi", models: Array.from({ length: 101 }, (_, index) => `m/${index}`) }, "models"],
  ])("%s is a 400", async (_name, request, path) => {
    expect(await failure((async () => respond(request))())).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: [path].flat() }] },
    });
  });

  it("models of another organization are unknown", async () => {
    const other = await testWorld();
    const at = { ...other.context, caller: keyCaller(other, (await createKey(other)).id) };
    expect((await failure(chat({ model: "sandbox/echo", messages }, at))).status).toBe(404);
  });
});
