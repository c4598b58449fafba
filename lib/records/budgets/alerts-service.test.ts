import { describe, expect, it } from "vitest";
import type { Prisma } from "../../../prisma/generated/client";
import { CreateExceptionBody } from "../exceptions/contract";
import { create as createException } from "../../features/exceptions/service";
import { newGenerationId, uuidv7 } from "../../platform/ids";
import { record } from "../../gateway/record/record-store";
import { update as updateOrganization } from "../organization/service";
import { createKey } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { outcomeOf } from "../../testing/outcomes";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreateWebhookBody } from "../webhooks/contract";
import { create } from "../webhooks/service";
import { raiseAlerts } from "./alerts-service";
import { budgetOf } from "../../engine/budgets/budget";
import type { BudgetRule } from "../../engine/budgets/budget-rule";
import { indexLimits, limitRules } from "../../engine/budgets/limit";
import { subjectsOf } from "../../testing/limits";
import { toRule } from "./limit-rows";
import { createBudgets } from "./balances-store";
import { list } from "./list-service";
import { get, update } from "./thresholds-service";

const USD = 1_000_000n;
const none = { query: {}, params: {}, body: undefined };

/** Creates a key under a guardrail of $10 per day, and a webhook for budget events. */
async function scene() {
  const world = await testWorld();
  const { context, workspaceId } = world;
  const { id: guardrailId } = await context.db.guardrail.create({
    data: {
      id: uuidv7(NOW),
      workspaceId,
      name: "Daily",
      limitMicroUsd: 10n * USD,
      resetInterval: "daily",
      createdAt: NOW,
    },
  });
  const key = await createKey(world, { name: "nightly-eval" });
  await context.db.guardrailKeyAssignment.create({
    data: { id: uuidv7(NOW), organizationId: world.organizationId, guardrailId, keyId: key.id, createdAt: NOW },
  });
  const { data: webhook } = await create(context, {
    ...none,
    body: CreateWebhookBody.parse({
      url: "https://hooks.example.com/",
      events: ["budget.threshold_reached", "budget.exhausted"],
    }),
  });
  const rule: BudgetRule = {
    source: null,
    sourceId: guardrailId,
    subject: "key",
    subjectId: key.id,
    limitMicroUsd: 10n * USD,
    interval: "daily",
    includesByok: false,
  };
  return { world, guardrailId, key, webhook, rule };
}

/** Writes spend to a budget's ledger together with its generation. */
async function spend(world: World, rule: BudgetRule, microUsd: bigint, now = NOW) {
  const budget = budgetOf(rule, now);
  await createBudgets(world.context.db, [budget], now);
  await world.context.db.budget.update({ where: { id: budget.id }, data: { spentMicroUsd: microUsd } });
  await createGeneration(world, { keyId: rule.subjectId, costMicroUsd: microUsd, createdAt: now });
  return budget;
}

const delivered = async ({ context }: World, webhookId: string) => {
  const rows = await context.db.webhookDelivery.findMany({ where: { webhookId }, orderBy: { createdAt: "asc" } });
  return rows
    .map(({ type, body }) => ({
      type,
      ...(JSON.parse(body) as { data: { percent: number; message: string; budget: Prisma.JsonObject } }).data,
    }))
    .sort((a, b) => a.percent - b.percent);
};

it("reports each threshold once per window, with the forecast, and again in the next window", async () => {
  const { world, webhook, rule } = await scene();
  const { db } = world.context;
  await spend(world, rule, 8n * USD);
  await raiseAlerts(db, NOW);
  await raiseAlerts(db, NOW);
  const first = await delivered(world, webhook.id);
  expect(first.map(({ type, percent }) => [type, percent])).toEqual([
    ["budget.threshold_reached", 50],
    ["budget.threshold_reached", 80],
  ]);
  expect(first[1]?.message).toBe(
    "Daily: key nightly-eval has used 80% of $10.00 per day. At this rate, $10.00 is reached on Friday 12:30 UTC. 100% of the spend is from key nightly-eval.",
  );
  expect(first[1]?.budget).toMatchObject({
    guardrail_name: "Daily",
    spent_usd: 8,
    forecast: { exhausted_at: "2026-11-20T12:30:00.000Z" },
  });
  await db.budget.updateMany({ where: { sourceId: rule.sourceId }, data: { spentMicroUsd: 11n * USD } });
  await raiseAlerts(db, NOW);
  expect((await delivered(world, webhook.id)).map(({ type }) => type)).toEqual([
    "budget.threshold_reached",
    "budget.threshold_reached",
    "budget.exhausted",
  ]);
  const tomorrow = new Date(NOW.getTime() + 24 * 3_600_000);
  await raiseAlerts(db, tomorrow);
  expect(await delivered(world, webhook.id)).toHaveLength(3);
  await spend(world, rule, 5n * USD, tomorrow);
  await raiseAlerts(db, tomorrow);
  expect((await delivered(world, webhook.id)).map(({ percent }) => percent)).toEqual([50, 50, 80, 100]);
});

