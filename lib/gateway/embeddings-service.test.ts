import type { IncomingMessage } from "node:http";
import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../platform/context";
import { EventStream } from "../platform/http/event-stream";
import { uuidv7 } from "../platform/ids";
import { createSandbox } from "../server/bootstrap";
import { createKey, keyCaller } from "../testing/factories";
import { failure } from "../testing/expect-failure";
import { createModel, createProvider } from "../testing/providers";
import { NOW, testWorld, type World } from "../testing/test-context";
import { startUpstream } from "../testing/upstream";
import { EmbeddingsBody } from "./embeddings-contract";
import * as embeddings from "./embeddings-service";

let world: World;
let context: Context;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
/** Requests that the upstream received, and its responses by path. */
let sent: { path: string | undefined; body: Record<string, unknown> }[] = [];
let answer: { status: number; body: unknown };

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
}

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    void bodyOf(request).then((body) => {
      sent.push({ path: request.url, body });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
    });
  });
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  const providerId = await createProvider(world, { baseUrl: upstream.baseUrl });
  await createModel(world, { slug: "acme/embed", providerId });
  const responses = await createProvider(world, { slug: "respond", baseUrl: upstream.baseUrl });
  await world.context.db.provider.update({ where: { id: responses }, data: { protocol: "responses" } });
  await createModel(world, { slug: "respond/embed", providerId: responses });
  const settings = { ...world.context.settings, allowPrivateUpstreams: true };
  context = { ...world.context, settings, caller: keyCaller(world, (await createKey(world)).id) };
});
afterAll(() => upstream.stop());

const vectors = (...embedding: (readonly number[] | string)[]) => ({
  status: 200,
  body: {
    object: "list",
    data: embedding.map((one, index) => ({ object: "embedding", index, embedding: one })),
    usage: { prompt_tokens: 1_000_000, total_tokens: 1_000_000 },
  },
});
beforeEach(() => {
  sent = [];
  answer = vectors([1, 0.5], [0, -1]);
});

const fresh = (): Context => ({ ...context, headers: new Headers() });
const create = async (request: object, at = fresh()) => {
  const result = await embeddings.create(at, { params: {}, query: {}, body: EmbeddingsBody.parse(request) });
  if (result instanceof EventStream) throw new Error("expected no stream");
  return result;
};
const stored = ({ headers, db }: Context) =>
  db.generation.findFirstOrThrow({
    where: { id: headers.get("x-generation-id") ?? "" },
    include: { content: true, decisions: true },
  });

it.each(["acme/embed", "respond/embed"])("of %s are requested, charged and recorded", async (model) => {
  const at = fresh();
  const result = await create({ model, input: ["one", "two"], dimensions: 2, user: "u1", temperature: 1 }, at);
  expect(result).toMatchObject({
    object: "list",
    id: at.headers.get("x-generation-id"),
    model,
    data: [
      { object: "embedding", index: 0, embedding: [1, 0.5] },
      { object: "embedding", index: 1, embedding: [0, -1] },
    ],
    usage: { prompt_tokens: 1_000_000, total_tokens: 1_000_000, cost: 1 },
  });
  expect(sent).toEqual([
    {
      path: "/v1/embeddings",
      body: {
        model,
        input: ["one", "two"],
        encoding_format: "float",
        dimensions: 2,
        user: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    },
  ]);
  const row = await stored(at);
  expect(row).toMatchObject({ status: "succeeded", model, costMicroUsd: 1_000_000n, tokensPrompt: 1_000_000 });
  expect(row).toMatchObject({ externalUser: "u1", finishReason: "stop", apiType: "embeddings" });
});

describe("the encoding", () => {
  const base64 = Buffer.from(new Float32Array([1, 0.5]).buffer).toString("base64");
  it.each<[string, "float" | "base64", number[] | string, unknown]>([
    ["numbers", "float", [1, 0.5], [1, 0.5]],
    ["base64", "base64", base64, base64],
    ["base64 of an upstream that only has numbers", "base64", [1, 0.5], base64],
    ["numbers of an upstream that only has base64", "float", base64, [1, 0.5]],
  ])("%s", async (_name, encoding_format, given, expected) => {
    answer = vectors(given);
    const { data } = await create({ model: "acme/embed", input: "one", encoding_format });
    expect(data[0]?.embedding).toEqual(expected);
  });
});

it("token numbers are sent as the text they spell", async () => {
  await create({ model: "acme/embed", input: [encode("hello world"), encode("über")] });
  expect(sent[0]?.body["input"]).toEqual(["hello world", "über"]);
  answer = vectors([1]);
  await create({ model: "acme/embed", input: encode("one") });
  expect(sent[1]?.body["input"]).toEqual(["one"]);
});

it("guardrails redact and block inputs, and budgets apply", async () => {
  const { db } = context;
  const guardrail = await db.guardrail.create({
    data: {
      id: uuidv7(NOW),
      workspaceId: world.workspaceId,
      name: "G",
      contentFilterBuiltins: [
        { slug: "email", action: "redact", scan_scope: "all_messages", scope: "request" },
        { slug: "ssn", action: "block", scan_scope: "all_messages", scope: "request" },
      ],
    },
  });
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: guardrail.id } });
  try {
    const at = fresh();
    await create({ model: "acme/embed", input: ["write to ann@example.com", "two"] }, at);
    expect(sent[0]?.body["input"]).toEqual(["write to [EMAIL]", "two"]);
    expect((await stored(at)).decisions).toMatchObject([{ action: "redact" }]);
    const spelled = encode("my ssn is 536-22-8726");
    const blocked = await failure(create({ model: "acme/embed", input: [spelled] }));
    expect(blocked.status).toBe(403);
    expect(sent).toHaveLength(1);
    await db.guardrail.update({
      where: { id: guardrail.id },
      data: { limitMicroUsd: 1n, resetInterval: "daily", contentFilterBuiltins: [] },
    });
    answer = vectors([1]);
    await create({ model: "acme/embed", input: "one" });
    const poor = await failure(create({ model: "acme/embed", input: "one" }));
    expect(poor).toMatchObject({ status: 403, metadata: { budgets: expect.any(Array) as unknown } });
  } finally {
    await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: null } });
  }
});

describe("failures", () => {
  it.each<[string, unknown]>([
    ["one embedding too few", vectors([1]).body],
    ["no list", { object: "list" }],
    ["a vector of words", vectors(["a"] as never, [1]).body],
  ])("an answer with %s is a 502", async (_name, body) => {
    answer = { status: 200, body };
    const at = fresh();
    expect((await failure(create({ model: "acme/embed", input: ["one", "two"] }, at))).status).toBe(502);
    expect(await stored(at)).toMatchObject({ status: "failed" });
  });

  it("an upstream's error keeps its class, and another model is tried", async () => {
    answer = { status: 429, body: { error: { message: "slow down" } } };
    expect(await failure(create({ model: "acme/embed", input: "one" }))).toMatchObject({
      status: 429,
      metadata: { raw: expect.stringContaining("slow down") as string },
    });
    expect(await create({ model: "acme/embed", models: ["sandbox/echo"], input: "one" })).toMatchObject({
      model: "sandbox/echo",
    });
  });
});

it("the sandbox embeds a text always alike", async () => {
  const request = { model: "sandbox/echo", input: ["one two", "three", "one two"], dimensions: 3 };
  const { data, usage } = await create(request);
  expect(data.map(({ embedding }) => embedding.length)).toEqual([3, 3, 3]);
  expect(data[0]?.embedding).toEqual(data[2]?.embedding);
  expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
  expect(usage.prompt_tokens).toBe(5);
});
