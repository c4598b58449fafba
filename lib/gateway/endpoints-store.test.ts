import { describe, expect, it } from "vitest";
import type { Prisma } from "../../prisma/generated/client";
import { uuidv7 } from "../platform/ids";
import { sealCredentials } from "../records/providers/credential-rows";
import { NOW, testWorld, type World } from "../testing/test-context";
import { findEndpoints } from "./endpoints-store";

type Given = {
  model: string;
  canonicalSlug?: string;
  provider: string;
  baseUrl?: string | null;
  apiKey?: string;
  headers?: Record<string, string>;
  endpoint?: Partial<Prisma.EndpointUncheckedCreateInput>;
};

/** Inserts an endpoint directly into the database. */
async function createEndpoint(
  { context: { db, settings }, organizationId }: World,
  { model, canonicalSlug = model, provider, baseUrl = null, apiKey, headers, endpoint }: Given,
) {
  const providerId = uuidv7(NOW);
  const { apiKeyCiphertext, headers: sealed } = sealCredentials(
    settings,
    { organizationId, id: providerId },
    { api_key: apiKey ?? null, headers },
  );
  await db.provider.create({
    data: {
      id: providerId,
      organizationId,
      slug: provider,
      name: provider.toUpperCase(),
      baseUrl,
      apiKeyCiphertext,
      headers: sealed ?? undefined,
      createdAt: NOW,
    },
  });
  const row = await db.model.upsert({
    where: { organizationId_slug: { organizationId, slug: model } },
    create: {
      id: uuidv7(NOW),
      organizationId,
      slug: model,
      canonicalSlug,
      name: model,
      vendor: "acme",
      createdAt: NOW,
    },
    update: {},
  });
  const id = uuidv7(NOW);
  await db.endpoint.create({
    data: { id, modelId: row.id, providerId, upstreamModel: "up", createdAt: NOW, ...endpoint },
  });
  return { id, providerId };
}

const idsOf = async (world: World, models: string[]) =>
  (await findEndpoints(world.context, models)).endpoints.map(({ id }) => id).sort();
const ids = (...endpoints: { id: string }[]) => endpoints.map(({ id }) => id).sort();

describe("findEndpoints", () => {
  it("returns every field of an endpoint", async () => {
    const world = await testWorld();
    const { id, providerId } = await createEndpoint(world, {
      model: "acme/one",
      canonicalSlug: "acme/one-2026",
      provider: "acme",
      endpoint: {
        pricePrompt: "0.15",
        priceCompletion: "10",
        priceRequest: "0",
        priceDetails: { cache_read: "0.075" },
        zdr: true,
        quantization: "fp8",
        supportedParameters: ["tools", "top_p"],
        dataRegion: "europe",
      },
    });
    expect((await findEndpoints(world.context, ["acme/one"])).endpoints).toEqual([
      {
        id,
        model: {
          slug: "acme/one",
          canonicalSlug: "acme/one-2026",
          vendor: "acme",
          distillable: null,
          contextLength: null,
          maxOutputTokens: null,
        },
        provider: {
          id: providerId,
          slug: "acme",
          name: "ACME",
          protocol: "chat_completions",
          zdr: false,
          trains: false,
          ownership: "platform",
        },
        upstreamModel: "up",
        prices: { prompt: "0.15", completion: "10", request: "0", details: { cache_read: "0.075" } },
        zdr: true,
        quantization: "fp8",
        supportedParameters: ["tools", "top_p"],
        dataRegion: "europe",
        lifecycle: null,
      },
    ]);
  });

  it("finds models only by slug and canonical slug", async () => {
    const world = await testWorld();
    const one = await createEndpoint(world, { model: "acme/one", canonicalSlug: "acme/one-2026", provider: "a" });
    const again = await createEndpoint(world, { model: "acme/one", provider: "b" });
    const two = await createEndpoint(world, { model: "acme/two", provider: "c" });
    expect(await idsOf(world, ["acme/one"])).toEqual(ids(one, again));
    expect(await idsOf(world, ["acme/one-2026"])).toEqual(ids(one, again));
    expect(await idsOf(world, ["acme/two", "acme/one", "acme/three"])).toEqual(ids(one, again, two));
    expect(await idsOf(world, ["acme/three"])).toEqual([]);
  });

  it("excludes endpoints of other organizations", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await createEndpoint(other, { model: "acme/one", provider: "acme" });
    const { endpoints, connections } = await findEndpoints(world.context, ["acme/one"]);
    expect([endpoints, connections.size]).toEqual([[], 0]);
  });

  it("decrypts a provider's secrets on first use", async () => {
    const world = await testWorld();
    const given = {
      model: "acme/one",
      baseUrl: "https://api.acme.example/v1",
      apiKey: "sk-secret",
      headers: { "x-team": "blue" },
    };
    const { providerId } = await createEndpoint(world, { ...given, provider: "acme" });
    const { connections } = await findEndpoints(world.context, ["acme/one"]);
    const connection = connections.get(providerId);
    expect([connection?.baseUrl, connection?.credentials()]).toEqual([
      given.baseUrl,
      { apiKey: "sk-secret", named: {}, headers: { "x-team": "blue" } },
    ]);
    expect(JSON.stringify(connection)).not.toContain("sk-secret");
  });

  it("fails for undecryptable secrets only when they are used", async () => {
    const world = await testWorld();
    const { providerId } = await createEndpoint(world, { model: "acme/one", provider: "acme", apiKey: "sk-secret" });
    const settings = { ...world.context.settings, secretKey: Buffer.alloc(32, 8) };
    const { connections } = await findEndpoints({ ...world.context, settings }, ["acme/one"]);
    expect(() => connections.get(providerId)?.credentials()).toThrow();
  });
});
