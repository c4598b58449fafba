import { describe, expect, it } from "vitest";
import { NO_KEY_LIMIT } from "../engine/budgets/budget-rule";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { EmbeddingsBody } from "./embeddings-contract";
import { CheckPolicyBody } from "../features/policy-check/contract";
import { check } from "../features/policy-check/service";
import { TEST_SETTINGS } from "../testing/context";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { testWorld } from "../testing/test-context";
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

/** A key with a limit, and a model whose price is unknown, as an import from an upstream's list adds it. */
async function scene(limitMicroUsd: bigint | null = 1n) {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  const { context, workspaceId } = world;
  let called = 0;
  const { url } = await upstreamServer((_, response) => {
    called += 1;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ANSWER));
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
    await expect(unlimited.ask()).resolves.toMatchObject({ usage: { cost: 0 } });
    const allowed = await scene();
    await allowed.allow();
    await expect(allowed.ask()).resolves.toMatchObject({ usage: { cost: 0 } });
    expect((await allowed.check()).data.outcome).toBe("allowed");
  });

  it("isn't a free one, which a limit allows", async () => {
    const { ask, price, calls } = await scene();
    await price({ priceSource: "admin" });
    await expect(ask()).resolves.toMatchObject({ usage: { cost: 0 } });
    expect(calls()).toBe(1);
  });
});
