import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NO_KEY_LIMIT } from "../engine/budgets/budget-rule";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { EmbeddingsBody } from "./embeddings-contract";
import { CheckPolicyBody } from "../features/policy-check/contract";
import { check } from "../features/policy-check/service";
import { GenerationFilters, ListGenerationsQuery } from "../records/generations/contract";
import { exportAll } from "../records/generations/export-service";
import { list } from "../records/generations/service";
import { TEST_SETTINGS } from "../testing/context";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { create as createEmbeddings } from "./embeddings-service";
import { createChatCompletion } from "./service";

const BODY = { model: "acme/tiny-1", messages: [{ role: "user", content: "Hello" }] };
const ANSWER = {
  id: "1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
};

const EMBEDDINGS = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.5] }],
  usage: { prompt_tokens: 1, total_tokens: 1 },
};

/** Creates a key with a limit, and a model without a known price, as an import from an upstream's list adds it. */
async function scene(limitMicroUsd: bigint | null = 1n) {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  const { context, workspaceId } = world;
  let called = 0;
  const { url } = await upstreamServer(({ url: path }, response) => {
    called += 1;
    const answer = path?.endsWith("/embeddings") ? EMBEDDINGS : ANSWER;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const providerId = await createProvider(world, { baseUrl: url });
  await createModel(world, { slug: "acme/tiny-1", providerId });
  const price = (data: { priceSource: "unknown" | "admin"; pricePrompt?: string; priceCompletion?: string }) =>
    context.db.endpoint.updateMany({ where: { providerId }, data });
  await price({ priceSource: "unknown", pricePrompt: "0", priceCompletion: "0" });
  const key = await createKey(world);
  await context.db.key.update({ where: { id: key.id }, data: { limitMicroUsd } });
  const caller = { ...keyCaller(world, key.id), limit: { ...NO_KEY_LIMIT, limitMicroUsd } };
  const own = () => ({ ...context, caller, headers: new Headers() });
  return {
    world,
    price,
    calls: () => called,
    ask: () => createChatCompletion(own(), { params: {}, query: {}, body: ChatCompletionsBody.parse(BODY) }),
    embed: () =>
      createEmbeddings(own(), {
        params: {},
        query: {},
        body: EmbeddingsBody.parse({ model: "acme/tiny-1", input: "Hello" }),
      }),
    check: () =>
      check(context, {
        params: {},
        query: {},
        body: CheckPolicyBody.parse({ protocol: "chat_completions", request: BODY, key_hash: key.hash }),
      }),
    allow: () => context.db.workspace.update({ where: { id: workspaceId }, data: { allowUnpricedModels: true } }),
  };
}

const recorded = async ({ context }: World) =>
  (await list(context, { params: {}, query: ListGenerationsQuery.parse({}), body: undefined })).data;

async function csvOf({ context }: World): Promise<string> {
  const query = GenerationFilters.extend({ format: z.literal("csv") }).parse({ format: "csv" });
  return new Response((await exportAll(context, { params: {}, query, body: undefined })).body).text();
}

const REFUSED = { status: 403, metadata: { reason: "unpriced_model", models: ["acme/tiny-1"] } };

describe("a model without a known price", () => {
  it("is refused under a key's limit before it is called, and the record says why", async () => {
    const { world, ask, calls } = await scene();
    await expect(ask()).rejects.toMatchObject(REFUSED);
    await expect(ask()).rejects.toThrow(/acme\/tiny-1.*PATCH \/v1\/models\/acme%2Ftiny-1.*allow_unpriced_models/);
    expect(calls()).toBe(0);
    const decisions = await world.context.db.decision.findMany({
      where: { generation: { organizationId: world.organizationId }, field: "unpriced_model" },
    });
    expect(decisions.map(({ rule, action, scope }) => ({ rule, action, scope }))).toEqual([
      { rule: "acme/tiny-1 by acme", action: "exclude", scope: "key" },
      { rule: "acme/tiny-1 by acme", action: "exclude", scope: "key" },
    ]);
  });

  it("is refused for embeddings, too", async () => {
    const { embed } = await scene();
    await expect(embed()).rejects.toMatchObject(REFUSED);
  });

  it("is refused by the policy check with the same message", async () => {
    const { ask, check: evaluate } = await scene();
    const message = await ask().then(
      () => "",
      (error: unknown) => (error instanceof Error ? error.message : ""),
    );
    expect((await evaluate()).data).toMatchObject({
      outcome: "blocked",
      message,
      decisions: [{ scope: "key", field: "unpriced_model", rule: "acme/tiny-1 by acme" }],
      candidates: [{ included: false, excluded_by: [{ field: "unpriced_model" }] }],
    });
  });

  it("is allowed without a limit, and where the workspace allows it", async () => {
    const unlimited = await scene(null);
    await expect(unlimited.ask()).resolves.toMatchObject({ usage: { prompt_tokens: 10 } });
    const allowed = await scene();
    await allowed.allow();
    await expect(allowed.ask()).resolves.toMatchObject({ usage: { prompt_tokens: 10 } });
    expect((await allowed.check()).data.outcome).toBe("allowed");
  });

  it("isn't a free one, which a limit allows", async () => {
    const { ask, price, calls } = await scene();
    await price({ priceSource: "admin" });
    await expect(ask()).resolves.toMatchObject({ usage: { cost: 0 } });
    expect(calls()).toBe(1);
  });

  it("has an unknown cost in answers, records and exports, and a free one costs 0", async () => {
    const { world, ask, embed, price } = await scene(null);
    for (const answer of [await ask(), await embed()]) {
      expect(answer).toHaveProperty("usage.total_tokens");
      expect(answer).not.toHaveProperty("usage.cost", expect.anything());
      expect(answer).not.toHaveProperty("usage.cost_details", expect.anything());
    }
    const unknown = { cost_known: false, total_cost: 0, usage: 0 };
    await expect.poll(() => recorded(world)).toMatchObject([unknown, unknown]);
    await price({ priceSource: "admin" });
    await ask();
    const known = async () => (await recorded(world)).map(({ cost_known }) => cost_known).toSorted();
    await expect.poll(known).toEqual([false, false, true]);
    const [header = "", ...lines] = (await csvOf(world)).split("\r\n");
    const at = header.split(",").indexOf("total_cost");
    expect(
      lines
        .slice(0, 3)
        .map((line) => line.split(",")[at])
        .toSorted(),
    ).toEqual(["", "", "0"]);
  });
});
