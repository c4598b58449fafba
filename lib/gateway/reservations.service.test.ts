import { describe, expect, it } from "vitest";
import { NO_KEY_LIMIT } from "../engine/budgets/budget-rule";
import type { Context } from "../platform/context";
import { billedRatios } from "../records/providers/billed-ratios";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { TEST_SETTINGS } from "../testing/context";
import { testWorld } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { create as createEmbeddings } from "./embeddings-service";
import { EmbeddingsBody } from "./embeddings-contract";
import { createChatCompletion } from "./service";

type Sent = Record<string, unknown>;

/** Creates an upstream that responds when all requests have been decided, and a key with a limit. */
async function scene(limitMicroUsd: bigint, answer: (sent: Sent) => object) {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  let answerAll: () => void = () => undefined;
  const decided = new Promise<void>((resolve) => void (answerAll = resolve));
  const sent: Sent[] = [];
  const { url } = await upstreamServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      const body = JSON.parse(text) as Sent;
      sent.push(body);
      void decided.then(() => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(body)));
      });
    });
  });
  const providerId = await createProvider(world, { baseUrl: url });
  await createModel(world, { slug: "acme/one", providerId });
  const { id } = await createKey(world);
  const caller = { ...keyCaller(world, id), limit: { ...NO_KEY_LIMIT, limitMicroUsd } };
  /** Sends requests concurrently; returns how many were admitted. */
  const together = async (count: number, ask: (context: Context) => Promise<unknown>): Promise<number> => {
    let refused = 0;
    const before = sent.length;
    const answers = Array.from({ length: count }, () =>
      ask({ ...world.context, caller, headers: new Headers() }).catch(() => (refused += 1)),
    );
    await expect.poll(() => refused + sent.length - before).toBe(count);
    answerAll();
    await Promise.all(answers);
    return sent.length - before;
  };
  const spent = async () => {
    const { _sum } = await world.context.db.budget.aggregate({
      where: { subjectId: id },
      _sum: { spentMicroUsd: true },
    });
    return Number(_sum.spentMicroUsd);
  };
  return { world, providerId, sent, together, spent };
}

/** Writes as much as an upstream that knows only the older name of the limit. */
const written = ({ max_tokens = 32_000 }: Sent) => ({
  id: "1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "length" }],
  usage: { prompt_tokens: 10, completion_tokens: max_tokens, total_tokens: 10 + Number(max_tokens) },
});

it("web searches are charged at their price", async () => {
  const searched = () => ({
    ...written({ max_tokens: 1 }),
    usage: { prompt_tokens: 10, completion_tokens: 1, server_tool_use: { web_search_requests: 3 } },
  });
  const { world, providerId, together, spent } = await scene(1_000_000n, searched);
  const priceDetails = { web_search: "0.01" };
  await world.context.db.endpoint.updateMany({ where: { providerId }, data: { priceDetails } });
  const messages = [{ role: "user", content: "Hi" }];
  const body = ChatCompletionsBody.parse({ model: "acme/one", messages, max_tokens: 1, web_search_options: {} });
  await together(1, (context) => createChatCompletion(context, { params: {}, query: {}, body }));
  expect(await spent()).toBe(10 + 2 + 30_000);
});

it("the billed size of a document says nothing about prompts of text", async () => {
  const large = () => ({ ...written({ max_tokens: 1 }), usage: { prompt_tokens: 45_000, completion_tokens: 1 } });
  const { world, providerId, together } = await scene(1_000_000n, large);
  const { id } = await world.context.db.endpoint.findFirstOrThrow({ where: { providerId } });
  const file = { type: "file", file: { file_data: "https://a.example/a.pdf" } };
  const body = (content: unknown) =>
    ChatCompletionsBody.parse({ model: "acme/one", messages: [{ role: "user", content }], max_tokens: 1 });
  const ask = (content: unknown) => (context: Context) =>
    createChatCompletion(context, { params: {}, query: {}, body: body(content) });
  await together(1, ask([{ type: "text", text: "Summarize" }, file]));
  expect(billedRatios.ratios.get(id)).toBeUndefined();
  await together(1, ask("Hi"));
  expect(billedRatios.ratios.get(id)).toBeDefined();
});

describe("of requests at once, no more are admitted than the limit and one reservation pay for", () => {
  it.each([
    ["the older limit", { max_tokens: 32_000 }],
    ["a limit that the upstream ignores", { max_completion_tokens: 1 }],
  ])("with %s", async (_name, limits) => {
    const { together } = await scene(1000n, written);
    const body = ChatCompletionsBody.parse({
      model: "acme/one",
      messages: [{ role: "user", content: "Hi" }],
      ...limits,
    });
    expect(await together(20, (context) => createChatCompletion(context, { params: {}, query: {}, body }))).toBe(1);
  });

  it("with batches of embeddings, each longer than one context", async () => {
    const embedded = ({ input }: Sent) => ({
      object: "list",
      data: (input as unknown[]).map((_, index) => ({ object: "embedding", index, embedding: [0.1] })),
      usage: { prompt_tokens: 4000, total_tokens: 4000 },
    });
    const { world, providerId, together, spent } = await scene(10_000n, embedded);
    await world.context.db.model.updateMany({
      where: { endpoints: { some: { providerId } } },
      data: { contextLength: 100 },
    });
    const input = Array.from({ length: 40 }, () => "word ".repeat(100));
    const body = EmbeddingsBody.parse({ model: "acme/one", input });
    const ask = (context: Context) => createEmbeddings(context, { params: {}, query: {}, body });
    expect(await together(6, ask)).toBe(3);
    expect(await spent()).toBe(12_000);
  });

  it("with two limits, of which the upstream receives the one that was reserved", async () => {
    const { together, spent, sent } = await scene(1000n, written);
    const body = ChatCompletionsBody.parse({
      model: "acme/one",
      messages: [{ role: "user", content: "Hi" }],
      max_completion_tokens: 1,
      max_tokens: 32_000,
    });
    const admitted = await together(20, (context) => createChatCompletion(context, { params: {}, query: {}, body }));
    expect(admitted).toBeGreaterThan(1);
    expect(sent[0]).toMatchObject({ max_tokens: 1 });
    expect(sent[0]).not.toHaveProperty("max_completion_tokens");
    expect(await spent()).toBeLessThanOrEqual(1000);
  });
});
