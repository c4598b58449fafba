import { beforeAll, describe, expect, it } from "vitest";
import { NO_GRANTS } from "../../platform/grants";
import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { createKey } from "../../testing/factories";
import { createModel, createProvider } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import * as lookup from "./lookup-service";
import { toPublicEndpoint } from "./rows";

const status = (code: number): unknown => expect.objectContaining({ status: code });
const call = { query: {}, body: undefined };

describe("a model by name", () => {
  let world: World;
  let withKey: Context;
  beforeAll(async () => {
    world = await testWorld();
    const { context, organizationId, workspaceId, adminId } = world;
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
    const { id } = await context.db.guardrail.create({
      data: { id: uuidv7(NOW), workspaceId, name: "G", enforceZdrOther: true },
    });
    await context.db.workspace.update({ where: { id: workspaceId }, data: { defaultGuardrailId: id } });
    const key = await createKey(world);
    withKey = {
      ...context,
      caller: {
        kind: "key",
        keyKind: "inference",
        keyId: key.id,
        keyName: "K",
        organizationId,
        workspaceId,
        userId: adminId,
        limit: NO_KEY_LIMIT,
        grants: NO_GRANTS,
      },
    };
  });

  it("has the same record by slug and by its parts, with the fields of public APIs", async () => {
    const bySlug = await lookup.get(withKey, { ...call, params: { slug: "a/both" } });
    expect(bySlug).toMatchObject({ id: "a/both", object: "model", owned_by: "a", data: { slug: "a/both" } });
    expect(await lookup.getByParts(withKey, { ...call, params: { slug: "a", name: "both" } })).toEqual(bySlug);
    expect(await lookup.getOfAuthor(withKey, { ...call, params: { author: "a", slug: "both" } })).toEqual(bySlug);
  });

  it("is what guardrails allow, and everything for admins", async () => {
    const providers = async (context: Context) =>
      (await lookup.endpoints(context, { ...call, params: { slug: "a", name: "both" } })).data.endpoints.map(
        ({ tag }) => tag,
      );
    expect([await providers(world.context), await providers(withKey)]).toEqual([["open", "closed"], ["open"]]);
    expect((await lookup.get(withKey, { ...call, params: { slug: "a/both" } })).data.endpoints).toHaveLength(1);
    const closed = { ...call, params: { slug: "b/closed" } };
    expect(await lookup.get(world.context, closed)).toMatchObject({ id: "b/closed" });
    await expect(lookup.get(withKey, closed)).rejects.toEqual(status(404));
    expect([(await lookup.count(world.context)).data, (await lookup.count(withKey)).data]).toEqual([
      { count: 2 },
      { count: 1 },
    ]);
    const mine = await lookup.listOfUser(withKey, { ...call, params: {}, query: { offset: 0, limit: 500 } });
    expect([mine.data.map(({ id }) => id), mine.total_count]).toEqual([["a/both"], 1]);
  });

  it("is unknown in another organization", async () => {
    const other = (await testWorld()).context;
    await expect(lookup.get(other, { ...call, params: { slug: "a/both" } })).rejects.toEqual(status(404));
    await expect(lookup.endpoints(other, { ...call, params: { slug: "a", name: "both" } })).rejects.toEqual(
      status(404),
    );
    expect((await lookup.count(other)).data).toEqual({ count: 0 });
  });

  it("has endpoints with prices for each token", async () => {
    const { context, organizationId } = world;
    const model = await context.db.model.findFirstOrThrow({
      where: { organizationId, slug: "b/closed" },
      include: { endpoints: { include: { provider: true } } },
    });
    const [endpoint] = model.endpoints;
    if (!endpoint) throw new Error("no endpoint");
    const priceDetails = { cache_read: "0.25", reasoning: "3" };
    expect(toPublicEndpoint(model, { ...endpoint, priceDetails, supportedParameters: ["tool_choice"] })).toMatchObject({
      model_id: "b/closed",
      pricing: { input_cache_read: "0.00000025", internal_reasoning: "0.000003" },
      supports_implicit_caching: true,
      supports_tool_choice: { auto: true },
    });
  });
});
