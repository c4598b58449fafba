import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import { NO_GRANTS } from "../../platform/grants";
import { OWNER_GRANTS } from "../../testing/context";
import { describe, expect, it } from "vitest";
import type { Caller, Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { createKey, createMember, memberCaller } from "../../testing/factories";
import { createModel, createProvider } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import type { CreateModelBody, UpdateModelBody } from "./contract";
import * as lookup from "./lookup-service";
import * as models from "./service";

const status = (code: number): unknown => expect.objectContaining({ status: code });
const create = (context: Context, body: CreateModelBody) => models.create(context, { params: {}, query: {}, body });
const update = (context: Context, slug: string, body: UpdateModelBody) =>
  models.update(context, { params: { slug }, query: {}, body });
const get = (context: Context, slug: string) => lookup.get(context, { params: { slug }, query: {}, body: undefined });
const remove = (context: Context, slug: string) =>
  models.remove(context, { params: { slug }, query: {}, body: undefined });
const list = (context: Context, query = { offset: 0, limit: 1000 }) =>
  models.list(context, { params: {}, query, body: undefined });
const slugs = async (context: Context) => (await list(context)).data.map(({ slug }) => slug);

const price = { prompt: "0.0000000001", completion: "9999999.9999999999" };
const LARGE: CreateModelBody = { slug: "acme/large", endpoints: [{ provider: "acme", price }] };

async function worldWithProvider(): Promise<World> {
  const world = await testWorld();
  await createProvider(world);
  return world;
}

describe("a model", () => {
  it("has defaults for missing fields, and stores prices exactly", async () => {
    const { context, organizationId } = await worldWithProvider();
    const { data } = await create(context, LARGE);
    expect(data).toMatchObject({
      id: "acme/large",
      canonical_slug: "acme/large",
      name: "acme/large",
      vendor: "unknown",
      vendor_source: "unknown",
      owned_by: "unknown",
      context_length: null,
      distillable: null,
      updated_at: null,
    });
    expect(data.endpoints).toEqual([
      {
        provider: "acme",
        upstream_model: "large",
        price: { ...price, request: "0" },
        price_source: "admin",
        zdr: null,
        quantization: null,
        supported_parameters: null,
        data_region: "global",
      },
    ]);
    expect(data.pricing).toEqual({ prompt: "0.0000000000000001", completion: "9.9999999999999999", request: "0" });
    expect((await get(context, "acme/large")).data).toEqual(data);
    const [event] = await context.db.auditEvent.findMany({ where: { organizationId } });
    expect(event).toMatchObject({
      action: "model.create",
      targetName: "acme/large",
      after: { endpoints: [{ upstream_model: "large" }] },
    });
  });

  it("stores given fields, and has the prices of its cheapest endpoint", async () => {
    const world = await worldWithProvider();
    await createProvider(world, { slug: "cheap" });
    const endpoint = {
      provider: "cheap",
      upstream_model: "x",
      price: { prompt: "1", completion: "2", request: "0.5" },
      zdr: true,
      quantization: "fp8" as const,
      supported_parameters: ["tools"],
      data_region: "europe" as const,
    };
    const body = {
      ...LARGE,
      canonical_slug: "acme/large-2",
      name: "Large",
      vendor: "acme-inc",
      context_length: 5,
      distillable: true,
      endpoints: [...LARGE.endpoints, endpoint],
    };
    const { data } = await create(world.context, body);
    expect(data).toMatchObject({
      canonical_slug: "acme/large-2",
      name: "Large",
      vendor: "acme-inc",
      vendor_source: "admin",
      context_length: 5,
      distillable: true,
      supported_parameters: ["tools"],
    });
    expect(data.endpoints).toContainEqual({ ...endpoint, price_source: "admin" });
    expect(data.pricing).toEqual({ prompt: "0.000001", completion: "0.000002", request: "0.5" });
  });

  it("requires providers of its own organization, and a unique slug", async () => {
    const [world, other] = [await worldWithProvider(), await testWorld()];
    await createProvider(other, { slug: "theirs" });
    const endpoints = [...LARGE.endpoints, { provider: "theirs", price }];
    await expect(create(world.context, { ...LARGE, endpoints })).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["endpoints", 1, "provider"] }] },
    });
    await create(world.context, LARGE);
    await expect(create(world.context, LARGE)).rejects.toMatchObject({
      status: 409,
      metadata: { issues: [{ path: ["slug"] }] },
    });
  });

  it("updates the given fields; endpoints are replaced as a whole, and remaining ones keep their id", async () => {
    const { context } = await worldWithProvider();
    await create(context, {
      ...LARGE,
      context_length: 5,
      endpoints: [...LARGE.endpoints, { provider: "acme", upstream_model: "old", price }],
    });
    const idOf = async (upstreamModel: string) =>
      (await context.db.endpoint.findFirst({ where: { upstreamModel }, orderBy: { id: "desc" } }))?.id;
    const before = await idOf("large");
    const { data } = await update(context, "acme/large", {
      context_length: null,
      endpoints: [
        { provider: "acme", upstream_model: "new", price },
        { provider: "acme", price: { prompt: "3", completion: "4" }, zdr: true },
      ],
    });
    expect(data).toMatchObject({ name: "acme/large", context_length: null, updated_at: NOW.toISOString() });
    const byName = data.endpoints.toSorted((a, b) => a.upstream_model.localeCompare(b.upstream_model));
    expect(byName).toMatchObject([
      { upstream_model: "large", price: { prompt: "3" }, zdr: true },
      { upstream_model: "new", zdr: null },
    ]);
    expect([await idOf("large"), await idOf("old")]).toEqual([before, undefined]);
    expect((await update(context, "acme/large", { name: "Large" })).data.endpoints).toEqual(data.endpoints);
  });

  it("keeps the data region of an endpoint that is sent without one", async () => {
    const { context } = await worldWithProvider();
    const endpoint = { provider: "acme", price };
    const { data } = await create(context, { ...LARGE, endpoints: [{ ...endpoint, data_region: "europe" }] });
    expect(data.endpoints).toMatchObject([{ data_region: "europe" }]);
    const regionsWith = async (...endpoints: CreateModelBody["endpoints"]) =>
      (await update(context, "acme/large", { endpoints })).data.endpoints.map(({ data_region }) => data_region);
    expect(await regionsWith(endpoint)).toEqual(["europe"]);
    expect(await regionsWith(endpoint, { ...endpoint, upstream_model: "new" })).toEqual(["europe", "global"]);
    expect(await regionsWith({ ...endpoint, data_region: "global" })).toEqual(["global"]);
  });

  it("is deleted with its endpoints", async () => {
    const { context } = await worldWithProvider();
    await create(context, LARGE);
    expect(await remove(context, "acme/large")).toEqual({ deleted: true });
    await expect(get(context, "acme/large")).rejects.toEqual(status(404));
  });

  it("is a 404 for another organization", async () => {
    const [world, other] = [await worldWithProvider(), await testWorld()];
    await create(world.context, LARGE);
    await expect(get(other.context, "acme/large")).rejects.toEqual(status(404));
    await expect(update(other.context, "acme/large", { name: "x" })).rejects.toEqual(status(404));
    await expect(remove(other.context, "acme/large")).rejects.toEqual(status(404));
    expect(await slugs(other.context)).toEqual([]);
  });
});

