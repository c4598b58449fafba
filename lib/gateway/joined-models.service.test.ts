import { describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { importModels } from "../records/providers/import-service";
import { importModels as importOperation } from "../records/providers/import-contract";
import { update as updateModel } from "../records/models/service";
import { TEST_SETTINGS } from "../testing/context";
import { createKey, keyCaller } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { createChatCompletion } from "./service";

const ANSWER = {
  id: "1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
};

/** Creates an upstream that lists gpt-5, and responds or fails. */
async function provide(world: World, slug: string, status = 200) {
  const calls: string[] = [];
  const { url } = await upstreamServer((request, response) => {
    if (request.method === "GET") {
      response.end(JSON.stringify({ data: [{ id: "gpt-5" }] }));
      return;
    }
    calls.push(request.url ?? "");
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(status === 200 ? ANSWER : { error: { message: "overloaded" } }));
  });
  const id = await createProvider(world, { slug, baseUrl: url });
  return { id, calls };
}

const importFrom = async ({ context }: World, slug: string, body: object = {}) =>
  (
    await importModels(context, {
      params: { slug },
      query: {},
      body: importOperation.body?.parse({ catalogue_provider: "openai", ...body }) as never,
    })
  ).data;

async function scene() {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  const key = await createKey(world);
  const caller = keyCaller(world, key.id);
  const ask = (model: string) =>
    createChatCompletion(
      { ...world.context, caller, headers: new Headers() },
      {
        params: {},
        query: {},
        body: ChatCompletionsBody.parse({ model, messages: [{ role: "user", content: "Hi" }] }),
      },
    );
  return { world, ask };
}

const slugsOf = async ({ context, organizationId }: World) =>
  (await context.db.model.findMany({ where: { organizationId }, orderBy: { slug: "asc" } })).map(({ slug }) => slug);

describe("one model of two providers", () => {
  it("is planned as a further endpoint before anything is changed", async () => {
    const { world } = await scene();
    await provide(world, "openai");
    await provide(world, "openai2");
    await importFrom(world, "openai");
    const { imported } = await importFrom(world, "openai2", { dry_run: true });
    expect(imported).toMatchObject([{ action: "join", slug: "openai/gpt-5", upstream_model: "gpt-5" }]);
    expect(await world.context.db.endpoint.count({ where: { model: { organizationId: world.organizationId } } })).toBe(
      1,
    );
  });

  it("falls back from the first provider to the second after both are imported", async () => {
    const { world, ask } = await scene();
    const [first, second] = [await provide(world, "openai", 503), await provide(world, "openai2")];
    await importFrom(world, "openai");
    await importFrom(world, "openai2");
    expect(await slugsOf(world)).toEqual(["openai/gpt-5"]);
    expect((await importFrom(world, "openai2")).skipped).toEqual([
      { upstream_model: "gpt-5", reason: "exists", slug: "openai/gpt-5" },
    ]);
    await expect(ask("openai/gpt-5")).resolves.toBeDefined();
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
  });

  it("goes on under a slug that exists, which the import names as a duplicate", async () => {
    const { world, ask } = await scene();
    const [first, second] = [await provide(world, "openai", 503), await provide(world, "openai2")];
    await createModel(world, { slug: "openai2/gpt-5", providerId: second.id });
    await world.context.db.model.updateMany({ where: { slug: "openai2/gpt-5" }, data: { vendor: "openai" } });
    await createModel(world, { slug: "openai/gpt-5", providerId: first.id });
    expect((await importFrom(world, "openai2")).skipped).toEqual([
      { upstream_model: "gpt-5", reason: "exists", slug: "openai2/gpt-5", duplicate_of: "openai/gpt-5" },
    ]);
    await expect(ask("openai2/gpt-5")).resolves.toBeDefined();
    await expect(ask("openai/gpt-5")).rejects.toThrow("overloaded");
    await updateModel(world.context, {
      params: { slug: "openai2/gpt-5" },
      query: {},
      body: { canonical_slug: "openai/gpt-5" },
    });
    await expect(ask("openai/gpt-5")).resolves.toBeDefined();
    await expect(ask("openai2/gpt-5")).resolves.toBeDefined();
    expect((await importFrom(world, "openai2")).skipped).toEqual([
      { upstream_model: "gpt-5", reason: "exists", slug: "openai2/gpt-5" },
    ]);
  });

  it("has the vendor's own name, too, if a cloud's was first", async () => {
    const { world, ask } = await scene();
    const cloud = await provide(world, "azure");
    await provide(world, "openai", 503);
    await importFrom(world, "azure");
    expect((await importFrom(world, "openai")).imported).toMatchObject([
      { action: "join", slug: "azure/gpt-5", canonical_slug: "openai/gpt-5" },
    ]);
    for (const name of ["azure/gpt-5", "openai/gpt-5"]) await expect(ask(name)).resolves.toBeDefined();
    expect(cloud.calls).toHaveLength(2);
  });

  it("is created under another name if the import has a prefix", async () => {
    const { world } = await scene();
    await provide(world, "openai");
    await provide(world, "openai2");
    await importFrom(world, "openai");
    expect((await importFrom(world, "openai2", { prefix: "backup" })).imported).toMatchObject([
      { action: "create", slug: "backup/gpt-5" },
    ]);
    expect(await slugsOf(world)).toEqual(["backup/gpt-5", "openai/gpt-5"]);
  });
});
