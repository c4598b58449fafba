import fc from "fast-check";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { uuidv7 } from "../../platform/ids";
import { connectionString } from "../../testing/large-organization";
import { createKey } from "../../testing/factories";
import type { SpendTask } from "../../testing/spending-process";
import { limitRule } from "../../testing/limits";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { budgetOf } from "../../engine/budgets/budget";
import type { BudgetRule } from "../../engine/budgets/budget-rule";
import type { LimitMetric } from "../../engine/budgets/vocabulary";
import { LEASE_MS } from "../../engine/budgets/lease";
import { previewReserve, reserve } from "./service";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const program = fileURLToPath(new URL("../../testing/spending-process.ts", import.meta.url));
const ESTIMATE = 1_009n;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface SpendingProcess {
  /** Returns the generations reported as recorded, up to `until` or the end, then kills the process. */
  run: (until?: number) => Promise<{ recorded: string[]; refused: number }>;
}

async function startProcess(task: SpendTask): Promise<SpendingProcess> {
  const child = spawn(
    process.execPath,
    ["--conditions=react-server", "--import", "tsx", program, JSON.stringify(task)],
    { cwd: root, stdio: ["pipe", "pipe", "inherit"] },
  );
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: "ready" });
  const run: SpendingProcess["run"] = async (until = Infinity) => {
    const recorded: string[] = [];
    let refused = 0;
    child.stdin.write("go\n");
    for (let line = await lines.next(); !line.done && line.value !== "done"; line = await lines.next()) {
      const [verb, id = ""] = line.value.split(" ");
      if (verb === "recorded") recorded.push(id);
      else refused += 1;
      if (recorded.length === until) break;
    }
    if (recorded.length === until) child.kill("SIGKILL");
    await once(child, "exit");
    return { recorded, refused };
  };
  return { run };
}

/** @param metric What a limit of the organization counts; null for the limit of a guardrail. */
async function errandOf(
  world: World,
  given: Partial<SpendTask>,
  limitMicroUsd = ESTIMATE * 50n - 1n,
  metric: LimitMetric | null = null,
): Promise<{ task: SpendTask; rule: BudgetRule }> {
  const { organizationId, workspaceId } = world;
  const sourceId = uuidv7(NOW);
  const databaseUrl = await connectionString();
  const key = await createKey(world);
  return {
    task: {
      databaseUrl,
      organizationId,
      workspaceId,
      keyId: key.id,
      now: NOW.toISOString(),
      sourceId,
      metric,
      limitMicroUsd: String(limitMicroUsd),
      estimateMicroUsd: String(ESTIMATE),
      isExact: false,
      lanes: 100,
      requestsPerLane: 1,
      ...given,
    },
    rule:
      metric === null
        ? {
            source: null,
            sourceId,
            subject: "key",
            subjectId: "all",
            limitMicroUsd,
            interval: "monthly",
            includesByok: false,
          }
        : limitRule(sourceId, metric, limitMicroUsd),
  };
}

async function ledger({ context: { db } }: World, rule: BudgetRule, keyId: string) {
  const { spentMicroUsd, leases } = await db.budget.findUniqueOrThrow({
    where: { id: budgetOf(rule, NOW).id },
    include: { leases: true },
  });
  const generations = await db.generation.findMany({ where: { keyId }, select: { id: true, costMicroUsd: true } });
  return {
    spent: spentMicroUsd,
    leased: leases.reduce((sum, { microUsd }) => sum + microUsd, 0n),
    recorded: generations.map(({ id }) => id),
    cost: generations.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0n),
  };
}

