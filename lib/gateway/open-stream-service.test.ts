import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { MessagesBody } from "../engine/protocols/contracts/messages-request-contract";
import * as guardrails from "../features/guardrails/service";
import { ApiError } from "../platform/api-error";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { PlainSignal } from "../platform/signal";
import { TEST_SETTINGS } from "../testing/context";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { streamedData } from "../testing/streamed-events";
import { testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { create as createMessage } from "./messages-service";
import { openStream } from "./open-stream-service";
import * as inference from "./service";

let world: World;
beforeAll(async () => {
  world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true, streamKeepAliveMs: 100 } });
});

/** A promise that `go` resolves. */
function gate(): { opened: Promise<void>; go: () => void } {
  let go = (): void => undefined;
  const opened = new Promise<void>((resolve) => (go = resolve));
  return { opened, go };
}

type Answer = (response: ServerResponse, call: number) => void;

let models = 0;
/** Creates a model. `called` resolves when its upstream has received a request. */
async function modelWith(answer: Answer): Promise<{ model: string; called: Promise<void> }> {
  let calls = 0;
  const { opened: called, go: noteCall } = gate();
  const { url } = await upstreamServer((request, response) => {
    request.resume().on("end", () => {
      noteCall();
      answer(response, (calls += 1));
    });
  });
  models += 1;
  const slug = `late/${models}`;
  const providerId = await createProvider(world, { slug: `late-${models}`, baseUrl: url });
  await createModel(world, { slug, providerId });
  return { model: slug, called };
}

async function at(overrides: Partial<Context> = {}): Promise<Context> {
  const key = await createKey(world);
  return { ...world.context, caller: keyCaller(world, key.id), headers: new Headers(), ...overrides };
}
const messages = [{ role: "user", content: "hi" }];
const chat = (context: Context, model: string) =>
  inference.createChatCompletion(context, {
    params: {},
    query: {},
    body: ChatCompletionsBody.parse({ model, messages, stream: true }),
  });
const respond = (context: Context, model: string) =>
  inference.createResponse(context, {
    params: {},
    query: {},
    body: ResponsesBody.parse({ model, input: "hi", stream: true }),
  });
const message = (context: Context, model: string) =>
  createMessage(context, {
    params: {},
    query: {},
    body: MessagesBody.parse({ model, messages, stream: true, max_tokens: 9 }),
  });

const streamOf = (answer: unknown): EventStream => {
  if (!(answer instanceof EventStream)) throw new Error("expected a stream");
  return answer;
};
async function textOf(answer: unknown): Promise<string> {
  let text = "";
  for await (const part of streamOf(answer).content) text += part;
  return text;
}
const generationOf = ({ headers }: Context) =>
  world.context.db.generation.findFirstOrThrow({ where: { id: headers.get("x-generation-id") ?? "" } });

const said = (content: string, finish_reason: string | null = "stop") =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;
const stream = (response: ServerResponse, ...parts: string[]) =>
  response.writeHead(200, { "content-type": "text/event-stream" }).end(parts.join(""));
const refuse = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: text } }));

describe("a stream whose answer hasn't begun in time", () => {
  it.each([
    ["chat completion", chat, ": keep-alive\n\n"],
    ["response", respond, ": keep-alive\n\n"],
    ["message", message, 'event: ping\ndata: {"type": "ping"}\n\n'],
  ])(
    "is opened for a %s with the generation's id and a keep-alive, and has the whole answer",
    async (_, send, text) => {
      const { opened, go } = gate();
      const { model } = await modelWith((response) => void opened.then(() => stream(response, said("Hello"))));
      const context = await at();
      const answer = streamOf(await send(context, model));
      expect(answer.content.keepAlive).toEqual({ text, ms: 100 });
      const { headers } = context;
      expect(headers.get("x-generation-id")).toMatch(/^gen-/);
      go();
      expect(await textOf(answer)).toContain("Hello");
      expect((await generationOf(context)).status).toBe("succeeded");
    },
  );

  it("still tries the next candidate", async () => {
    const { opened, go } = gate();
    const first = await modelWith((response) => void opened.then(() => refuse(response, 503, "busy")));
    const second = await modelWith((response) => void stream(response, said("Second")));
    const body = ChatCompletionsBody.parse({ model: first.model, models: [second.model], messages, stream: true });
    const context = await at();
    const answer = await inference.createChatCompletion(context, { params: {}, query: {}, body });
    go();
    expect(await textOf(answer)).toContain("Second");
    expect(await generationOf(context)).toMatchObject({ status: "succeeded", model: second.model });
  });

  it.each([
    [
      "chat completion",
      chat,
      { error: { code: 429, message: "slow down", metadata: { raw: expect.stringContaining("slow down") as string } } },
    ],
    [
      "response",
      respond,
      { type: "response.failed", response: { error: { code: "rate_limit_exceeded", message: "slow down" } } },
    ],
    ["message", message, { type: "error", error: { type: "rate_limit_error", message: "slow down" } }],
  ])("ends with the error of the upstream for a %s", async (_, send, error) => {
    const { opened, go } = gate();
    const { model } = await modelWith((response) => void opened.then(() => refuse(response, 429, "slow down")));
    const context = await at();
    const answer = await send(context, model);
    go();
    expect(streamedData(await textOf(answer)).at(-1)).toMatchObject(error);
    expect((await generationOf(context)).status).toBe("failed");
  });

  it("ends with the denial when a filter blocks the answer", async () => {
    const { opened, go } = gate();
    const { model } = await modelWith((response) => void opened.then(() => stream(response, said("the secret"))));
    const { id } = (
      await guardrails.create(world.context, {
        params: {},
        query: {},
        body: {
          name: "Secrets",
          content_filters: [{ pattern: "secret", action: "block", label: "[S]", scope: "response" }],
        },
      })
    ).data;
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
    try {
      const context = await at();
      const answer = await chat(context, model);
      go();
      const text = await textOf(answer);
      expect(text).not.toContain("the secret");
      expect(streamedData(text).slice(-2)).toMatchObject([
        { error: { code: 403, message: "Response blocked by content filter: [S]" } },
        { choices: [{ finish_reason: "content_filter" }] },
      ]);
      expect((await generationOf(context)).status).toBe("blocked");
    } finally {
      await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: null } });
    }
  });

  it("is recorded as cancelled when its client disconnects", async () => {
    const { model, called } = await modelWith(() => undefined);
    const signal = new PlainSignal();
    const context = await at({ signal });
    const answer = streamOf(await chat(context, model));
    await called;
    const parts = answer.content[Symbol.asyncIterator]();
    const next = parts.next();
    signal.abort();
    await parts.return?.();
    await next;
    expect((await generationOf(context)).status).toBe("cancelled");
  });
});

it("a request that policy denies keeps its status however long that takes", async () => {
  const answer = setTimeout(400).then(() => Promise.reject(new ApiError(403, "Request blocked")));
  const opened = openStream(await at(), answer, { text: ": keep-alive\n\n", ms: 1 }, () => {
    throw new Error("nothing was opened");
  });
  await expect(opened).rejects.toMatchObject({ status: 403 });
});

it("an upstream that fails in time keeps its status", async () => {
  const { model } = await modelWith((response) => void refuse(response, 429, "slow down"));
  await expect(chat(await at(), model)).rejects.toMatchObject({ status: 429 });
});
