import type { ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { NO_KEY_LIMIT, type KeyLimit } from "../engine/budgets/budget-rule";
import { MessagesBody } from "../engine/protocols/contracts/messages-request-contract";
import { Message, MessageStreamEvent } from "../engine/protocols/contracts/messages-result-contract";
import { sseEvent } from "../engine/protocols/server-sent-events";
import * as guardrails from "../features/guardrails/service";
import type { Context } from "../platform/context";
import { assignKeys } from "../records/guardrails/assignment-changes-service";
import type { CreateGuardrailBody } from "../records/guardrails/contract";
import * as presets from "../records/presets/service";
import type { Prices } from "../engine/endpoint";
import { createSandbox } from "../server/bootstrap";
import { anthropicUpstream, API_KEY, type AnthropicAnswer } from "../testing/anthropic-upstream";
import { CLAUDE_CODE_REQUESTS } from "../testing/claude-code-requests";
import { failure } from "../testing/expect-failure";
import { createKey, keyCaller } from "../testing/factories";
import { WHOLE } from "../testing/golden-messages";
import { createModel, createProvider } from "../testing/providers";
import { streamedEvents } from "../testing/streamed-events";
import { TEST_SETTINGS } from "../testing/context";
import { NOW, testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import * as providers from "../records/providers/service";
import { countTokens, create } from "./messages-service";

let world: World;
let count = 0;

beforeAll(async () => {
  world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  await createSandbox(world.context.db, world.organizationId, NOW);
});

type Body = Record<string, unknown>;
type PriceDetails = NonNullable<Prices["details"]>;

interface Sending {
  guardrail?: Partial<CreateGuardrailBody>;
  limit?: KeyLimit;
}

/** Creates a key under a guardrail or with a limit. */
async function sender({ guardrail, limit = NO_KEY_LIMIT }: Sending = {}) {
  const key = await createKey(world);
  if (guardrail) {
    const body = { name: "Guard", ...guardrail };
    const { id } = (await guardrails.create(world.context, { params: {}, query: {}, body })).data;
    const assigned = { params: { id }, query: { dry_run: "false" as const }, body: { key_hashes: [key.hash] } };
    await assignKeys(world.context, assigned);
  }
  const caller = { ...keyCaller(world, key.id), limit };
  const fresh = (): Context => ({ ...world.context, caller, headers: new Headers() });
  return {
    keyId: key.id,
    send: async (body: object) => {
      const context = fresh();
      const answer = await create(context, { params: {}, query: {}, body: MessagesBody.parse(body) });
      return { answer, id: context.headers.get("x-generation-id") ?? "" };
    },
    count: (body: object) => countTokens(fresh(), { params: {}, query: {}, body: MessagesBody.parse(body) }),
  };
}

const recordOf = (id: string) =>
  world.context.db.generation.findFirstOrThrow({ where: { id }, include: { decisions: true, content: true } });

async function modelOf(providerId: string, priceDetails?: PriceDetails): Promise<string> {
  const slug = `acme/messages-${(count += 1)}`;
  await createModel(world, { slug, providerId });
  if (priceDetails) await world.context.db.endpoint.updateMany({ where: { providerId }, data: { priceDetails } });
  return slug;
}

/** Creates a model of an upstream that accepts only what Anthropic's API accepts. */
async function messagesModel(answer: AnthropicAnswer, priceDetails?: PriceDetails) {
  const { url, taken, problems } = await anthropicUpstream(() => answer);
  const slug = `messages-${(count += 1)}`;
  const body = { slug, name: slug, base_url: url, kind: "anthropic" as const, api_key: API_KEY };
  await providers.create(world.context, { params: {}, query: {}, body });
  const { id } = await world.context.db.provider.findFirstOrThrow({ where: { slug } });
  return { model: await modelOf(id, priceDetails), taken, problems };
}

const CHAT_USAGE = { prompt_tokens: 1000, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 400 } };
const chunk = (fields: object) => ({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", ...fields });
const PLACE = { item_id: "m", output_index: 0, content_index: 0 };

/** Streams of upstreams whose response is converted. */
const STREAMS = {
  chat_completions: [
    chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "Hello" }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage: CHAT_USAGE }),
  ].map((one) => sseEvent(one)),
  responses: [
    { type: "response.output_text.delta", ...PLACE, delta: "Hello" },
    {
      type: "response.completed",
      response: {
        id: "r",
        object: "response",
        status: "completed",
        output: [],
        usage: { input_tokens: 1000, output_tokens: 7, input_tokens_details: { cached_tokens: 400 } },
      },
    },
  ].map((one) => sseEvent(one, one.type)),
} as const;