it("reports later after a limit was raised", async () => {
  const { world, webhook, rule, guardrailId, key } = await scene();
  const body = CreateExceptionBody.parse({
    kind: "raise_limit",
    key_hash: key.hash,
    guardrail_id: guardrailId,
    raise_usd: 10,
    reason: "Launch",
    expires_at: "2026-11-20T12:00:00.000Z",
  });
  await createException(world.context, { ...none, body });
  await spend(world, rule, 10n * USD);
  await raiseAlerts(world.context.db, NOW);
  expect(
    (await delivered(world, webhook.id)).map(({ percent, message }) => [
      percent,
      message.includes("50% of $20.00 per day"),
    ]),
  ).toEqual([[50, true]]);
  await raiseAlerts(world.context.db, new Date("2026-11-20T12:00:00.000Z"));
  expect((await delivered(world, webhook.id)).map(({ percent }) => percent)).toEqual([50, 80, 100]);
});

it("are listed in the budgets with the time each was reached", async () => {
  const { world, key, rule } = await scene();
  await spend(world, rule, 8n * USD);
  await raiseAlerts(world.context.db, NOW);
  const { data } = await list(world.context, { ...none, query: { offset: 0, limit: 50, key_hash: key.hash } });
  expect(data.map(({ alerts }) => alerts)).toEqual([
    [
      { percent: 50, reached_at: NOW.toISOString() },
      { percent: 80, reached_at: NOW.toISOString() },
    ],
  ]);
});

it("are reported once by concurrent checks", async () => {
  const { world, webhook, rule } = await scene();
  await spend(world, rule, 10n * USD);
  await Promise.all(Array.from({ length: 6 }, () => raiseAlerts(world.context.db, NOW)));
  expect((await delivered(world, webhook.id)).map(({ percent }) => percent)).toEqual([50, 80, 100]);
});

it("of a guardrail replace the organization's, which apply to keys' own limits", async () => {
  const { world, webhook, rule, guardrailId, key } = await scene();
  const { context } = world;
  const input = { ...none, params: { id: guardrailId } };
  expect(await get(context, input)).toEqual({ data: { percents: null, in_force: [50, 80, 100] } });
  expect(await update(context, { ...input, body: { percents: [90, 30] } })).toEqual({
    data: { percents: [30, 90], in_force: [30, 90] },
  });
  await updateOrganization(context, { ...none, body: { budget_thresholds: [75, 25] } });
  await context.db.key.update({ where: { id: key.id }, data: { limitMicroUsd: 10n * USD } });
  await spend(world, rule, 8n * USD);
  await spend(world, { ...rule, sourceId: key.id, interval: null }, 8n * USD);
  await raiseAlerts(context.db, NOW);
  expect(
    (await delivered(world, webhook.id)).map(({ percent, budget }) => [percent, budget["guardrail_name"]]),
  ).toEqual([
    [25, null],
    [30, "Daily"],
    [75, null],
  ]);
  expect(await update(context, { ...input, body: { percents: null } })).toEqual({
    data: { percents: null, in_force: [25, 75] },
  });
});

it("are reported for a lowered limit, but not for a limit of zero or a deleted guardrail", async () => {
  const { world, webhook, rule, guardrailId } = await scene();
  const { db } = world.context;
  await spend(world, rule, 1n * USD);
  await raiseAlerts(db, NOW);
  expect(await delivered(world, webhook.id)).toEqual([]);
  await db.guardrail.update({ where: { id: guardrailId }, data: { limitMicroUsd: 2n * USD } });
  await raiseAlerts(db, NOW);
  expect((await delivered(world, webhook.id)).map(({ percent }) => percent)).toEqual([50]);
  await db.guardrail.update({ where: { id: guardrailId }, data: { limitMicroUsd: 0n } });
  await raiseAlerts(db, NOW);
  await db.guardrail.update({ where: { id: guardrailId }, data: { limitMicroUsd: 1n, deletedAt: NOW } });
  await raiseAlerts(db, NOW);
  expect(await delivered(world, webhook.id)).toHaveLength(1);
});

it("are checked after a generation is recorded", async () => {
  const { world, webhook, rule } = await scene();
  const budget = budgetOf(rule, NOW);
  await createBudgets(world.context.db, [budget], NOW);
  const id = newGenerationId(NOW);
  await record(
    world.context,
    outcomeOf({
      id,
      costMicroUsd: 9n * USD,
      settlements: [{ budgetId: budget.id, generationId: id, costMicroUsd: 9n * USD }],
    }),
  );
  await expect.poll(async () => (await delivered(world, webhook.id)).map(({ percent }) => percent)).toEqual([50, 80]);
});

