import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { createKey, createMember, createWorkspace, keyCaller, memberCaller } from "../../testing/factories";
import { grantsOf } from "../../records/roles/grants";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { ListGenerationsQuery } from "../../records/generations/contract";
import { list } from "../../records/generations/service";
import { getUsage } from "./usage-contract";
import { usage } from "./usage-service";

const HOUR_MS = 60 * 60 * 1000;
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
const Query = getUsage.query as NonNullable<typeof getUsage.query>;
const read = async (context: Context, query: object = {}) =>
  getUsage.result.parse(await usage(context, { params: {}, query: Query.parse(query), body: undefined })).data;

/** The end user and application of a request. */
const ORIGIN = { externalUser: "ann", httpReferer: "https://desk.example" };

describe("usage", () => {
  let world: World;
  let key: { id: string; hash: string };
  let guardrailId: string;
  let otherWorkspace: string;
  let ann: string;
  beforeAll(async () => {
    world = await testWorld();
    key = await createKey(world, { name: "nightly", tags: ["team:search", "batch"] });
    ann = await createMember(world, "member", ["office:oslo", "batch"]);
    otherWorkspace = await createWorkspace(world);
    guardrailId = uuidv7(NOW);
    const { context, workspaceId } = world;
    await context.db.guardrail.create({ data: { id: guardrailId, workspaceId, name: "Secrets", createdAt: NOW } });
    const presetId = uuidv7(NOW);
    await context.db.preset.create({
      data: { id: presetId, workspaceId, slug: "brief", name: "Brief", createdAt: NOW, updatedAt: NOW },
    });
    const timed = { latencyMs: 100, generationTimeMs: 1100, tokensCompletion: 50, tokensCached: 2 };
    await createGeneration(world, { ...timed, keyId: key.id, costMicroUsd: 4_000_000n, createdAt: ago(2), presetId });
    await createGeneration(world, {
      model: "b/b",
      costMicroUsd: 1_000_000n,
      createdAt: ago(2),
      latencyMs: 400,
      ...ORIGIN,
    });
    const blocked = { status: "blocked", providerSlug: null, tokensPrompt: null, tokensCompletion: null } as const;
    const id = await createGeneration(world, { ...blocked, costMicroUsd: 0n, createdAt: ago(1), keyId: key.id });
    const decision = {
      createdAt: ago(1),
      generationId: id,
      scope: "key",
      field: "f",
      action: "block",
      spans: [],
    } as const;
    await context.db.decision.createMany({
      data: [0, 1].map((position) => ({ ...decision, position, guardrailId })),
    });
    await createGeneration(world, {
      userId: ann,
      workspaceId: otherWorkspace,
      status: "failed",
      createdAt: ago(1),
      costKnown: false,
    });
    await createGeneration(world, { costMicroUsd: 7_000_000n, createdAt: ago(25), externalUser: "ann" });
    await createGeneration(await testWorld(), { createdAt: ago(1) });
  });

  it("is added up over time and compared with the previous period", async () => {
    const { totals, previous, series, groups, other, bucket_seconds } = await read(world.context);
    expect(totals).toEqual({
      requests: 4,
      succeeded: 2,
      failed: 1,
      blocked: 1,
      cancelled: 0,
      spend_usd: 5.000009,
      unpriced_requests: 1,
      tokens_prompt: 9,
      tokens_completion: 60,
      tokens_cached: 2,
      tokens_per_second: 50,
      time_to_first_token: { p50: 99, p95: 395, p99: 395 },
      duration: { p50: 1117, p95: 1117, p99: 1117 },
    });
    expect(previous).toMatchObject({ requests: 1, spend_usd: 7, tokens_per_second: null, duration: null });
    expect([bucket_seconds, series.length, groups, other]).toEqual([3600, 24, [], null]);
    expect(series.slice(-3).map(({ at, requests, blocked }) => [at, requests, blocked])).toEqual([
      [ago(3).toISOString(), 0, 0],
      [ago(2).toISOString(), 2, 0],
      [ago(1).toISOString(), 2, 1],
    ]);
    expect(series.at(-2)?.time_to_first_token).toEqual({ p50: 99, p95: 395, p99: 395 });
  });

  it.each([
    [
      "model",
      () => [
        ["sandbox/echo", "sandbox/echo", 4.000009, 3],
        ["b/b", "b/b", 1, 1],
      ],
    ],
    [
      "provider",
      () => [
        ["sandbox", "sandbox", 5.000009, 3],
        [null, null, 0, 1],
      ],
    ],
    [
      "key",
      () => [
        [key.hash, "nightly", 4, 2],
        [null, null, 1.000009, 2],
      ],
    ],
    [
      "tag",
      () => [
        ["batch", "batch", 4.000009, 3],
        ["team:search", "team:search", 4, 2],
        [null, null, 1, 1],
        ["office:oslo", "office:oslo", 0.000009, 1],
      ],
    ],
    [
      "member",
      () => [
        [world.adminId, `${world.adminId}@example.com`.toLowerCase(), 5, 3],
        [ann, expect.any(String), 0.000009, 1],
      ],
    ],
    ["guardrail", () => [[guardrailId, "Secrets", 0, 1]]],
    [
      "end_user",
      () => [
        [null, null, 4.000009, 3],
        ["ann", "ann", 1, 1],
      ],
    ],
    [
      "app",
      () => [
        [null, null, 4.000009, 3],
        ["https://desk.example", "https://desk.example", 1, 1],
      ],
    ],
    [
      "preset",
      () => [
        ["brief", "brief", 4, 1],
        [null, null, 1.000009, 3],
      ],
    ],
    [
      "workspace",
      () => [
        [world.workspaceId, expect.any(String), 5, 3],
        [otherWorkspace, expect.any(String), 0.000009, 1],
      ],
    ],
    [
      "status",
      () => [
        ["succeeded", "succeeded", 5, 2],
        ["failed", "failed", 0.000009, 1],
        ["blocked", "blocked", 0, 1],
      ],
    ],
    ["protocol", () => [["responses", "responses", 5.000009, 4]]],
  ])("is grouped by %s", async (group_by, expected) => {
    const { groups, other } = await read(world.context, { group_by });
    expect(groups.map(({ id, name, totals }) => [id, name, totals.spend_usd, totals.requests])).toEqual(expected());
    expect(other).toBeNull();
  });

  it("sums up what is beyond the top, by the chosen measure", async () => {
    const { groups, other } = await read(world.context, {
      group_by: "model",
      measure: "errors",
      top: "1",
      range: "7d",
    });
    expect(groups).toMatchObject([
      { id: "sandbox/echo", totals: { failed: 1, requests: 4, time_to_first_token: { p50: 99 } } },
    ]);
    expect(other).toMatchObject({ count: 1, totals: { requests: 1, spend_usd: 1 }, previous: { requests: 0 } });
    expect(other?.series.map(({ requests }) => requests)).toEqual([1]);
  });

  it.each([
    ["-requests", ["sandbox/echo", "b/b"]],
    ["requests", ["b/b", "sandbox/echo"]],
    ["-errors", ["sandbox/echo", "b/b"]],
    ["blocked", ["b/b", "sandbox/echo"]],
    ["-time_to_first_token_p95", ["b/b", "sandbox/echo"]],
    ["time_to_first_token_p50", ["sandbox/echo", "b/b"]],
    ["-duration_p99", ["sandbox/echo", "b/b"]],
    ["duration_p99", ["sandbox/echo", "b/b"]],
    ["-change", ["sandbox/echo", "b/b"]],
    ["change", ["sandbox/echo", "b/b"]],
    ["tokens_per_second", ["sandbox/echo", "b/b"]],
  ])("is ordered by %s, groups without a value last", async (sort, expected) => {
    const { groups } = await read(world.context, { group_by: "model", sort });
    expect(groups.map(({ id }) => id)).toEqual(expected);
    expect((await read(world.context, { group_by: "model", sort, top: "1" })).groups[0]?.id).toBe(expected[0]);
  });

  it("has percentiles by key and member, and of groups of a key", async () => {
    const latest = { p50: 99, p95: 99, p99: 99 };
    const firstTokens = async (query: object) =>
      (await read(world.context, query)).groups.map(({ name, totals }) => [name, totals.time_to_first_token]);
    expect(await firstTokens({ group_by: "key", sort: "-time_to_first_token_p99" })).toEqual([
      ["nightly", latest],
      [null, null],
    ]);
    expect((await firstTokens({ group_by: "member" }))[0]?.[1]).toEqual({ p50: 99, p95: 395, p99: 395 });
    expect(await firstTokens({ group_by: "model", key_hash: key.hash })).toEqual([["sandbox/echo", latest]]);
    expect((await firstTokens({ group_by: "preset" }))[0]?.[1]).toBeNull();
  });

  it("by guardrail counts as blocked what the guardrail blocked, and its filter lists these requests", async () => {
    const own = await testWorld();
    const { db } = own.context;
    const guardrails = ["Blocks", "Excludes", "Flags"].map((name) => ({ id: uuidv7(NOW), name }));
    await db.guardrail.createMany({
      data: guardrails.map((each) => ({ ...each, workspaceId: own.workspaceId, createdAt: NOW })),
    });
    const [blocks, excludes, flags] = guardrails.map(({ id }) => id);
    /** Records a request with the guardrails of its decisions by action. */
    const record = async (status: "blocked" | "succeeded", decisions: [string | undefined, string][]) => {
      const generationId = await createGeneration(own, { status, createdAt: ago(1) });
      await db.decision.createMany({
        data: decisions.map(([guardrail = null, action], position) => {
          const at = { createdAt: ago(1), generationId, position };
          return { ...at, guardrailId: guardrail, action, scope: "key", field: "f", spans: [] };
        }),
      });
      return generationId;
    };
    const ofBlock = await record("blocked", [
      [flags, "flag"],
      [excludes, "exclude"],
      [blocks, "block"],
      [blocks, "block"],
    ]);
    const ofExclusion = await record("blocked", [
      [flags, "flag"],
      [excludes, "exclude"],
    ]);
    await record("blocked", [
      [excludes, "exclude"],
      [undefined, "block"],
    ]);
    await record("succeeded", [[excludes, "exclude"]]);
    const expected = [
      [blocks, 1, 1, [ofBlock]],
      [excludes, 4, 1, [ofExclusion]],
      [flags, 2, 0, []],
    ];
    const counted = async () => {
      const { groups } = await read(own.context, { group_by: "guardrail", measure: "blocked" });
      const listed = async (id: string | null) => {
        const query = ListGenerationsQuery.parse({ blocked_by: id });
        return (await list(own.context, { params: {}, query, body: undefined })).data.map(
          (generation) => generation.id,
        );
      };
      return Promise.all(
        groups
          .toSorted((a, b) => String(a.name).localeCompare(String(b.name)))
          .map(async ({ id, totals }) => [id, totals.requests, totals.blocked, await listed(id)]),
      );
    };
    expect(await counted()).toEqual(expected);
    expect((await read(own.context, { group_by: "guardrail" })).totals.blocked).toBe(3);
    expect((await read(own.context, { guardrail_id: excludes, blocked_by: blocks })).totals.requests).toBe(0);
  });

  it("has the filters of the log", async () => {
    const requests = async (query: object) => (await read(world.context, query)).totals.requests;
    expect(await requests({ model: ["b/b", "c/c"] })).toBe(1);
    expect(await requests({ status: "blocked", key_hash: key.hash })).toBe(1);
    expect(await requests({ guardrail_id: guardrailId })).toBe(1);
    expect(await requests({ preset: "brief" })).toBe(1);
    expect(await requests({ end_user: "ann" })).toBe(1);
    expect(await requests({ app: "https://desk.example" })).toBe(1);
    expect(await requests({ tag: "team:search" })).toBe(2);
    expect(await requests({ tag: ["team:search", "batch"], status: "blocked" })).toBe(1);
    expect(await requests({ tag: "office:oslo" })).toBe(1);
    expect(await requests({ tag: "batch" })).toBe(3);
    expect(await requests({ tag: "team" })).toBe(0);
    expect(await requests({ workspace_id: otherWorkspace, user_id: ann })).toBe(1);
  });

  it("of an analyst of a workspace covers that workspace, and of a member their own keys, too", async () => {
    const { totals } = await read(world.context, { workspace_id: otherWorkspace });
    expect(totals.requests).toBeGreaterThan(0);
    const grants = grantsOf([{ role: "analyst", permissions: null, workspace: otherWorkspace }]);
    const somebody = memberCaller(world, await createMember(world), { grants });
    for (const query of [{}, { group_by: "model" }, { group_by: "member" }, { group_by: "status" }])
      expect((await read({ ...world.context, caller: somebody }, query)).totals).toEqual(totals);
    const { id } = await createKey(world, { kind: "management" });
    const caller = { ...keyCaller(world, id, "management"), grants };
    expect((await read({ ...world.context, caller })).totals.requests).toBe(totals.requests);
    const own = { ...world.context, caller: memberCaller(world, world.adminId, { grants }) };
    const query = { user_id: world.adminId };
    expect((await read(own, query)).totals.requests).toBe((await read(world.context, query)).totals.requests);
  });

  it("of a member covers their own keys", async () => {
    expect((await read({ ...world.context, caller: memberCaller(world, ann) })).totals).toMatchObject({
      requests: 1,
      failed: 1,
    });
  });
});