/** Waits for statements that outlive the killed process that sent them. */
const statementsEnd = ({ context: { db } }: World) =>
  expect
    .poll(
      async () => {
        const rows = await db.$queryRaw<unknown[]>`
          SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;
        return rows.length;
      },
      { timeout: 30_000 },
    )
    .toBe(0);

it.each([
  ["their estimate", true, 1],
  ["any amount up to it", false, 3],
])(
  "two hundred parallel requests from two processes that cost %s exceed a budget of fifty by at most one reservation",
  async (_cost, isExact, requestsPerLane) => {
    const world = await testWorld();
    const { task, rule } = await errandOf(world, { isExact, requestsPerLane });
    const spenders = await Promise.all([startProcess(task), startProcess(task)]);
    const ran = await Promise.all(spenders.map((spender) => spender.run()));

    const { spent, leased, recorded, cost } = await ledger(world, rule, task.keyId);
    expect(spent).toBe(cost);
    expect(spent).toBeLessThan(rule.limitMicroUsd + ESTIMATE);
    expect(leased).toBe(0n);
    expect(recorded.sort()).toEqual(ran.flatMap((one) => one.recorded).sort());
    if (isExact) expect(ran.map((one) => one.refused).reduce((a, b) => a + b)).toBe(150);
  },
);

it.each([
  ["spend of a day", "spend", ESTIMATE * 50n - 1n, ESTIMATE],
  ["tokens of a minute", "tokens", ESTIMATE * 50n - 1n, ESTIMATE],
  ["requests of a minute", "requests", 50n, 1n],
] as const)(
  "two hundred parallel requests from two processes exceed a limit on %s by at most one reservation",
  async (_, metric, limit, estimate) => {
    const world = await testWorld();
    const { task, rule } = await errandOf(world, { isExact: true, estimateMicroUsd: String(estimate) }, limit, metric);
    const spenders = await Promise.all([startProcess(task), startProcess(task)]);
    const ran = await Promise.all(spenders.map((spender) => spender.run()));

    const { spent, leased, cost } = await ledger(world, rule, task.keyId);
    expect([spent, leased]).toEqual([cost, 0n]);
    expect(spent).toBeLessThan(limit + estimate);
    expect(ran.map((one) => one.refused).reduce((a, b) => a + b)).toBe(150);
  },
);

it("a killed process loses nothing it acknowledged, and its reservations are released when their leases expire", async () => {
  const world = await testWorld();
  const { context } = world;
  const { task, rule } = await errandOf(world, { lanes: 30, requestsPerLane: 1000 }, ESTIMATE * 1_000_000n);
  const spenders = await Promise.all([startProcess(task), startProcess(task)]);
  const ran = await Promise.all(spenders.map((spender, index) => spender.run(50 + index)));

  await statementsEnd(world);
  const crashed = await ledger(world, rule, task.keyId);
  expect(crashed.spent).toBe(crashed.cost);
  expect(new Set(crashed.recorded)).toEqual(new Set([...crashed.recorded, ...ran.flatMap(({ recorded }) => recorded)]));
  expect(crashed.leased).toBeGreaterThan(0n);

  const almostSpent = { ...rule, limitMicroUsd: crashed.spent + 1n };
  const healed = { ...context, now: new Date(NOW.getTime() + 2 * LEASE_MS) };
  expect(await reserve(context, "gen-before", [{ rule: almostSpent, microUsd: 1n }])).toMatchObject({
    exhausted: [{}],
  });
  expect(await previewReserve(healed, [{ rule: almostSpent, microUsd: 1n }])).toMatchObject({ held: [{}] });
  expect(await reserve(healed, "gen-after", [{ rule: almostSpent, microUsd: 1n }])).toHaveProperty("held");
  expect(await ledger(world, rule, task.keyId)).toMatchObject({ spent: crashed.spent, leased: 1n });
});

it("three processes, one of them killed at a random time, exceed a budget by at most one reservation", async () => {
  const world = await testWorld();
  const limit = ESTIMATE * 150n;
  const { task, rule } = await errandOf(world, { lanes: 20, requestsPerLane: 20 }, limit);
  const spenders = await Promise.all([startProcess(task), startProcess(task), startProcess(task)]);
  const [killedAfter] = fc.sample(fc.integer({ min: 1, max: 80 }), 1);
  const ran = await Promise.all(spenders.map((spender, index) => spender.run(index === 0 ? killedAfter : undefined)));

  await statementsEnd(world);
  const { spent, recorded, cost } = await ledger(world, rule, task.keyId);
  expect(spent).toBe(cost);
  expect(spent).toBeLessThan(limit + ESTIMATE);
  expect(new Set(recorded)).toEqual(new Set([...recorded, ...ran.flatMap((one) => one.recorded)]));
  expect(ran.slice(1).some(({ refused }) => refused > 0)).toBe(true);
});
