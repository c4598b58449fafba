import { describe, expect, it } from "vitest";
import { budgetOf } from "../../engine/budgets/budget";
import type { BudgetRule } from "../../engine/budgets/budget-rule";
import { reserve } from "../../records/budgets/service";
import type { Context } from "../../platform/context";
import { drained } from "../../platform/database/batcher";
import * as generations from "../../records/generations/service";
import { Generation } from "../../records/generations/contract";
import { newGenerationId, uuidv7 } from "../../platform/ids";
import { createKey, keyCaller } from "../../testing/factories";
import { outcomeOf } from "../../testing/outcomes";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { newAccumulated } from "../../engine/protocols/accumulate";
import type { Outcome } from "./outcome";
import { record } from "./record-store";

const stored = async ({ db }: Context, id: string) =>
  db.generation.findFirst({ where: { id }, include: { content: true, decisions: { orderBy: { position: "asc" } } } });
const read = async (context: Context, id: string) =>
  (await generations.get(context, { params: {}, query: { id }, body: undefined })).data;

/** Wraps a context to count its database writes. */
function counted(context: Context): { context: Context; statements: () => number } {
  let statements = 0;
  const db = new Proxy(context.db, {
    get: (target, name) => {
      if (name === "$executeRaw" || name === "$executeRawUnsafe") statements += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  return { context: { ...context, db }, statements: () => statements };
}

async function reserved(world: World, limitMicroUsd: bigint) {
  const rule: BudgetRule = {
    source: null,
    sourceId: uuidv7(NOW),
    subject: "member",
    subjectId: "m",
    limitMicroUsd,
    interval: "daily",
    includesByok: false,
  };
  const id = newGenerationId(NOW);
  const admission = await reserve(world.context, id, [{ rule, microUsd: 50n }]);
  if ("exhausted" in admission) throw new Error("expected a reservation");
  const budget = () =>
    world.context.db.budget.findUniqueOrThrow({
      where: { id: budgetOf(rule, NOW).id },
      include: { leases: { select: { microUsd: true } } },
    });
  return {
    id,
    budget,
    settlements: admission.held.map(({ budgetId }) => ({ budgetId, generationId: id, costMicroUsd: 8n })),
  };
}

describe("the record of a generation", () => {
  it("stores the generation, its ordered decisions, and the cost charged to each budget", async () => {
    const world = await testWorld();
    const key = await createKey(world);
    const context = {
      ...world.context,
      caller: keyCaller(world, key.id),
      client: { ...world.context.client, appTitle: "App" },
    };
    const { id, budget, settlements } = await reserved(world, 100n);
    const decision = {
      scope: "key",
      guardrail_id: uuidv7(NOW),
      guardrail_name: "G",
      revision: 3,
      field: "content_filters",
      rule: "a+",
      action: "flag",
      spans: [{ path: ["input", 0], start: 1, end: 2 }],
    } as const;
    const decisions: Outcome["decisions"] = [
      { ...decision, spans: [{ path: ["input", 0], start: 1, end: 2 }] },
      { ...decision, scope: "workspace", action: "redact", spans: [] },
    ];
    const presetId = uuidv7(NOW);
    await record(
      context,
      outcomeOf({
        id,
        decisions,
        settlements,
        presetId,
        presetVersion: 2,
        metadata: { team: "a" },
        usageEstimated: true,
        sessionId: "s",
        externalUser: "u",
      }),
    );

    const data = await read(world.context, id);
    expect(Generation.parse(data)).toMatchObject({
      id,
      created_at: NOW.toISOString(),
      status: "succeeded",
      model: "acme/one",
      provider: "acme",
      provider_name: "Acme",
      key_hash: key.hash,
      total_cost: 0.000008,
      usage_estimated: true,
      tokens_prompt: 3,
      tokens_completion: 5,
      timings: { queue: 1, policy: 2, filters: 3, upstream_first_byte: 10, total: 21 },
      decisions,
      preset_id: presetId,
      preset_version: 2,
      metadata: { team: "a" },
      session_id: "s",
      external_user: "u",
      app_title: "App",
      error: null,
      attempts: [{ provider: "acme", provider_name: "Acme", model: "acme/one", status: 200, error: null }],
      content_stored: true,
    });
    expect((await stored(context, id))?.content).toMatchObject({
      input: { messages: [{ role: "user", content: "hi" }] },
      completion: "hello",
      reasoning: null,
      toolCalls: null,
      error: null,
      searchText: "hi hello",
    });
    expect(await budget()).toMatchObject({ spentMicroUsd: 8n });
  });

  it.each<[string, Partial<Outcome>, boolean]>([
    ["blocked", { status: "blocked", attempts: [] }, true],
    ["blocked because it couldn't be scanned", { status: "blocked", attempts: [], prompt: null }, false],
    ["failed without an endpoint", { status: "failed", attempts: [] }, true],
    ["failed upstream", { status: "failed" }, true],
    ["cancelled", { status: "cancelled", attempts: [] }, true],
  ])("of a generation that %s stores content: %s", async (_how, given, isStored) => {
    const { context } = await testWorld();
    const error = { status: 503, message: "No", provider_name: null, raw: null, previous_errors: [] };
    const outcome = outcomeOf({
      accumulated: newAccumulated(),
      ...given,
      costMicroUsd: 0n,
      error: given.status === "cancelled" ? null : error,
    });
    await record(context, outcome);
    const row = await stored(context, outcome.id);
    expect(row).toMatchObject({
      status: given.status,
      contentStored: isStored,
      errorMessage: outcome.error?.message ?? null,
    });
    expect(row?.content !== null).toBe(isStored);
  });

  it("stores no content when the workspace doesn't log it", async () => {
    const { context, workspaceId } = await testWorld();
    await context.db.workspace.update({ where: { id: workspaceId }, data: { contentLogging: false } });
    const outcome = outcomeOf();
    await record(context, outcome);
    expect(await stored(context, outcome.id)).toMatchObject({ contentStored: false, content: null });
  });

  it.each([
    ["alone", 1],
    ["with others", 2],
  ])("whose workspace is gone is left out, %s, and its cost charged", async (_, count) => {
    const world = await testWorld();
    const { id, budget, settlements } = await reserved(world, 100n);
    const caller = { ...world.context.caller, workspaceId: uuidv7(NOW) };
    const others = Array.from({ length: count - 1 }, () => outcomeOf());
    await Promise.all([
      record({ ...world.context, caller }, outcomeOf({ id, settlements })),
      ...others.map((outcome) => record(world.context, outcome)),
    ]);
    expect(await stored(world.context, id)).toBeNull();
    for (const other of others) expect(await stored(world.context, other.id)).toMatchObject({ contentStored: true });
    expect(await budget()).toMatchObject({ spentMicroUsd: 8n });
  });

  it("survives NUL, unpaired surrogates and escapes in an upstream's message", async () => {
    const { context } = await testWorld();
    const outcome = outcomeOf({
      accumulated: {
        ...newAccumulated(),
        content: 'a\0b\ud800c\\u0000d\\\u{1f600}"\n',
        toolCalls: [{ id: "\0", type: "function", function: { name: "f", arguments: '{"\\u0000":1}' } }],
      },
    });
    await record(context, outcome);
    const content = (await stored(context, outcome.id))?.content;
    expect(content?.completion).toBe('a\ufffdb\ufffdc\\u0000d\\\u{1f600}"\n');
    expect(content?.toolCalls).toEqual([
      { id: "\ufffd", type: "function", function: { name: "f", arguments: '{"\\u0000":1}' } },
    ]);
  });
});

describe("concurrent records", () => {
  it("are written together: a hundred in a few statements, each settled", async () => {
    const world = await testWorld();
    const { context, statements } = counted(world.context);
    const { budget, settlements } = await reserved(world, 100n);
    const [settlement] = settlements;
    if (!settlement) throw new Error("expected a settlement");
    const outcomes = Array.from({ length: 100 }, () => outcomeOf()).map((outcome) => ({
      ...outcome,
      settlements: [{ ...settlement, generationId: outcome.id }],
    }));
    await Promise.all(outcomes.map((outcome) => record(context, outcome)));
    expect(await context.db.generation.count({ where: { id: { in: outcomes.map(({ id }) => id) } } })).toBe(100);
    expect(
      await context.db.generationContent.count({ where: { generationId: { in: outcomes.map(({ id }) => id) } } }),
    ).toBe(100);
    expect((await budget()).spentMicroUsd).toBe(800n);
    expect(statements()).toBeLessThanOrEqual(2);
  });

  it("that are large are split over several statements", async () => {
    const { context, statements } = counted((await testWorld()).context);
    const outcomes = Array.from({ length: 4 }, () =>
      outcomeOf({ prompt: { messages: [{ role: "user", content: "x".repeat(3_000_000) }], blocked: null } }),
    );
    await Promise.all(outcomes.map((outcome) => record(context, outcome)));
    expect(statements()).toBe(2);
  });

  it("succeed despite an invalid one, which settles nothing", async () => {
    const world = await testWorld();
    const { id, budget, settlements } = await reserved(world, 100n);
    const good = Array.from({ length: 10 }, () => outcomeOf());
    const bad = outcomeOf({ id, latencyMs: 1e12, settlements });
    const written = await Promise.allSettled(
      [...good.slice(0, 5), bad, ...good.slice(5)].map((outcome) => record(world.context, outcome)),
    );
    expect(written.map(({ status }) => status === "fulfilled")).toEqual([
      ...Array<boolean>(5).fill(true),
      false,
      ...Array<boolean>(5).fill(true),
    ]);
    expect(
      await world.context.db.generation.count({ where: { id: { in: [id, ...good.map((outcome) => outcome.id)] } } }),
    ).toBe(10);
    expect(await budget()).toMatchObject({ spentMicroUsd: 0n, leases: [{ microUsd: 50n }] });
  });

  it("are all stored after draining", async () => {
    const { context } = await testWorld();
    const outcomes = Array.from({ length: 20 }, () => outcomeOf());
    const writing = outcomes.map((outcome) => record(context, outcome));
    await drained(context.db);
    expect(await context.db.generation.count({ where: { id: { in: outcomes.map(({ id }) => id) } } })).toBe(20);
    await Promise.all(writing);
  });
});
