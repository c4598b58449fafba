import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { failure } from "../../testing/expect-failure";
import { uuidv7 } from "../../platform/ids";
import { createKey, createMember, createWorkspace, memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { getOverview } from "./contract";
import { overview } from "./service";
import { consistently } from "./usage-store";

const HOUR_MS = 60 * 60 * 1000;
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
const Query = getOverview.query as NonNullable<typeof getOverview.query>;
const read = async (context: Context, query: object = {}) => {
  const answer = await overview(context, { params: {}, query: Query.parse(query), body: undefined });
  return getOverview.result.parse(answer).data;
};

describe("the overview", () => {
  let world: World;
  let ann: string;
  let otherWorkspace: string;
  let guardrailId: string;
  let keys: { id: string; hash: string }[];
  beforeAll(async () => {
    world = await testWorld();
    const { context, workspaceId } = world;
    ann = await createMember(world);
    await context.db.member.update({ where: { id: ann }, data: { firstName: "Ann", lastName: "Lee" } });
    otherWorkspace = await createWorkspace(world);
    keys = [await createKey(world, { name: "nightly" }), await createKey(world, { name: "ann's", creatorUserId: ann })];
    guardrailId = uuidv7(NOW);
    await context.db.guardrail.create({ data: { id: guardrailId, workspaceId, name: "Now called", createdAt: NOW } });
    const nightly = { keyId: keys[0]?.id ?? null, createdAt: ago(2) };
    await createGeneration(world, { ...nightly, costMicroUsd: 4_000_000n, latencyMs: 100 });
    await createGeneration(world, {
      ...nightly,
      costMicroUsd: 1_000_000n,
      latencyMs: 300,
      model: "openai/gpt",
      providerSlug: "openai",
      workspaceId: otherWorkspace,
    });
    const blocked = { ...nightly, status: "blocked", costMicroUsd: 0n, providerSlug: null, createdAt: ago(3) } as const;
    for (const action of ["block", "block", "redact"]) {
      const id = await createGeneration(world, blocked);
      const rows = [0, 1].map((position) => ({
        position,
        createdAt: blocked.createdAt,
        generationId: id,
        scope: "key" as const,
        guardrailId,
        guardrailName: "Once called",
        field: "content_filter_builtins",
        rule: "email",
        action,
        spans: [],
      }));
      await context.db.decision.createMany({ data: rows });
    }
    const own = await createGeneration(world, {
      keyId: keys[1]?.id ?? null,
      userId: ann,
      status: "failed",
      costMicroUsd: 500_000n,
      createdAt: ago(1),
    });
    const decision = { createdAt: ago(1), generationId: own, field: "only", action: "exclude", spans: [] };
    await context.db.decision.createMany({
      data: [
        { ...decision, position: 0, scope: "request" },
        { ...decision, position: 1, scope: "key", field: "limit_usd", rule: "daily limit of $1.00" },
      ],
    });
    await createGeneration(world, { costMicroUsd: 2_000_000n, latencyMs: 50, createdAt: ago(24) });
    await createGeneration(world, { costMicroUsd: 7_000_000n, createdAt: ago(24.001) });
    await createGeneration(world, { createdAt: ago(48.001) });
    await createGeneration(await testWorld(), { costMicroUsd: 99_000_000n, createdAt: ago(1) });
  });

  it("compares the range with the previous period", async () => {
    const { from, to, totals, previous } = await read(world.context);
    expect([from, to]).toEqual([ago(24).toISOString(), NOW.toISOString()]);
    expect(totals).toEqual({
      requests: 7,
      succeeded: 3,
      failed: 1,
      blocked: 3,
      cancelled: 0,
      spend_usd: 7.5,
      unpriced_requests: 0,
      p95_latency_ms: 296,
    });
    expect(previous).toEqual({
      requests: 1,
      succeeded: 1,
      failed: 0,
      blocked: 0,
      cancelled: 0,
      spend_usd: 7,
      unpriced_requests: 0,
      p95_latency_ms: null,
    });
  });

  it("has an hourly bucket over time", async () => {
    const { bucket_seconds, outcomes } = await read(world.context);
    expect(bucket_seconds).toBe(3600);
    expect(outcomes).toHaveLength(24);
    const none = { succeeded: 0, failed: 0, blocked: 0, cancelled: 0 };
    expect(outcomes.slice(-4)).toEqual([
      { ...none, at: ago(4).toISOString() },
      { ...none, at: ago(3).toISOString(), blocked: 3 },
      { ...none, at: ago(2).toISOString(), succeeded: 2 },
      { ...none, at: ago(1).toISOString(), failed: 1 },
    ]);
  });

  it("by model, key, member and provider is sorted by spend", async () => {
    const { spend } = await read(world.context);
    const brief = ({ top }: typeof spend.key) =>
      top.map(({ id, name, spend_usd, requests }) => [id, name, spend_usd, requests]);
    const admin = world.adminId;
    expect(brief(spend.model)).toEqual([
      ["sandbox/echo", "sandbox/echo", 6.5, 6],
      ["openai/gpt", "openai/gpt", 1, 1],
    ]);
    expect(brief(spend.key)).toEqual([
      [keys[0]?.hash, "nightly", 5, 5],
      [null, null, 2, 1],
      [keys[1]?.hash, "ann's", 0.5, 1],
    ]);
    expect(brief(spend.member)).toEqual([
      [admin, `${admin}@example.com`.toLowerCase(), 7, 6],
      [ann, "Ann Lee", 0.5, 1],
    ]);
    expect(brief(spend.provider)).toEqual([
      ["sandbox", "sandbox", 6.5, 3],
      ["openai", "openai", 1, 1],
      [null, null, 0, 3],
    ]);
    expect(spend.model.other).toBeNull();
  });

  it("counts requests per rule, however many matches, excluding exclusions by the request itself", async () => {
    const { rules } = await read(world.context);
    const email = {
      guardrail_id: guardrailId,
      guardrail_name: "Now called",
      field: "content_filter_builtins",
      rule: "email",
    };
    expect(rules).toEqual([
      { ...email, action: "block", requests: 2 },
      { ...email, action: "redact", requests: 1 },
      {
        guardrail_id: null,
        guardrail_name: null,
        field: "limit_usd",
        rule: "daily limit of $1.00",
        action: "exclude",
        requests: 1,
      },
    ]);
  });

  it("of a member covers their own keys", async () => {
    const own = await read({ ...world.context, caller: memberCaller(world, ann) });
    expect(own.totals).toMatchObject({ requests: 1, failed: 1, spend_usd: 0.5 });
    expect(own.previous.requests).toBe(0);
    expect(own.outcomes.map(({ succeeded, blocked }) => succeeded + blocked).every((sum) => sum === 0)).toBe(true);
    expect(own.spend.key.top.map(({ name }) => name)).toEqual(["ann's"]);
    expect(own.rules.map(({ field }) => field)).toEqual(["limit_usd"]);
  });

  it("of a workspace excludes others; a foreign one is a 404", async () => {
    expect((await read(world.context, { workspace_id: otherWorkspace })).totals).toMatchObject({
      requests: 1,
      spend_usd: 1,
    });
    expect(await failure(read(world.context, { workspace_id: (await testWorld()).workspaceId }))).toMatchObject({
      status: 404,
    });
  });

  it("of a custom range includes its start and excludes its end", async () => {
    const { from, to, bucket_seconds, totals } = await read(world.context, {
      from: ago(3).toISOString(),
      to: ago(2).toISOString(),
    });
    expect([from, to, bucket_seconds, totals.requests]).toEqual([ago(3).toISOString(), ago(2).toISOString(), 60, 3]);
  });
});

it("sums up everything beyond the top eight", async () => {
  const world = await testWorld();
  for (let n = 1; n <= 10; n += 1)
    await createGeneration(world, { model: `m/${n}`, costMicroUsd: BigInt(n), createdAt: ago(1) });
  const { model } = (await read(world.context)).spend;
  expect(model.top.map(({ name }) => name)).toEqual([10, 9, 8, 7, 6, 5, 4, 3].map((n) => `m/${n}`));
  expect(model.other).toEqual({ count: 2, spend_usd: 0.000003, requests: 2 });
});

it("without generations is zero", async () => {
  const { totals, outcomes, spend, rules } = await read((await testWorld()).context, { range: "90d" });
  expect(totals).toEqual({
    requests: 0,
    succeeded: 0,
    failed: 0,
    blocked: 0,
    cancelled: 0,
    spend_usd: 0,
    unpriced_requests: 0,
    p95_latency_ms: null,
  });
  expect(outcomes).toHaveLength(91);
  expect([spend.key, rules]).toEqual([{ top: [], other: null }, []]);
});

it("that takes too long names the parameter to narrow", async () => {
  const { context, organizationId } = await testWorld();
  const endless = consistently(context.db, organizationId, (db) => db.$queryRaw`SELECT pg_sleep(60)::text`, {
    limitMs: 1,
  });
  expect(await failure(endless)).toMatchObject({
    status: 400,
    metadata: { issues: [{ path: ["from"], code: "range_too_wide" }] },
  });
});
