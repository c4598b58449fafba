import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { addBusySubjects, rollUp } from "../../features/analytics/rollup-service";
import { DAY_MS } from "../../features/analytics/vocabulary";
import { uuidv7 } from "../../platform/ids";
import { encodeCursor } from "../../platform/http/cursor";
import { createKey, createMember, createWorkspace } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { ListGenerationsQuery } from "./contract";
import { readPage } from "./narrow-store";
import { pageQuery, type Found, type LogQuery, type Scope } from "./page-store";
import { withPlan } from "./plan-store";

const LIMIT = 3;
let world: World;
let choices: {
  keys: { id: string | null; hash?: string }[];
  users: string[];
  workspaces: string[];
  guardrails: string[];
  presetId: string;
};

beforeAll(async () => {
  world = await testWorld();
  const { context, workspaceId, adminId } = world;
  // Adds up the records of other tests first: the property adds up in small batches.
  await rollUp(context.db);
  await addBusySubjects(context.db, NOW);
  const guardrails = [uuidv7(NOW), uuidv7(NOW)];
  for (const [index, id] of guardrails.entries())
    await context.db.guardrail.create({ data: { id, workspaceId, name: `G${index}`, createdAt: NOW } });
  const presetId = uuidv7(NOW);
  await context.db.preset.create({
    data: { id: presetId, workspaceId, slug: "brief", name: "Brief", createdAt: NOW, updatedAt: NOW },
  });
  choices = {
    keys: [await createKey(world, { tags: ["x", "y"] }), await createKey(world, { tags: ["x"] }), { id: null }],
    users: [adminId, await createMember(world, "member", ["z"])],
    workspaces: [workspaceId, await createWorkspace(world)],
    guardrails,
    presetId,
  };
});

const someGeneration = fc.record({
  ago: fc.integer({ min: 0, max: 25 * DAY_MS }),
  key: fc.nat(2),
  user: fc.nat(1),
  workspace: fc.nat(1),
  model: fc.constantFrom("a/a", "b/b"),
  provider: fc.constantFrom("p", "q", null),
  status: fc.constantFrom("succeeded", "failed", "blocked"),
  hasPreset: fc.boolean(),
  isCostly: fc.nat(24).map((n) => n === 0),
  decisions: fc.array(fc.record({ guardrail: fc.nat(1), action: fc.constantFrom("flag", "block") }), { maxLength: 2 }),
});

async function create(given: typeof someGeneration extends fc.Arbitrary<infer Given> ? Given : never): Promise<void> {
  const createdAt = new Date(NOW.getTime() - given.ago);
  const keyId = choices.keys[given.key]?.id ?? null;
  const generationId = await createGeneration(world, {
    createdAt,
    keyId,
    userId: choices.users[given.user] ?? null,
    workspaceId: choices.workspaces[given.workspace] ?? world.workspaceId,
    model: given.model,
    providerSlug: given.provider,
    status: given.status,
    presetId: given.hasPreset ? choices.presetId : null,
    costMicroUsd: given.isCostly ? 900n : 1n,
  });
  // The keys of the second guardrail are known.
  const decisions = given.decisions.filter(({ guardrail }) => guardrail === 0 || keyId !== null);
  await world.context.db.decision.createMany({
    data: decisions.map(({ guardrail, action }, position) => ({
      createdAt,
      generationId,
      position,
      scope: "key",
      guardrailId: choices.guardrails[guardrail] ?? null,
      field: "f",
      action,
      spans: [],
    })),
  });
}

const filters = (): object[] => [
  { status: "blocked" },
  { model: "a/a" },
  { provider: "p" },
  { key_hash: choices.keys[0]?.hash },
  { tag: "y" },
  { tag: ["x", "z"] },
  { user_id: choices.users[1] },
  { protocol: "responses" },
  { guardrail_id: choices.guardrails[0] },
  { blocked_by: choices.guardrails[1] },
  { preset: "brief" },
  { workspace_id: choices.workspaces[1] },
  { min_cost: "0.0009" },
  {
    from: new Date(NOW.getTime() - 20.3 * DAY_MS).toISOString(),
    to: new Date(NOW.getTime() - 1.2 * DAY_MS).toISOString(),
  },
];

/** All pages, one after the other. */
async function pagesOf(scope: Scope, query: LogQuery, few: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined, isLast = false; !isLast;) {
    const found: Found[] = await readPage(world.context.db, scope, { ...query, limit: LIMIT, cursor }, few);
    const last = found[LIMIT - 1];
    ids.push(...found.slice(0, LIMIT).map(({ id }) => id));
    cursor = last && encodeCursor([last.created_at, last.id]);
    isLast = found.length <= LIMIT;
  }
  return ids;
}

it("lists by two filters are the same with and without sums, whatever was recorded since these were added up", async () => {
  const { context, organizationId } = world;
  await fc.assert(
    fc.asyncProperty(
      fc.array(someGeneration, { minLength: 10, maxLength: 30 }),
      fc.array(someGeneration, { maxLength: 4 }),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom(0, 12_000),
      fc.boolean(),
      fc.boolean(),
      async (first, later, batch, few, isMember, hasFrequentTag) => {
        for (const generation of first) await create(generation);
        await rollUp(context.db, undefined, batch);
        await addBusySubjects(context.db, NOW, undefined, 1);
        for (const generation of later) await create(generation);
        await context.db.$executeRawUnsafe("ANALYZE generations, decisions");
        const scope = { organizationId, userId: isMember ? (choices.users[1] ?? null) : null };
        const all = filters();
        for (const [index, one] of all.entries())
          for (const other of all.slice(index)) {
            const query = await withPlan(
              context.db,
              organizationId,
              ListGenerationsQuery.parse({ ...one, ...other, limit: "100" }),
            );
            const expected = await context.db.$queryRaw<Found[]>(pageQuery(scope, { ...query, limit: 10_000 }));
            const ids = expected.map(({ id }) => id);
            const pages = await pagesOf(scope, { ...query, hasFrequentTag }, few);
            expect([one, other, pages]).toEqual([one, other, ids]);
          }
      },
    ),
    { numRuns: 4 },
  );
}, 300_000);

it("lists high costs of a guardrail's keys month by month", async () => {
  const other = await testWorld();
  const { context, organizationId } = other;
  const [guardrailId, { id: keyId }] = [uuidv7(NOW), await createKey(other)];
  const ids: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    const createdAt = new Date(NOW.getTime() - n * 2 * DAY_MS);
    const isCostly = n % 10 === 5;
    const id = await createGeneration(other, { createdAt, keyId, costMicroUsd: isCostly ? 900n : 1n });
    const decision = { scope: "key", guardrailId, field: "f", action: "flag", spans: [] } as const;
    await context.db.decision.create({ data: { ...decision, createdAt, generationId: id, position: 0 } });
    if (isCostly) ids.push(id);
  }
  await rollUp(context.db);
  await context.db.$executeRawUnsafe("ANALYZE generations, decisions");
  const filters = ListGenerationsQuery.parse({ guardrail_id: guardrailId, min_cost: "0.0009", limit: "100" });
  const query = await withPlan(context.db, organizationId, filters);
  const sent = vi.spyOn(context.db, "$queryRaw");
  expect(await pagesOf({ organizationId, userId: null }, query, 12_000)).toEqual(ids);
  const texts = sent.mock.calls.map(([statement]) => ("sql" in statement ? statement.sql : statement.join("?")));
  expect(texts.some((text) => text.includes("interval '1 month'"))).toBe(true);
  sent.mockRestore();
});