/** Creates a model whose upstream streams in another protocol, and keeps the requests. */
async function convertedModel(protocol: keyof typeof STREAMS, priceDetails?: PriceDetails) {
  const taken: Body[] = [];
  const { url } = await upstreamServer((request, response) => {
    void json(request).then((body) => {
      taken.push(body as Body);
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of STREAMS[protocol]) response.write(event);
      response.end();
    });
  });
  const providerId = await createProvider(world, { slug: `converted-${(count += 1)}`, baseUrl: url, protocol });
  return { model: await modelOf(providerId, priceDetails), taken };
}

const messages = [{ role: "user", content: "Hello, what is the weather in Rome?" }];
const tool = (name: string, description: string) => ({ name, description, input_schema: { type: "object" } });

describe("a preset", () => {
  it("is merged into a request, which needs no `max_tokens` then", async () => {
    const { model, taken, problems } = await messagesModel({ message: WHOLE });
    const slug = `preset-${(count += 1)}`;
    const stored = {
      model,
      max_tokens: 50,
      system: "Be kind.",
      temperature: 0.5,
      tools: [tool("f", "the preset's"), tool("g", "the preset's")],
      thinking: { type: "disabled" },
      messages,
    };
    const { data } = await presets.createFromMessages(world.context, {
      params: { slug },
      query: {},
      body: MessagesBody.parse(stored),
    });
    const { send } = await sender();
    const system = [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }];
    const { id } = await send({ model: `@preset/${slug}`, system, tools: [tool("f", "the request's")], messages });
    expect(problems).toEqual([]);
    expect(taken[0]?.body).toEqual({
      ...stored,
      stream: false,
      system: [{ type: "text", text: "Be kind." }, ...system],
      tools: [tool("f", "the request's"), tool("g", "the preset's")],
    });
    expect(await recordOf(id)).toMatchObject({ presetId: data.id, presetVersion: 1, apiType: "messages" });
  });
});

describe("a redacted request", () => {
  const body = {
    max_tokens: 50,
    system: [{ type: "text", text: "The code is XYZ-1." }],
    tools: [tool("f", "Opens XYZ-2.")],
    messages: [
      { role: "user", content: "Open XYZ-3" },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "f", input: { code: "XYZ-4" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "XYZ-5 is open" }] },
    ],
  };

  it.each<[string, () => Promise<{ model: string; taken: object[] }>]>([
    ["messages", () => messagesModel({ message: WHOLE })],
    ["chat_completions", () => convertedModel("chat_completions")],
    ["responses", () => convertedModel("responses")],
  ])("reaches a %s upstream without what a filter finds, wherever it is", async (protocol, modelAt) => {
    const { model, taken } = await modelAt();
    const { send } = await sender({
      guardrail: { content_filters: [{ pattern: "XYZ-[0-9]+", label: "[CODE]", action: "redact" }] },
    });
    const { answer, id } = await send({ ...body, model, stream: protocol !== "messages" });
    if (protocol !== "messages") await streamedEvents(answer);
    const received = JSON.stringify(taken.map((one) => ("body" in one ? one.body : one)));
    expect(received).not.toContain("XYZ");
    expect(received.match(/\[CODE\]/g)).toHaveLength(5);
    const { decisions } = await recordOf(id);
    const spans = decisions.flatMap(({ spans: found }) => found as { path: unknown[] }[]);
    expect(spans.map(({ path }) => path.join("."))).toEqual(
      expect.arrayContaining([
        "system.0.text",
        "tools.0.description",
        "messages.0.content",
        "messages.1.content.0.input.[property name]",
        "messages.2.content.0.content",
      ]),
    );
  });
});