describe("many crossings", () => {
  const KEYS = 60;

  /** Keys whose budgets are all used up, in the order of their budgets. */
  async function spentBudgets() {
    const { world, guardrailId, webhook, rule } = await scene();
    const { db } = world.context;
    await db.guardrailThresholds.create({ data: { guardrailId, percents: [100] } });
    const keys = [];
    for (let index = 0; index < KEYS; index += 1) {
      const { id, hash } = await createKey(world);
      keys.push({ id, hash, budget: budgetOf({ ...rule, subjectId: id }, NOW) });
    }
    await db.guardrailKeyAssignment.createMany({
      data: keys.map(({ id: keyId }) => ({
        id: uuidv7(NOW),
        organizationId: world.organizationId,
        guardrailId,
        keyId,
        createdAt: NOW,
      })),
    });
    const budgets = keys.map(({ budget }) => budget);
    await createBudgets(db, budgets, NOW);
    await db.budget.updateMany({
      where: { id: { in: budgets.map(({ id }) => id) } },
      data: { spentMicroUsd: 10n * USD },
    });
    const hashes = keys.toSorted((a, b) => (a.budget.id < b.budget.id ? -1 : 1)).map(({ hash }) => hash);
    const reported = async () => {
      const rows = await delivered(world, webhook.id);
      return rows.map(({ budget }) => (budget["subject"] as { id: string }).id);
    };
    return { db, guardrailId, hashes, reported };
  }

  it("are recorded in transactions of 25, each once by concurrent checks", async () => {
    const { db, guardrailId, hashes, reported } = await spentBudgets();
    await Promise.all([raiseAlerts(db, NOW), raiseAlerts(db, NOW), raiseAlerts(db, NOW)]);
    expect((await reported()).sort()).toEqual(hashes.toSorted());
    const transactions = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int FROM budget_alerts a JOIN budgets ON budgets.id = a.budget_id
      WHERE source_id = ${guardrailId}::uuid GROUP BY a.xmin ORDER BY 1 DESC`;
    expect(transactions.reduce((sum, { count }) => sum + count, 0)).toBe(KEYS);
    expect(transactions[0]?.count).toBeLessThanOrEqual(25);
  });

  it("are recorded although one of them can't be, and that one later", async () => {
    const { db, hashes, reported } = await spentBudgets();
    await db.$executeRawUnsafe(`
      CREATE FUNCTION refuse_delivery() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await db.$executeRawUnsafe(`
      CREATE TRIGGER refuse_delivery BEFORE INSERT ON webhook_deliveries FOR EACH ROW
      WHEN (NEW.body LIKE '%${hashes[0]}%') EXECUTE FUNCTION refuse_delivery()`);
    try {
      await expect(raiseAlerts(db, NOW)).rejects.toThrow("budget alerts could not be recorded");
      expect((await reported()).sort()).toEqual(hashes.slice(25).sort());
    } finally {
      await db.$executeRaw`DROP FUNCTION refuse_delivery CASCADE`;
    }
    await raiseAlerts(db, NOW);
    expect((await reported()).sort()).toEqual(hashes.toSorted());
  });
});

it("reports limits of the organization, but not those of each end user", async () => {
  const { world, webhook } = await scene();
  const { db } = world.context;
  const { organizationId } = world;
  const limit = async (name: string, given: object) => {
    const row = await db.limit.create({
      data: {
        id: uuidv7(NOW),
        organizationId,
        name,
        subject: "tag",
        subjectIds: ["team:search"],
        isForEach: false,
        metric: "spend",
        amount: 10n * USD,
        window: "daily",
        timeZone: "Asia/Tokyo",
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
    return row;
  };
  const use = async (row: Parameters<typeof toRule>[0], who: Parameters<typeof subjectsOf>[0], microUsd: bigint) => {
    const [rule] = limitRules(indexLimits([toRule(row)]), subjectsOf(who));
    if (!rule) throw new Error("the limit counts the subject");
    const budget = budgetOf(rule, NOW);
    await createBudgets(db, [budget], NOW);
    await db.budget.update({ where: { id: budget.id }, data: { spentMicroUsd: microUsd } });
    return budget;
  };
  const budget = await use(await limit("Search", {}), { tags: ["team:search"] }, 8n * USD);
  const ofUsers = { subject: "end_user", subjectIds: [], isForEach: true };
  await use(await limit("Each end user", ofUsers), { endUser: "eve" }, 9n * USD);
  await use(await limit("All", { subject: "organization", subjectIds: [], window: "lifetime" }), {}, 11n * USD);
  await raiseAlerts(db, NOW, [budget.id]);
  await raiseAlerts(db, NOW);
  await raiseAlerts(db, NOW);
  const texts = (await delivered(world, webhook.id)).map(
    ({ percent, message }) => `${percent} ${message.split(".")[0]}`,
  );
  expect(texts.sort()).toEqual([
    "100 All: the organization has used all of $10",
    "50 All: the organization has used 50% of $10",
    "50 Search: tag team:search has used 50% of $10",
    "80 All: the organization has used 80% of $10",
    "80 Search: tag team:search has used 80% of $10",
  ]);
  const { data } = await list(world.context, { ...none, query: { offset: 0, limit: 50 } });
  expect(data.find(({ limit_name }) => limit_name === "Search")).toMatchObject({
    resets_at: "2026-11-20T15:00:00.000Z",
    alerts: [{ percent: 50 }, { percent: 80 }],
  });
});
