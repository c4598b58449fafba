import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { CreateExceptionBody } from "../exceptions/contract";
import { create as createException, end as endException } from "../../features/exceptions/service";
import { createKey, createMember, createWorkspace, memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { keyRule } from "../../engine/budgets/budget";
import type { BudgetRule } from "../../engine/budgets/budget-rule";
import { indexLimits, limitRules } from "../../engine/budgets/limit";
import { subjectsOf } from "../../testing/limits";
import { grantsOf } from "../roles/grants";
import { Budget, listBudgets } from "./contract";
import { toRule } from "./limit-rows";
import { list } from "./list-service";
import { release, reserve } from "./service";

const USD = 1_000_000n;
const read = async (context: Context, query: object = {}) => {
  const answer = await list(context, {
    params: {},
    query: (listBudgets.query as NonNullable<typeof listBudgets.query>).parse(query),
    body: undefined,
  });
  return { ...answer, data: answer.data.map((budget) => Budget.parse(budget)) };
};
const brief = ({ data }: Awaited<ReturnType<typeof read>>) =>
  data.map(({ guardrail_name, subject }) => `${guardrail_name ?? "own"} ${subject.name}`).sort();

const createGuardrail = async (
  { context, workspaceId }: World,
  name: string,
  limitMicroUsd: bigint | null = 10n * USD,
) => {
  const { id } = await context.db.guardrail.create({
    data: { id: uuidv7(NOW), workspaceId, name, limitMicroUsd, resetInterval: "daily", createdAt: NOW },
  });
  return id;
};

const ruleOf = (sourceId: string, subject: "key" | "member", subjectId: string): BudgetRule => ({
  source: null,
  sourceId,
  subject,
  subjectId,
  limitMicroUsd: 10n * USD,
  interval: "daily",
  includesByok: false,
});

/** Records a request's cost under a rule in the ledger. */
async function spend({ context }: World, rule: BudgetRule, microUsd: bigint) {
  const generationId = uuidv7(NOW);
  const admission = await reserve(context, generationId, [{ rule, microUsd }]);
  if (!("held" in admission)) throw new Error("expected to be admitted");
  await release(context, generationId, admission.held);
  for (const { budgetId } of admission.held)
    await context.db.budget.update({ where: { id: budgetId }, data: { spentMicroUsd: { increment: microUsd } } });
}

describe("budgets in force", () => {
  let world: World;
  let ann: string;
  let annsKey: { id: string; hash: string };
  let asAnn: Context;
  let ofKey: string;
  beforeAll(async () => {
    world = await testWorld();
    const { context, organizationId, workspaceId } = world;
    const { db } = context;
    ann = await createMember(world);
    await db.member.update({ where: { id: ann }, data: { firstName: "Ann", lastName: "Lee" } });
    annsKey = await createKey(world, { creatorUserId: ann, name: "ann's" });
    const limited = await createKey(world, { name: "limited" });
    await db.key.update({ where: { id: limited.id }, data: { limitMicroUsd: 5n * USD } });
    const elsewhere = await createKey(world, { name: "elsewhere", workspaceId: await createWorkspace(world) });
    await db.key.update({ where: { id: elsewhere.id }, data: { limitMicroUsd: 5n * USD } });
    for (const [name, data] of Object.entries({
      disabled: { disabled: true },
      deleted: { deletedAt: NOW },
      expired: { expiresAt: NOW },
    })) {
      const { id } = await createKey(world, { name });
      await db.key.update({ where: { id }, data: { ...data, limitMicroUsd: 5n * USD } });
    }
    ofKey = await createGuardrail(world, "Of key");
    const ofMember = await createGuardrail(world, "Of member");
    const fallback = await createGuardrail(world, "Default");
    const unlimited = await createGuardrail(world, "Unlimited", null);
    await db.guardrailKeyAssignment.createMany({
      data: [
        { id: uuidv7(NOW), organizationId, guardrailId: ofKey, keyId: annsKey.id },
        { id: uuidv7(NOW), organizationId, guardrailId: unlimited, keyId: limited.id },
      ],
    });
    await db.guardrailMemberAssignment.create({
      data: { id: uuidv7(NOW), organizationId, guardrailId: ofMember, workspaceId, userId: ann },
    });
    await db.workspace.update({ where: { id: workspaceId }, data: { defaultGuardrailId: fallback } });
    asAnn = { ...context, caller: memberCaller(world, ann) };
    const other = await testWorld();
    const foreign = await createKey(other);
    await other.context.db.key.update({ where: { id: foreign.id }, data: { limitMicroUsd: USD } });
  });
  const ofAnn = ["Default Ann Lee", "Default ann's", "Of key ann's", "Of member Ann Lee"];
  const admin = () => `${world.adminId}@example.com`.toLowerCase();

  it("include those of every active key and member, equivalent to the policy", async () => {
    const all = await read(world.context);
    expect(brief(all)).toEqual(
      [...ofAnn, `Default ${admin()}`, "Default limited", "own elsewhere", "own limited"].sort(),
    );
    expect(all.total_count).toBe(8);
  });

  it("can be filtered by key", async () => {
    expect(brief(await read(world.context, { key_hash: annsKey.hash }))).toEqual(ofAnn);
  });

  it("can be filtered by member, the only ones a member may see", async () => {
    expect(brief(await read(world.context, { user_id: ann }))).toEqual(ofAnn);
    expect(brief(await read(asAnn))).toEqual(ofAnn);
    expect(brief(await read(asAnn, { user_id: world.adminId }))).toEqual([]);
    expect(brief(await read(asAnn, { guardrail_id: ofKey }))).toEqual(["Of key ann's"]);
  });

  it("can be filtered by guardrail and by workspace", async () => {
    expect(brief(await read(world.context, { guardrail_id: ofKey }))).toEqual(["Of key ann's"]);
    expect(brief(await read(world.context, { workspace_id: world.workspaceId }))).not.toContain("own elsewhere");
  });

  it("are paged, with the total count beyond the last page", async () => {
    const pages = await Promise.all(["0", "5", "10"].map((offset) => read(world.context, { offset, limit: "5" })));
    expect(pages.map(({ data, total_count }) => [data.length, total_count])).toEqual([
      [5, 8],
      [3, 8],
      [0, 8],
    ]);
    expect(brief({ ...(await read(world.context)), data: pages.flatMap(({ data }) => data) })).toEqual(
      brief(await read(world.context)),
    );
  });
});

describe("budget balances", () => {
  it("match the ledger, closest to the limit first, with the contributing keys", async () => {
    const world = await testWorld();
    const { context, organizationId, workspaceId, adminId } = world;
    const { db } = context;
    const nightly = await createKey(world, { name: "nightly-eval" });
    const other = await createKey(world, { name: "other" });
    const guardrailId = await createGuardrail(world, "Team");
    await db.guardrailMemberAssignment.create({
      data: { id: uuidv7(NOW), organizationId, guardrailId, workspaceId, userId: adminId },
    });
    await db.guardrailKeyAssignment.create({ data: { id: uuidv7(NOW), organizationId, guardrailId, keyId: other.id } });
    await spend(world, ruleOf(guardrailId, "member", adminId), 5n * USD);
    await reserve(context, "gen-running", [{ rule: ruleOf(guardrailId, "member", adminId), microUsd: USD }]);
    await spend(world, ruleOf(guardrailId, "key", other.id), USD);
    const midnight = new Date("2026-11-20T00:00:00Z");
    await createGeneration(world, { keyId: nightly.id, costMicroUsd: 3n * USD, createdAt: midnight });
    await createGeneration(world, { keyId: other.id, costMicroUsd: USD });
    await createGeneration(world, { keyId: other.id, costMicroUsd: 50n * USD, isByok: true });
    await createGeneration(world, {
      keyId: other.id,
      costMicroUsd: 50n * USD,
      createdAt: new Date(midnight.getTime() - 1),
    });
    await createGeneration(world, {
      keyId: other.id,
      costMicroUsd: 50n * USD,
      workspaceId: await createWorkspace(world),
    });

    const { data } = await read(context, { user_id: adminId });
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual({
      alerts: [],
      guardrail_id: guardrailId,
      guardrail_name: "Team",
      limit_id: null,
      limit_name: null,
      workspace_id: world.workspaceId,
      subject: { type: "member", id: adminId, name: `${adminId}@example.com`.toLowerCase() },
      limit_usd: 10,
      raised_usd: 0,
      spent_usd: 5,
      reserved_usd: 1,
      remaining_usd: 4,
      reset_interval: "daily",
      resets_at: "2026-11-21T00:00:00.000Z",
      // Ten hours since midnight at 0.40 USD per hour, so 4 USD last ten more hours.
      forecast: {
        exhausted_at: "2026-11-20T20:00:00.000Z",
        projected_usd: 10.6,
        usd_per_hour: 0.4,
        contributors: [
          { key_hash: nightly.hash, key_name: "nightly-eval", share: 0.75 },
          { key_hash: other.hash, key_name: "other", share: 0.25 },
        ],
      },
    });
    expect(data[1]).toMatchObject({
      subject: { type: "key", id: other.hash, name: "other" },
      spent_usd: 1,
      remaining_usd: 9,
    });
  });

  it("of a key's own limit include its spend before the first reservation", async () => {
    const world = await testWorld();
    const key = await createKey(world);
    await world.context.db.key.update({
      where: { id: key.id },
      data: { limitMicroUsd: 4n * USD, limitReset: "daily" },
    });
    await createGeneration(world, { keyId: key.id, costMicroUsd: USD });
    expect((await read(world.context)).data).toMatchObject([
      { guardrail_id: null, spent_usd: 1, remaining_usd: 3, reset_interval: "daily" },
    ]);
    const rule = keyRule(key.id, { limitMicroUsd: 4n * USD, limitReset: "daily", includeByokInLimit: false });
    if (!rule) throw new Error("expected a rule");
    await spend(world, rule, 5n * USD);
    expect((await read(world.context)).data).toMatchObject([
      { spent_usd: 6, remaining_usd: 0, forecast: { exhausted_at: NOW.toISOString() } },
    ]);
  });

  it("include raises by exceptions, only for their subjects", async () => {
    const world = await testWorld();
    const { context, organizationId, workspaceId } = world;
    const ann = await createMember(world);
    const anns = await createKey(world, { creatorUserId: ann, name: "ann's" });
    const other = await createKey(world, { name: "other" });
    await context.db.key.update({ where: { id: other.id }, data: { limitMicroUsd: 10n * USD } });
    const guardrailId = await createGuardrail(world, "Team");
    await context.db.guardrailMemberAssignment.create({
      data: { id: uuidv7(NOW), organizationId, guardrailId, workspaceId, userId: ann },
    });
    await context.db.guardrailKeyAssignment.createMany({
      data: [anns, other].map(({ id }) => ({ id: uuidv7(NOW), organizationId, guardrailId, keyId: id })),
    });
    const raise = (raise_usd: number, whose: object) =>
      createException(context, {
        params: {},
        query: {},
        body: CreateExceptionBody.parse({
          kind: "raise_limit",
          raise_usd,
          reason: "Launch",
          expires_at: "2026-11-20T12:00:00.000Z",
          ...whose,
        }),
      });
    await raise(1, { user_id: ann, guardrail_id: guardrailId });
    await raise(2, { key_hash: anns.hash, guardrail_id: guardrailId });
    await raise(4, { key_hash: other.hash });
    const { data: ended } = await raise(8, { key_hash: other.hash });
    await endException(context, { params: { id: ended.id }, query: {}, body: undefined });
    const limits = async (now: Date) =>
      Object.fromEntries(
        (await read({ ...context, now })).data.map(
          ({ guardrail_name, subject, limit_usd, raised_usd, remaining_usd }) => [
            `${guardrail_name ?? "own"} ${subject.type} ${subject.name}`,
            [limit_usd, raised_usd, remaining_usd],
          ],
        ),
      );
    const annsName = `Team member ${ann}@example.com`.toLowerCase().replace("team", "Team");
    expect(await limits(NOW)).toEqual({
      "Team key ann's": [13, 3, 13],
      [annsName]: [11, 1, 11],
      "Team key other": [10, 0, 10],
      "own key other": [14, 4, 14],
    });
    expect(new Set(Object.values(await limits(new Date("2026-11-20T12:00:00.000Z"))).map(([limit]) => limit))).toEqual(
      new Set([10]),
    );
  });
});

describe("spending limits of the organization", () => {
  const limit = (world: World, id: string, given: object) =>
    world.context.db.limit.create({
      data: {
        id,
        organizationId: world.organizationId,
        name: id.slice(-4),
        subject: "organization",
        subjectIds: [],
        isForEach: false,
        metric: "spend",
        amount: 10n * USD,
        window: "monthly",
        timeZone: "Europe/Berlin",
        startHour: 0,
        startWeekday: 1,
        startMonthDay: 1,
        includeByok: false,
        carryOver: false,
        countsSince: new Date("2026-11-01T00:00:00Z"),
        createdAt: NOW,
        ...given,
      },
    });
  const names = async (context: Context, query: object = {}) =>
    (await read(context, query)).data.map(({ limit_name, subject }) => `${limit_name} ${subject.type} ${subject.name}`);

  it("are listed with what is left, when they reset in their time zone, and the pace of their window", async () => {
    const world = await testWorld();
    const id = uuidv7(NOW);
    const row = await limit(world, id, {});
    const [rule] = limitRules(indexLimits([toRule(row)]), subjectsOf());
    if (!rule) throw new Error("a limit on the organization counts every request");
    await spend(world, rule, 5n * USD);
    const { data, total_count } = await read(world.context);
    expect(total_count).toBe(1);
    expect(data[0]).toMatchObject({
      guardrail_id: null,
      limit_id: id,
      workspace_id: null,
      subject: { type: "organization", id, name: id.slice(-4) },
      limit_usd: 10,
      spent_usd: 5,
      remaining_usd: 5,
      reset_interval: "monthly",
      resets_at: "2026-11-30T23:00:00.000Z",
      forecast: { contributors: [] },
    });
    expect(data[0]?.forecast.projected_usd).toBeGreaterThan(5);
  });

  it("are found by the key, member or workspace that they count; members see their own", async () => {
    const world = await testWorld();
    const { context, workspaceId, adminId, organizationId } = world;
    const userId = await createMember(world, "member", ["oslo"]);
    const key = await createKey(world, { creatorUserId: userId, tags: ["search"] });
    await limit(world, "00000000-0000-7000-8000-00000000a001", {});
    const ofWorkspace = { subject: "workspace", subjectIds: [workspaceId] };
    await limit(world, "00000000-0000-7000-8000-00000000a002", ofWorkspace);
    await limit(world, "00000000-0000-7000-8000-00000000a003", {
      subject: "tag",
      subjectIds: ["search", "oslo", "other"],
    });
    await limit(world, "00000000-0000-7000-8000-00000000a004", { subject: "member", subjectIds: [userId, adminId] });
    await limit(world, "00000000-0000-7000-8000-00000000a005", { subject: "keys", subjectIds: [key.id] });
    await limit(world, "00000000-0000-7000-8000-00000000a006", { subject: "end_user", isForEach: true });
    await limit(world, "00000000-0000-7000-8000-00000000a007", { metric: "tokens" });
    await limit(world, "00000000-0000-7000-8000-00000000a008", { enabled: false });
    const member = `${userId}@example.com`.toLowerCase();
    const ofKey = ["a001 organization a001", "a002 workspace Default", "a003 tag oslo", "a003 tag search"];
    const own = [`a004 member ${member}`, "a005 keys a005"];
    expect((await names(context, { key_hash: key.hash })).sort()).toEqual([...ofKey, ...own]);
    expect((await names(context, { workspace_id: workspaceId })).sort()).toEqual(["a002 workspace Default"]);
    expect(await names(context, { guardrail_id: uuidv7(NOW) })).toEqual([]);
    expect((await names(context)).length).toBe(8);
    const asMember: Context = { ...context, caller: memberCaller(world, userId) };
    expect((await names(asMember)).sort()).toEqual(own);
    await context.db.limit.deleteMany({ where: { organizationId } });
    expect(await names(context)).toEqual([]);
  });

  /** Spends a dollar of a limit. */
  const use = async (world: World, row: Parameters<typeof toRule>[0], who: Parameters<typeof subjectsOf>[0]) => {
    const rules = limitRules(indexLimits([toRule(row)]), subjectsOf(who));
    for (const rule of rules) await spend(world, rule, USD);
  };

  it("of others aren't shown to a role in one workspace", async () => {
    const world = await testWorld();
    const { workspaceId, context, adminId } = world;
    const other = await createWorkspace(world);
    const [lead, ann] = [await createMember(world), await createMember(world)];
    const here = await createKey(world, { creatorUserId: ann, name: "here" });
    const there = await createKey(world, { creatorUserId: ann, name: "there", workspaceId: other });
    const each = (subject: string, given: object = {}) => ({ subject, isForEach: true, ...given });
    const rows = [
      await limit(world, "00000000-0000-7000-8000-00000000b001", {}),
      await limit(world, "00000000-0000-7000-8000-00000000b002", each("workspace")),
      await limit(world, "00000000-0000-7000-8000-00000000b003", each("member")),
      await limit(world, "00000000-0000-7000-8000-00000000b004", each("key")),
      await limit(world, "00000000-0000-7000-8000-00000000b005", each("end_user", { workspaceId: other })),
      await limit(world, "00000000-0000-7000-8000-00000000b006", each("end_user", { workspaceId })),
      await limit(world, "00000000-0000-7000-8000-00000000b007", { subject: "member", subjectIds: [ann] }),
      await limit(world, "00000000-0000-7000-8000-00000000b008", { subject: "keys", subjectIds: [there.id] }),
      await limit(world, "00000000-0000-7000-8000-00000000b009", { subject: "keys", subjectIds: [here.id] }),
    ];
    for (const row of rows)
      for (const [keyId, id, userId] of [
        [here.id, workspaceId, ann],
        [there.id, other, ann],
        [here.id, workspaceId, lead],
      ] as const)
        await use(world, row, { keyId, workspaceId: id, userId, endUser: "eve" });
    const grants = grantsOf([
      { role: "member", permissions: null, workspace: null },
      { role: "admin", permissions: null, workspace: other },
    ]);
    const asLead: Context = { ...context, caller: memberCaller(world, lead, { grants }) };
    const ofOther = ["b002 workspace Other", "b004 key there", "b008 keys b008"];
    const own = `b003 member ${lead}@example.com`.toLowerCase();
    expect((await names(asLead)).sort()).toEqual([...ofOther, "b005 end_user eve", own].sort());
    expect((await names(asLead, { user_id: ann })).sort()).toEqual(ofOther);
    expect(await names(asLead, { user_id: adminId })).toEqual([]);
    expect((await names(asLead, { workspace_id: other })).sort()).toEqual([
      "b002 workspace Other",
      "b005 end_user eve",
    ]);
    expect(await names(asLead, { include_limits: "false" })).toEqual([]);
  });

  it("of a key are found among any number of others", async () => {
    const world = await testWorld();
    const row = await limit(world, "00000000-0000-7000-8000-00000000c001", { subject: "key", isForEach: true });
    const key = await createKey(world, { name: "last" });
    await use(world, row, { keyId: key.id });
    const [budget] = await world.context.db.budget.findMany({ where: { sourceId: row.id } });
    if (!budget) throw new Error("the limit counts the key");
    await world.context.db.budget.createMany({
      data: Array.from({ length: 100 }, () => {
        const id = uuidv7(NOW);
        return { ...budget, id, subjectId: id, spentMicroUsd: 2n * USD };
      }),
    });
    expect(await names(world.context, { key_hash: key.hash })).toEqual(["c001 key last"]);
  });
});