describe("the list of models", () => {
  it("is sorted by slug, paged, and links to the next page", async () => {
    const world = await testWorld();
    const providerId = await createProvider(world);
    for (const slug of ["b/b", "a/a", "c/c"]) await createModel(world, { slug, providerId });
    const first = await list(world.context, { offset: 0, limit: 2 });
    expect([first.data.map(({ slug }) => slug), first.total_count, first.links.next]).toEqual([
      ["a/a", "b/b"],
      3,
      "/v1/models?offset=2&limit=2",
    ]);
    expect(await list(world.context, { offset: 2, limit: 2 })).toMatchObject({
      data: [{ slug: "c/c" }],
      links: { next: null },
    });
    expect(await list(world.context, { offset: 9, limit: 2 })).toMatchObject({ data: [], links: { next: null } });
  });

  it("can be searched, sorted and filtered by provider", async () => {
    const world = await testWorld();
    const [acme, other] = [await createProvider(world), await createProvider(world, { slug: "other" })];
    for (const [slug, providerId] of [
      ["a/large", acme],
      ["b/Large", other],
      ["b/small", other],
    ] as const)
      await createModel(world, { slug, providerId });
    const found = async (query: object) =>
      (await list(world.context, { offset: 0, limit: 10, ...query })).data.map(({ slug }) => slug);
    expect(await found({ q: "LARGE" })).toEqual(["a/large", "b/Large"]);
    expect(await found({ sort: "-slug" })).toEqual(["b/small", "b/Large", "a/large"]);
    expect(await found({ provider: "other", q: "large" })).toEqual(["b/Large"]);
    const query = { offset: 0, limit: 1, q: "large" };
    const { links } = await list(world.context, query);
    expect(links.next).toBe("/v1/models?q=large&offset=1&limit=1");
  });

  it("shows inference keys and members only what their guardrails allow, and admins everything", async () => {
    const world = await testWorld();
    const { context, organizationId, workspaceId } = world;
    const [open, closed] = [
      await createProvider(world, { slug: "open", zdr: true }),
      await createProvider(world, { slug: "closed" }),
    ];
    await createModel(world, { slug: "a/both", providerId: open });
    const both = await context.db.model.findFirstOrThrow({ where: { organizationId, slug: "a/both" } });
    await context.db.endpoint.create({
      data: { id: uuidv7(NOW), modelId: both.id, providerId: closed, upstreamModel: "x" },
    });
    await createModel(world, { slug: "b/closed", providerId: closed });
    await createModel(world, { slug: "c/ignored", providerId: open });
    const guardrail = (fields: object) =>
      context.db.guardrail.create({ data: { id: uuidv7(NOW), workspaceId, name: "G", ...fields } });

    const userId = await createMember(world);
    const key = await createKey(world, { creatorUserId: userId });
    const limit = NO_KEY_LIMIT;
    const as = (caller: Caller): Context => ({ ...context, caller });
    const member = as(memberCaller(world, userId));
    const withKey = as({
      kind: "key",
      keyKind: "inference",
      keyId: key.id,
      keyName: "K",
      organizationId,
      workspaceId,
      userId,
      limit,
      grants: NO_GRANTS,
    });
    const management = as({
      kind: "key",
      keyKind: "management",
      keyId: key.id,
      keyName: "M",
      organizationId,
      workspaceId,
      userId,
      limit,
      grants: OWNER_GRANTS,
    });
    const everything = ["a/both", "b/closed", "c/ignored"];
    expect(await Promise.all([context, member, withKey, management].map(slugs))).toEqual([
      everything,
      everything,
      everything,
      everything,
    ]);

    const { id: zdrOnly } = await guardrail({ enforceZdrOther: true });
    await context.db.workspace.update({ where: { id: workspaceId }, data: { defaultGuardrailId: zdrOnly } });
    const { id: guardrailId } = await guardrail({ ignoredModels: ["c/ignored"] });
    await context.db.guardrailKeyAssignment.create({
      data: { id: uuidv7(NOW), organizationId, guardrailId, keyId: key.id },
    });
    expect(await slugs(context)).toEqual(everything);
    expect(await slugs(management)).toEqual(everything);
    expect(await slugs(member)).toEqual(["a/both", "c/ignored"]);
    const left = await list(withKey);
    expect([
      left.data.map(({ slug, endpoints }) => [slug, endpoints.map(({ provider }) => provider)]),
      left.total_count,
    ]).toEqual([[["a/both", ["open"]]], 1]);
    expect(await list(member, { offset: 1, limit: 1 })).toMatchObject({
      data: [{ slug: "c/ignored" }],
      total_count: 2,
      links: { next: null },
    });
  });
});
