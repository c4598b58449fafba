import { expect, it } from "vitest";
import { uuidv7 } from "../../platform/ids";
import { createKey, createMember, createWorkspace } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { getCoverage } from "./contract";
import { coverage } from "./service";

const DAY_MS = 24 * 60 * 60_000;

const readAll = async ({ context }: World, query: { workspace_id?: string } = {}) =>
  getCoverage.result.parse(await coverage(context, { params: {}, query, body: undefined })).data;
const read = async (world: World, query: { workspace_id?: string } = {}) =>
  (await readAll(world, query)).deprecated_models;

/** Creates models of one provider, with slugs of their upstream names. */
async function createModels(
  { context, organizationId }: World,
  { baseUrl, slug = "openai" }: { baseUrl: string; slug?: string },
  ...names: string[]
) {
  const providerId = uuidv7(NOW);
  await context.db.provider.create({
    data: { id: providerId, organizationId, slug, name: slug, baseUrl, createdAt: NOW },
  });
  for (const upstreamModel of names)
    await context.db.model.create({
      data: {
        id: uuidv7(NOW),
        organizationId,
        slug: `${slug}/${upstreamModel}`,
        canonicalSlug: `${slug}/${upstreamModel}`,
        name: upstreamModel,
        vendor: "openai",
        vendorSource: "catalogue",
        endpoints: { create: { id: uuidv7(NOW), providerId, upstreamModel } },
      },
    });
}

it("lists deprecated models that are still used, with the keys and members that use them", async () => {
  const world = await testWorld();
  await createModels(world, { baseUrl: "https://api.openai.com/v1" }, "gpt-4o", "gpt-4", "o3", "gpt-6-luna");
  await createModels(world, { baseUrl: "https://llm.example.com/v1", slug: "own" }, "gpt-4o");
  const { db } = world.context;
  const [bot, ci, gone] = [
    await createKey(world, { name: "Bot" }),
    await createKey(world, { name: "CI" }),
    await createKey(world, { name: "Gone" }),
  ];
  await db.key.update({ where: { id: gone.id }, data: { deletedAt: NOW } });
  const ann = await createMember(world);
  for (const fields of [{ keyId: bot.id }, { keyId: ci.id }, { keyId: ci.id }, { userId: ann }])
    await createGeneration(world, { model: "openai/gpt-4o", ...fields });
  await createGeneration(world, { model: "openai/gpt-4", keyId: ci.id, status: "failed" });
  const before = new Date(NOW.getTime() - 8 * DAY_MS);
  await createGeneration(world, { model: "openai/o3", keyId: bot.id, createdAt: before });
  await createGeneration(world, { model: "openai/o3", keyId: gone.id });
  for (const model of ["openai/gpt-6-luna", "own/gpt-4o"]) await createGeneration(world, { model, keyId: bot.id });
  await createGeneration(await testWorld(), { model: "openai/o3" });

  expect(await read(world)).toEqual({
    total_count: 2,
    data: [
      {
        slug: "openai/gpt-4",
        name: "gpt-4",
        deprecated_at: "2026-04-22T00:00:00.000Z",
        retires_at: "2026-10-23T00:00:00.000Z",
        replacement: "gpt-5.6-sol",
        used_by: { total_count: 1, data: [{ type: "key", id: ci.hash, name: "CI" }] },
      },
      {
        slug: "openai/gpt-4o",
        name: "gpt-4o",
        deprecated_at: "2026-10-14T00:00:00.000Z",
        retires_at: "2027-01-14T00:00:00.000Z",
        replacement: "gpt-6-luna",
        used_by: {
          total_count: 3,
          data: [
            { type: "key", id: ci.hash, name: "CI" },
            { type: "key", id: bot.hash, name: "Bot" },
            { type: "member", id: ann, name: `${ann}@example.com`.toLowerCase() },
          ],
        },
      },
    ],
  });
});

it("counts the use of deprecated models in one workspace, and lists the first keys", async () => {
  const world = await testWorld();
  await createModels(world, { baseUrl: "https://api.openai.com/v1" }, "gpt-4o");
  for (let n = 0; n < 12; n += 1)
    await createGeneration(world, { model: "openai/gpt-4o", keyId: (await createKey(world)).id });
  const other = await createWorkspace(world);
  expect(await read(world, { workspace_id: other })).toEqual({ total_count: 0, data: [] });

  const key = await createKey(world, { workspaceId: other });
  await createGeneration(world, { model: "openai/gpt-4o", workspaceId: other, keyId: key.id });
  const [ofOther] = (await read(world, { workspace_id: other })).data;
  expect(ofOther?.used_by).toEqual({ total_count: 1, data: [{ type: "key", id: key.hash, name: "Key" }] });
  const [ofAll] = (await read(world)).data;
  expect([ofAll?.used_by.total_count, ofAll?.used_by.data.length]).toEqual([13, 10]);
});

it("lists stored duplicates of a model with what merging them changes, until they are merged", async () => {
  const world = await testWorld();
  await createModels(world, { baseUrl: "https://api.openai.com/v1" }, "gpt-5", "gpt-5-mini");
  await createModels(world, { baseUrl: "https://eu.example.com/v1", slug: "openai2" }, "gpt-5");
  await createModels(world, { baseUrl: "https://own.example.com/v1", slug: "own" }, "gpt-5");
  const { db } = world.context;
  const { organizationId } = world;
  await db.model.updateMany({
    where: { organizationId, slug: "own/gpt-5" },
    data: { vendor: "unknown", vendorSource: "unknown" },
  });
  const createGuardrail = async (
    { context, workspaceId }: World,
    name: string,
    lists: { allowedModels?: string[]; ignoredModels?: string[] },
  ) => (await context.db.guardrail.create({ data: { id: uuidv7(NOW), workspaceId, name, ...lists } })).id;
  const allowing = await createGuardrail(world, "Allowing", { allowedModels: ["openai/gpt-5"] });
  const blocking = await createGuardrail(world, "Blocking", { ignoredModels: ["openai/gpt-5"] });
  await createGuardrail(world, "Unconcerned", { allowedModels: ["openai/*"] });
  await createGuardrail(await testWorld(), "Foreign", { allowedModels: ["openai/gpt-5"] });
  expect((await readAll(world)).duplicate_models).toEqual({
    total_count: 1,
    data: [
      {
        slug: "openai2/gpt-5",
        name: "gpt-5",
        canonical_slug: "openai2/gpt-5",
        duplicate_of: "openai/gpt-5",
        providers: ["openai2"],
        guardrails: [
          { guardrail_id: allowing, name: "Allowing", effect: "allows" },
          { guardrail_id: blocking, name: "Blocking", effect: "blocks" },
        ],
      },
    ],
  });
  await db.model.updateMany({
    where: { organizationId, slug: "openai2/gpt-5" },
    data: { canonicalSlug: "openai/gpt-5" },
  });
  expect((await readAll(world)).duplicate_models).toEqual({ total_count: 0, data: [] });
});