describe("a budget", () => {
  it.each([
    [1, false],
    [2000, true],
  ])("is reserved by a `max_tokens` of %i, and charged what the upstream reports", async (max_tokens, isReserved) => {
    const waiting: ServerResponse[] = [];
    const { url } = await upstreamServer((_request, response) => waiting.push(response));
    const protocol = "messages";
    const model = await modelOf(await createProvider(world, { slug: `slow-${(count += 1)}`, baseUrl: url, protocol }));
    const { send, keyId } = await sender({ limit: { ...NO_KEY_LIMIT, limitMicroUsd: 4000n } });
    const first = send({ model, messages, max_tokens });
    await expect.poll(() => waiting.length).toBe(1);
    const second = send({ model: "sandbox/echo", messages, max_tokens: 1 });
    if (isReserved) expect(await failure(second)).toMatchObject({ status: 403, metadata: { budgets: [{}] } });
    else await second;
    waiting[0]?.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(WHOLE));
    expect(await recordOf((await first).id)).toMatchObject({ costMicroUsd: 1350n });
    const { budget, budgetLease } = world.context.db;
    const { _sum: spent } = await budget.aggregate({ where: { subjectId: keyId }, _sum: { spentMicroUsd: true } });
    expect(spent.spentMicroUsd).toBe(isReserved ? 1350n : 1355n);
    const reserved = async () => {
      const { _sum } = await budgetLease.aggregate({
        where: { budget: { subjectId: keyId } },
        _sum: { reservedMicroUsd: true },
      });
      return _sum.reservedMicroUsd ?? 0n;
    };
    await expect.poll(reserved).toBe(0n);
  });
});

describe("usage", () => {
  const prices: PriceDetails = { cache_read: "0.1", cache_write: "1.2", cache_write_1h: "2" };

  it("of a Messages upstream is priced by its caches", async () => {
    const { model } = await messagesModel({ message: WHOLE }, prices);
    const { answer, id } = await (await sender()).send({ model, messages, max_tokens: 100 });
    expect(answer).toMatchObject({ usage: { ...WHOLE.usage, cost: 0.00061 } });
    expect(await recordOf(id)).toMatchObject({ costMicroUsd: 610n, tokensPrompt: 1230, tokensCompletion: 60 });
  });

  it.each(["chat_completions", "responses"] as const)(
    "of a %s upstream is estimated when the stream begins, and exact at its end",
    async (protocol) => {
      const { model } = await convertedModel(protocol, prices);
      const { send, count: estimate } = await sender();
      const body = { model, messages, max_tokens: 100 };
      const { answer, id } = await send({ ...body, stream: true });
      const events = await streamedEvents(answer);
      const { input_tokens } = await estimate(body);
      expect(input_tokens).toBeGreaterThan(0);
      expect(events[0]).toMatchObject({ type: "message_start", message: { usage: { output_tokens: 0 } } });
      const { usage } = events[0]?.["message"] as Message;
      expect(usage.input_tokens).toBeGreaterThan(0);
      expect(usage.input_tokens).toBeLessThan(100);
      expect(events.at(-2)).toMatchObject({
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { input_tokens: 600, cache_read_input_tokens: 400, output_tokens: 7, cost: 0.000654 },
      });
      expect(await recordOf(id)).toMatchObject({ costMicroUsd: 654n, tokensPrompt: 1000, tokensCompletion: 7 });
    },
  );
});

describe("Claude Code, with the sandbox", () => {
  it.each(Object.entries(CLAUDE_CODE_REQUESTS))("gets an answer to %s", async (_name, body) => {
    const { answer, id } = await (await sender()).send({ ...body, model: "sandbox/reasoner" });
    if ("stream" in body) {
      const events = await streamedEvents(answer);
      for (const event of events) expect(MessageStreamEvent.safeParse(event).error?.issues ?? []).toEqual([]);
      expect(events[0]).toMatchObject({ type: "message_start", message: { id, role: "assistant" } });
      expect(events.slice(-2)).toMatchObject([{ type: "message_delta" }, { type: "message_stop" }]);
    } else expect(Message.parse(answer)).toMatchObject({ id, role: "assistant" });
    expect(await recordOf(id)).toMatchObject({ status: "succeeded", apiType: "messages" });
  });

  it("may call a tool that its user asks for", async () => {
    const turn = CLAUDE_CODE_REQUESTS["the first turn"];
    const question = [{ role: "user", content: [{ type: "text", text: "Read the file" }] }];
    const { answer } = await (await sender()).send({ ...turn, model: "sandbox/echo", messages: question });
    const events = await streamedEvents(answer);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "content_block_start",
        content_block: expect.objectContaining({ type: "tool_use", name: "Read" }) as unknown,
      }),
    );
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
  });
});

it("a thread that isn't stored is reported as Anthropic's SDK expects it, which replays the history", async () => {
  const { send } = await sender();
  const thread = { type: "continue", previous_message_id: "gen-1-a" };
  expect(await failure(send({ model: "sandbox/echo", max_tokens: 9, messages, thread }))).toMatchObject({
    status: 404,
    metadata: { details: { error_code: "thread_not_found" } },
  });
});
