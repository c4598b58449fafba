import type { z } from "zod";
import { afterEach, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createSandbox } from "../../server/bootstrap";
import { createModel, createProvider } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { startUpstream } from "../../testing/upstream";
import { importModels } from "./import-service";
import { importModels as operation } from "./import-contract";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function upstreamWith(world: World, list: unknown, status = 200): Promise<string> {
  const { baseUrl, stop } = await startUpstream((_request, response) =>
    response.writeHead(status).end(JSON.stringify(list)),
  );
  stops.push(stop);
  return createProvider(world, { baseUrl });
}

const run = async (context: Context, body: z.input<NonNullable<typeof operation.body>> = {}, slug = "acme") =>
  (await importModels(context, { params: { slug }, query: {}, body: operation.body?.parse(body) as never })).data;

const modelsOf = ({ context, organizationId }: World) =>
  context.db.model.findMany({ where: { organizationId }, include: { endpoints: true }, orderBy: { slug: "asc" } });

const LIST = { data: [{ id: "gpt-4o", context_length: 100 }, { id: "own-model" }, { id: "text-embedding-3-small" }] };

describe("importing models", () => {
  it("adds what the upstream lists once, priced from the catalogue", async () => {
    const world = await testWorld();
    const providerId = await upstreamWith(world, LIST);
    const report = await run(world.context, { catalogue_provider: "openai" });
    expect(report).toEqual({
      dry_run: false,
      catalogue_provider: "openai",
      imported: [
        {
          action: "create",
          slug: "acme/gpt-4o",
          canonical_slug: "acme/gpt-4o",
          upstream_model: "gpt-4o",
          name: "gpt 4o",
          vendor: "openai",
          vendor_source: "catalogue",
          context_length: 100,
          price: {
            prompt: "2.5",
            completion: "10",
            request: "0",
            cache_read: "1.25",
            service_tiers: { priority: "1.7" },
          },
          price_source: "catalogue",
          data_region: "global",
        },
        {
          action: "create",
          slug: "acme/own-model",
          canonical_slug: "acme/own-model",
          upstream_model: "own-model",
          name: "acme/own-model",
          vendor: "unknown",
          vendor_source: "unknown",
          context_length: null,
          price: null,
          price_source: "unknown",
          data_region: "global",
        },
      ],
      skipped: [{ upstream_model: "text-embedding-3-small", reason: "not_chat" }],
      unknown_vendor: ["acme/own-model"],
      unpriced: ["acme/own-model"],
    });
    const [gpt, own] = await modelsOf(world);
    expect(gpt).toMatchObject({
      slug: "acme/gpt-4o",
      canonicalSlug: "acme/gpt-4o",
      vendor: "openai",
      vendorSource: "catalogue",
      contextLength: 100,
      endpoints: [{ providerId, upstreamModel: "gpt-4o" }],
    });
    expect(gpt?.endpoints[0]?.priceDetails).toEqual({ cache_read: "1.25", service_tiers: { priority: "1.7" } });
    expect([gpt?.endpoints[0]?.priceSource, own?.endpoints[0]?.priceSource]).toEqual(["catalogue", "unknown"]);
    expect([
      gpt?.endpoints[0]?.pricePrompt.toFixed(),
      gpt?.endpoints[0]?.priceCompletion.toFixed(),
      own?.endpoints[0]?.pricePrompt.toFixed(),
    ]).toEqual(["2.5", "10", "0"]);
    const again = await run(world.context);
    expect(again.imported).toEqual([]);
    expect(
      again.skipped.filter(({ reason }) => reason === "exists").map(({ upstream_model }) => upstream_model),
    ).toEqual(["gpt-4o", "own-model"]);
    const audit = await world.context.db.auditEvent.findMany({ where: { organizationId: world.organizationId } });
    expect(audit).toMatchObject([
      { action: "provider.import_models", targetId: providerId, after: { models: ["acme/gpt-4o", "acme/own-model"] } },
    ]);
  });

  it("has prices of embeddings from the catalogue, and prices that only the upstream lists from there", async () => {
    const world = await testWorld();
    await upstreamWith(world, {
      data: [
        { id: "text-embedding-3-small" },
        { id: "own-model", pricing: { prompt: "0.0000025", completion: "0.00001", request: "0" } },
        { id: "own-free", pricing: { prompt: "0", completion: "0" } },
        { id: "own-router", pricing: { prompt: "-1", completion: "-1" } },
      ],
    });
    const models = ["text-embedding-3-small", "own-model", "own-free", "own-router"];
    const { imported, unpriced } = await run(world.context, { catalogue_provider: "openai", models });
    expect(imported.map(({ price, price_source }) => [price_source, price])).toEqual([
      ["catalogue", { prompt: "0.02", completion: "0", request: "0" }],
      ["upstream", { prompt: "2.5", completion: "10", request: "0" }],
      ["upstream", { prompt: "0", completion: "0", request: "0" }],
      ["unknown", null],
    ]);
    expect(unpriced).toEqual(["acme/own-router"]);
  });

  it("with a dry run changes nothing", async () => {
    const world = await testWorld();
    await upstreamWith(world, LIST);
    expect((await run(world.context, { dry_run: true })).imported).toHaveLength(2);
    expect(await modelsOf(world)).toEqual([]);
  });

  it("imports the selected models with the given prefix", async () => {
    const world = await testWorld();
    await upstreamWith(world, LIST);
    const { imported, skipped } = await run(world.context, { models: ["own-model", "nothing"], prefix: "lab" });
    expect(imported.map(({ slug }) => slug)).toEqual(["lab/own-model"]);
    expect(skipped).toEqual([{ upstream_model: "nothing", reason: "not_listed" }]);
  });

  it("adds an endpoint to a model of another provider", async () => {
    const world = await testWorld();
    await createModel(world, { slug: "acme/gpt-4o", providerId: await createProvider(world, { slug: "other" }) });
    await upstreamWith(world, LIST);
    await run(world.context, { models: ["gpt-4o"] });
    expect(await modelsOf(world)).toMatchObject([
      { slug: "acme/gpt-4o", endpoints: [{ upstreamModel: "acme/gpt-4o" }, { upstreamModel: "gpt-4o" }] },
    ]);
  });

  it("accepts a list without an envelope, and upstream-specific names of the context length", async () => {
    const world = await testWorld();
    await upstreamWith(world, [
      { id: "a", context_window: 1 },
      { id: "b", max_model_len: 2 },
      { id: "c", max_context_length: 3 },
      { id: "d", context_length: "many" },
      { id: "e\u0000" },
      { id: "" },
      "f",
    ]);
    expect((await run(world.context)).imported.map(({ context_length }) => context_length)).toEqual([1, 2, 3, null]);
  });

  it("uses the catalogue's list for upstreams without one, without network access", async () => {
    const world = await testWorld();
    await createProvider(world, { slug: "anthropic", baseUrl: "https://api.anthropic.com/v1" });
    const { catalogue_provider, imported, unpriced } = await run(world.context, { source: "catalogue" }, "anthropic");
    expect(catalogue_provider).toBe("anthropic");
    expect(imported).toContainEqual(
      expect.objectContaining({
        slug: "anthropic/claude-haiku-4-5",
        price: {
          prompt: "1",
          completion: "5",
          request: "0",
          cache_read: "0.1",
          cache_write: "1.25",
          cache_write_1h: "2",
        },
      }),
    );
    expect(unpriced).toEqual([]);
    expect((await modelsOf(world)).map(({ vendor }) => vendor)).toEqual(imported.map(() => "anthropic"));
  });

  it("of a large catalogue takes a single transaction", async () => {
    const world = await testWorld();
    await createProvider(world, { slug: "openrouter", baseUrl: "https://openrouter.ai/api/v1" });
    const { imported } = await run(world.context, { source: "catalogue" }, "openrouter");
    expect(imported.length).toBeGreaterThan(400);
    expect(await modelsOf(world)).toHaveLength(imported.length);
  });

  it.each([
    ["an upstream that refuses", { error: { message: "no" } }, 500],
    ["an answer that isn't a list", "nothing", 200],
  ])("of %s is a 502 and changes nothing", async (_, list, code) => {
    const world = await testWorld();
    await upstreamWith(world, list, code);
    await expect(run(world.context)).rejects.toMatchObject({
      status: 502,
      metadata: { provider_name: "acme", status: code },
    });
    expect(await modelsOf(world)).toEqual([]);
  });

  it("is limited", async () => {
    const world = await testWorld();
    await upstreamWith(
      world,
      Array.from({ length: 2001 }, (_, index) => ({ id: `m-${index}` })),
    );
    await expect(run(world.context)).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["models"] }] },
    });
  });

  it("rejects an unknown vendor, the sandbox, and a provider of another organization", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await createProvider(world);
    await createSandbox(world.context.db, world.organizationId, NOW);
    await expect(run(world.context, { source: "catalogue" })).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["catalogue_provider"] }] },
    });
    await expect(run(world.context, {}, "sandbox")).rejects.toMatchObject({ status: 409 });
    await expect(run(other.context)).rejects.toMatchObject({ status: 404 });
  });

  it("of several providers at the same moment creates one model with an endpoint of each", async () => {
    const world = await testWorld();
    const names = ["gpt-5", "gpt-5-mini", "gpt-4.1", "o3"];
    const slugs = ["one", "two", "three", "four"];
    const waiting: (() => void)[] = [];
    for (const slug of slugs) {
      const { baseUrl, stop } = await startUpstream((_request, response) => {
        waiting.push(() => response.end(JSON.stringify({ data: names.map((id) => ({ id })) })));
        if (waiting.length === slugs.length) for (const respond of waiting) respond();
      });
      stops.push(stop);
      await createProvider(world, { slug, baseUrl });
    }
    await Promise.all(slugs.map((slug) => run(world.context, {}, slug)));
    const models = await modelsOf(world);
    expect(models.map(({ endpoints }) => endpoints.length)).toEqual(names.map(() => slugs.length));
  });

  it("started twice concurrently creates each model once", async () => {
    const world = await testWorld();
    await upstreamWith(world, LIST);
    const reports = await Promise.all([run(world.context), run(world.context)]);
    expect(reports.flatMap(({ imported }) => imported)).toHaveLength(2);
    expect(await modelsOf(world)).toMatchObject([{ endpoints: [{}] }, { endpoints: [{}] }]);
  });
});
