import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Prisma } from "../../../prisma/generated/client";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { createKey, createMember, createWorkspace, memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { cases } from "../../testing/random";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { purgeExpired } from "../retention/service";
import { getActivity } from "./activity-contract";
import { activity } from "./activity-service";
import { getOverview } from "./contract";
import { compareRollups, rollUp } from "./rollup-service";
import { ROLLUPS } from "./rollup-store";
import { overview } from "./service";
import { getUsage } from "./usage-contract";
import { usage } from "./usage-service";
import { DAY_MS, GROUPS } from "./vocabulary";

const Overview = getOverview.query as NonNullable<typeof getOverview.query>;
const Usage = getUsage.query as NonNullable<typeof getUsage.query>;
const overviewOf = async (context: Context, query: object) =>
  (await overview(context, { params: {}, query: Overview.parse(query), body: undefined })).data;
const usageOf = async (context: Context, query: object) =>
  (await usage(context, { params: {}, query: Usage.parse(query), body: undefined })).data;

const Activity = getActivity.query as NonNullable<typeof getActivity.query>;
const activityOf = (context: Context, query: object) =>
  activity(context, { params: {}, query: Activity.parse(query), body: undefined });

/** Rolls up everything. Other tests' transactions may delay generations. */
const rollUpAll = ({ context, organizationId }: World, run = () => rollUp(context.db)) =>
  expect
    .poll(async () => {
      await run();
      const [row] = await context.db.$queryRaw<{ late: number }[]>`
        SELECT count(*)::int AS late FROM generations g LEFT JOIN rollup_positions p USING (organization_id)
        WHERE g.organization_id = ${organizationId}::uuid AND (p.recorded_in IS NULL OR (g.recorded_in, g.id) > (p.recorded_in, p.generation_id))`;
      return row?.late;
    })
    .toBe(0);

/** Drops rollups, so that all figures are counted from generations. */
async function forget({ context: { db }, organizationId }: World): Promise<void> {
  for (const table of [...ROLLUPS.map((rollup) => rollup.table), "rollup_positions"])
    await db.$executeRawUnsafe(`DELETE FROM ${table} WHERE organization_id = $1::uuid`, organizationId);
}

const check = async ({ context, organizationId }: World) =>
  (await compareRollups(context.db, organizationId, NOW)).map(({ missing, wrong }) => missing + wrong);
const SAME = ROLLUPS.map(() => 0);

/** Returns a database whose transactions call a function with their result, after all statements. */
function watched({ context: { db } }: World, end: (result: unknown) => void): Context["db"] {
  type Work = (transaction: Context["db"]) => Promise<unknown>;
  const $transaction = (work: Work, options: object) =>
    (db.$transaction as unknown as (work: Work, options: object) => Promise<unknown>)(async (transaction) => {
      const result = await work(transaction);
      end(result);
      return result;
    }, options);
  return new Proxy(db, { get: (target, name) => (name === "$transaction" ? $transaction : Reflect.get(target, name)) });
}

/** Returns a database whose transactions fail at the given places. */
function failing(world: World, fails: readonly boolean[]): Context["db"] {
  let transactions = 0;
  return watched(world, () => {
    if (fails[transactions++]) throw new Error("killed");
  });
}

describe("rollups", () => {
  let world: World;
  let choices: {
    keyHash: string;
    keys: (string | null)[];
    users: string[];
    workspaces: string[];
    guardrails: string[];
    presetId: string;
  };
  beforeAll(async () => {
    world = await testWorld();
    const { context, workspaceId, adminId } = world;
    const guardrails = [uuidv7(NOW), uuidv7(NOW)];
    for (const [index, id] of guardrails.entries())
      await context.db.guardrail.create({ data: { id, workspaceId, name: `G${index}`, createdAt: NOW } });
    const presetId = uuidv7(NOW);
    await context.db.preset.create({
      data: { id: presetId, workspaceId, slug: "brief", name: "Brief", createdAt: NOW, updatedAt: NOW },
    });
    const key = await createKey(world, { tags: ["x", "team:y"] });
    choices = {
      keyHash: key.hash,
      keys: [key.id, (await createKey(world, { tags: ["x"] })).id, null],
      users: [adminId, await createMember(world, "member", ["x", "z"])],
      workspaces: [workspaceId, await createWorkspace(world)],
      guardrails,
      presetId,
    };
  });

  const count = fc.integer({ min: 0, max: 5000 });
  const someDecision = fc.record({
    guardrail: fc.option(fc.nat(1)),
    rule: fc.option(fc.constantFrom("x", "y")),
    action: fc.constantFrom("flag", "block", "exclude"),
  });
  const someGeneration = fc.record({
    ago: fc.integer({ min: 0, max: 25 * DAY_MS }),
    key: fc.nat(2),
    user: fc.nat(1),
    workspace: fc.nat(1),
    model: fc.constantFrom("a/a", "b/b"),
    provider: fc.constantFrom("p", "q", null),
    status: fc.constantFrom("succeeded", "failed", "blocked", "cancelled"),
    tokens: fc.option(count),
    cost: count,
    latency: fc.option(count),
    duration: fc.option(count),
    hasPreset: fc.boolean(),
    isByok: fc.boolean(),
    isCostKnown: fc.boolean(),
    decisions: fc.array(someDecision, {
      maxLength: 3,
    }),
  });

  async function create(given: typeof someGeneration extends fc.Arbitrary<infer Given> ? Given : never): Promise<void> {
    const createdAt = new Date(NOW.getTime() - given.ago);
    const generationId = await createGeneration(world, {
      createdAt,
      keyId: choices.keys[given.key] ?? null,
      userId: choices.users[given.user] ?? null,
      workspaceId: choices.workspaces[given.workspace] ?? world.workspaceId,
      model: given.model,
      providerSlug: given.provider,
      status: given.status,
      tokensPrompt: given.tokens,
      costMicroUsd: BigInt(given.cost),
      latencyMs: given.latency,
      generationTimeMs: given.duration,
      tokensReasoning: given.tokens,
      isByok: given.isByok,
      costKnown: given.isCostKnown,
      presetId: given.hasPreset ? choices.presetId : null,
    });
    await world.context.db.decision.createMany({
      data: given.decisions.map(({ guardrail, rule, action }, position) => ({
        createdAt,
        generationId,
        position,
        scope: "key",
        guardrailId: guardrail === null ? null : (choices.guardrails[guardrail] ?? null),
        guardrailName: "G",
        field: "f",
        rule,
        action,
        spans: [],
      })),
    });
  }

  const someTags = fc.record({ subject: fc.nat(3), tags: fc.subarray(["x", "team:y", "z", "w"]) });

  /** Changes the tags of one of two keys and two members. */
  async function tag({ subject, tags }: typeof someTags extends fc.Arbitrary<infer Given> ? Given : never) {
    const { db } = world.context;
    const [keyId, userId] = [choices.keys[subject], choices.users[subject - 2]];
    if (keyId) await db.key.update({ where: { id: keyId }, data: { tags } });
    else if (userId) await db.member.update({ where: { id: userId }, data: { tags } });
  }

  const hours = (ago: number) => new Date(NOW.getTime() - ago * 60 * 60 * 1000).toISOString();
  const queries = () => [
    ...GROUPS.map((group_by) => ({ group_by, range: "7d", top: "1" })),
    { from: hours(100.3), to: hours(1.7), group_by: "model" },
    { from: hours(30.5), to: hours(3.5), group_by: "key", measure: "tokens" },
    { from: hours(10.2), to: hours(9.9), group_by: "status" },
    { range: "90d", group_by: "provider", guardrail_id: choices.guardrails[0] },
    { range: "90d", group_by: "guardrail", guardrail_id: choices.guardrails },
    { range: "90d", group_by: "status", guardrail_id: choices.guardrails[1] },
    { from: hours(200.3), to: hours(1.7), group_by: "guardrail", top: "1" },
    { from: hours(100.3), to: hours(1.7), group_by: "preset" },
    { range: "90d", group_by: "guardrail", measure: "blocked", top: "1" },
    { range: "30d", group_by: "guardrail", measure: "blocked", key_hash: choices.keyHash },
    { range: "90d", group_by: "model", blocked_by: choices.guardrails[0] },
    { range: "7d", group_by: "model", user_id: choices.users[1], measure: "errors" },
    { range: "7d", group_by: "key", status: ["succeeded", "failed"], workspace_id: choices.workspaces[1] },
    { from: hours(600), to: hours(1.5), group_by: "key", measure: "blocked", top: "2" },
    { range: "30d", group_by: "member", key_hash: choices.keyHash },
    { range: "30d", group_by: "preset", model: "b/b", top: "1" },
    { range: "7d", group_by: "member", tag: "team:y" },
    { range: "30d", group_by: "tag", tag: ["team:y", "z"], status: "succeeded" },
    { range: "30d", group_by: "tag", user_id: choices.users[1], measure: "requests" },
    { range: "30d", group_by: "tag", key_hash: choices.keyHash },
    { range: "90d", group_by: "status", tag: "x", measure: "requests" },
    { range: "90d", group_by: "tag", workspace_id: choices.workspaces[1], top: "2" },
    ...["model", "provider", "preset", "protocol", "guardrail"].map((group_by) => ({
      range: "30d",
      group_by,
      key_hash: choices.keyHash,
    })),
    ...["model", "guardrail"].map((group_by) => ({
      from: hours(500.4),
      to: hours(3.2),
      group_by,
      user_id: choices.users[1],
      top: "1",
    })),
    { range: "30d", group_by: "model", user_id: choices.users[1], key_hash: choices.keyHash },
    {
      range: "90d",
      group_by: "status",
      key_hash: choices.keyHash,
      preset: "brief",
      provider: "p",
      guardrail_id: choices.guardrails[1],
    },
    { range: "7d", group_by: "workspace", preset: "brief", protocol: "responses", model: "a/a" },
  ];
  const usagesOf = (read: readonly object[]) =>
    read.reduce<Promise<unknown[]>>(
      async (before, query) => [...(await before), await usageOf(world.context, query)],
      Promise.resolve([]),
    );
  const readAll = async () => {
    const member = memberCaller(world, choices.users[1] ?? "");
    return {
      overviews: [
        await overviewOf(world.context, { range: "24h" }),
        await overviewOf(world.context, { from: hours(2.7), to: hours(2.1) }),
        await overviewOf(world.context, { range: "90d", workspace_id: choices.workspaces[1] }),
        await overviewOf({ ...world.context, caller: member }, { from: hours(500.5), to: hours(20.5) }),
      ],
      activities: [
        await activityOf(world.context, {}),
        await activityOf(world.context, { group_by: "workspace", workspace_id: choices.workspaces[1] }),
        await activityOf({ ...world.context, caller: member }, {}),
        await activityOf(world.context, { api_key_hash: choices.keyHash }),
      ],
      usages: await usagesOf(queries()),
    };
  };

  it("give the same figures as the generations, wherever the jobs fail and whatever is recorded or tagged meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someGeneration, { minLength: 1, maxLength: 12 }),
        fc.array(someGeneration, { maxLength: 6 }),
        fc.array(someTags, { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (first, later, tags, fails, batch) => {
          const db = failing(world, fails);
          for (const generation of first) await create(generation);
          for (const _ of fails) await rollUp(db, undefined, batch).catch(() => 0);
          for (const change of tags) await tag(change);
          for (const generation of later) await create(generation);
          const partly = await readAll();
          expect(await check(world)).toEqual(SAME);
          await rollUpAll(world);
          const rolledUp = await readAll();
          expect(await check(world)).toEqual(SAME);
          await forget(world);
          const counted = await readAll();
          expect(partly).toEqual(counted);
          expect(rolledUp).toEqual(counted);
          const { groups } = await usageOf(world.context, { range: "90d", group_by: "guardrail" });
          for (const { id, totals } of groups)
            expect((await usageOf(world.context, { range: "90d", blocked_by: id })).totals.requests).toBe(
              totals.blocked,
            );
        },
      ),
      { numRuns: cases(3) },
    );
  }, 300_000);

  it("are added once by several processes at the same time", async () => {
    await rollUpAll(world);
    for (let index = 0; index < 20; index += 1) await createGeneration(world, { createdAt: NOW });
    await Promise.all([1, 2, 3].map(() => rollUp(world.context.db, undefined, 3)));
    await rollUpAll(world);
    expect(await check(world)).toEqual(SAME);
  });

  it("are added in smaller batches after one has timed out", async () => {
    await rollUpAll(world);
    for (let index = 0; index < 20; index += 1) await createGeneration(world, { createdAt: NOW });
    const timeout = () => new Prisma.PrismaClientKnownRequestError("late", { code: "P2028", clientVersion: "7" });
    let timeouts = 0;
    const slow = watched(world, (result) => {
      if ((result as { added: number }).added <= 3) return;
      timeouts += 1;
      throw timeout();
    });
    await rollUpAll(world, () => rollUp(slow, undefined, 16));
    expect(timeouts).toBeGreaterThan(0);
    expect(await check(world)).toEqual(SAME);

    await createGeneration(world, { createdAt: NOW });
    let attempts = 0;
    const stuck = watched(world, () => {
      attempts += 1;
      throw timeout();
    });
    await expect(rollUp(stuck, undefined, 64)).rejects.toThrow("late");
    expect(attempts).toBe(6);
    await rollUpAll(world);
  });

  it("start over in a database that was copied to a server with earlier transactions", async () => {
    await rollUpAll(world);
    const { db } = world.context;
    const { organizationId } = world;
    const later = 10n ** 15n;
    const hours = [1, 2, 3].map((ago) => new Date(NOW.getTime() - ago * 60 * 60 * 1000));
    for (const createdAt of hours) await createGeneration(world, { createdAt });
    await db.generation.updateMany({ where: { organizationId }, data: { recordedIn: later } });
    await db.rollupPosition.update({ where: { organizationId }, data: { recordedIn: later } });
    await createGeneration(world, { createdAt: NOW, costMicroUsd: 77n });
    await rollUpAll(world);
    expect(await check(world)).toEqual(SAME);
    const numbers = await db.generation.groupBy({ by: ["recordedIn"], where: { organizationId } });
    expect(numbers.every(({ recordedIn }) => recordedIn < later)).toBe(true);
    expect(numbers.length).toBeGreaterThanOrEqual(hours.length);
  });

  it("start over after an update that adds a sum", async () => {
    await rollUpAll(world);
    const { db } = world.context;
    const { organizationId } = world;
    await db.guardrailDay.updateMany({ where: { organizationId }, data: { blocks: 99n } });
    expect(await check(world)).not.toEqual(SAME);
    await db.rollupPosition.update({ where: { organizationId }, data: { recordedIn: 2n ** 63n - 1n } });
    await rollUpAll(world);
    expect(await check(world)).toEqual(SAME);
  });

  it("of a changed row are found by the check", async () => {
    await rollUpAll(world);
    await world.context.db.usageHour.updateMany({
      where: { organizationId: world.organizationId },
      data: { spend: 1n },
    });
    expect((await check(world))[0]).toBeGreaterThan(0);
  });
});

it("are deleted by weeks whose generations retention has deleted", async () => {
  const world = await testWorld();
  const { db } = world.context;
  await db.workspace.update({ where: { id: world.workspaceId }, data: { metadataRetentionDays: 2 } });
  for (const days of [1, 3.5, 6, 12])
    await createGeneration(world, { createdAt: new Date(NOW.getTime() - days * DAY_MS) });
  await rollUpAll(world);
  await purgeExpired(db, NOW);
  const where = { organizationId: world.organizationId };
  const days = await db.keyDay.findMany({ where, orderBy: { at: "asc" } });
  // The week that is partly past the retention remains with its days.
  expect(days.map(({ at }) => at.toISOString().slice(0, 10))).toEqual(["2026-11-16", "2026-11-19"]);
  expect(await check(world)).toEqual(SAME);
});
