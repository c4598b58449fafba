import { describe, expect, it } from "vitest";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { failure } from "../../testing/expect-failure";
import { createMember, memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import * as presets from "./service";
import { usage } from "./usage-service";

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

async function createPreset({ context }: World, slug: string): Promise<string> {
  const { data } = await presets.createFromResponses(context, {
    params: { slug },
    query: {},
    body: ResponsesBody.parse({}),
  });
  return data.id;
}
const usageOf = ({ context }: World, slug: string, query: Parameters<typeof usage>[1]["query"] = {}) =>
  usage({ ...context, now: new Date(NOW.getTime() + 1) }, { params: { slug }, query, body: undefined });

describe("usage", () => {
  it("counts each version's requests by outcome, with cost and last use", async () => {
    const world = await testWorld();
    const presetId = await createPreset(world, "s");
    const other = await createPreset(world, "other");
    const request = (presetVersion: number, fields: Parameters<typeof createGeneration>[1] = {}) =>
      createGeneration(world, { presetId, presetVersion, ...fields });
    await request(2, { createdAt: ago(3), costMicroUsd: 1_500_000n });
    await request(2, { createdAt: ago(1), status: "failed", costMicroUsd: 0n });
    await request(2, { createdAt: ago(2), status: "blocked", costMicroUsd: 0n });
    await request(2, { createdAt: ago(4), status: "cancelled", costMicroUsd: 250_000n });
    await request(1, { createdAt: ago(5) });
    await createGeneration(world, { presetId: other, presetVersion: 1 });
    await createGeneration(world);
    expect((await usageOf(world, "s")).data).toEqual([
      {
        version: 1,
        requests: 1,
        succeeded: 1,
        failed: 0,
        blocked: 0,
        cancelled: 0,
        cost_usd: 0.000009,
        last_used_at: ago(5).toISOString(),
      },
      {
        version: 2,
        requests: 4,
        succeeded: 1,
        failed: 1,
        blocked: 1,
        cancelled: 1,
        cost_usd: 1.75,
        last_used_at: ago(1).toISOString(),
      },
    ]);
  });

  it("covers the last thirty days, or a given time range", async () => {
    const world = await testWorld();
    const presetId = await createPreset(world, "s");
    for (const days of [0, 10, 31]) await createGeneration(world, { presetId, presetVersion: 1, createdAt: ago(days) });
    const requests = async (query: Parameters<typeof usageOf>[2]) =>
      (await usageOf(world, "s", query)).data[0]?.requests;
    expect(await requests({})).toBe(2);
    expect(await requests({ from: ago(31).toISOString() })).toBe(3);
    expect(await requests({ from: ago(31).toISOString(), to: ago(10).toISOString() })).toBe(1);
    expect(await requests({ from: ago(9).toISOString(), to: ago(1).toISOString() })).toBeUndefined();
    expect(await usageOf(world, "s", { to: ago(1).toISOString() })).toMatchObject({
      from: ago(31).toISOString(),
      to: ago(1).toISOString(),
    });
  });

  it("shows a member their own requests, and excludes other organizations", async () => {
    const world = await testWorld();
    const presetId = await createPreset(world, "s");
    const userId = await createMember(world);
    await createGeneration(world, { presetId, presetVersion: 1 });
    await createGeneration(world, { presetId, presetVersion: 1, userId });
    const member: World = { ...world, context: { ...world.context, caller: memberCaller(world, userId) } };
    expect((await usageOf(member, "s")).data).toMatchObject([{ requests: 1 }]);
    expect((await usageOf(world, "s")).data).toMatchObject([{ requests: 2 }]);
    expect(await failure(usageOf(await testWorld(), "s"))).toMatchObject({ status: 404 });
  });
});
