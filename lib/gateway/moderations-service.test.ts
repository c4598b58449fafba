import { beforeAll, expect, it } from "vitest";
import type { Context } from "../platform/context";
import { uuidv7 } from "../platform/ids";
import { createSandbox } from "../server/bootstrap";
import { createKey, keyCaller } from "../testing/factories";
import { failure } from "../testing/expect-failure";
import { NOW, testWorld, type World } from "../testing/test-context";
import { ModerationsBody } from "./moderations-contract";
import * as moderations from "./moderations-service";

let world: World;
let context: Context;

beforeAll(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  context = { ...world.context, caller: keyCaller(world, (await createKey(world)).id) };
});

const recorded = async () =>
  context.db.generation.findMany({
    where: { organizationId: world.organizationId, apiType: "moderations" },
    include: { decisions: true, content: true },
    orderBy: { id: "asc" },
  });

const moderate = (input: unknown) =>
  moderations.create(context, { params: {}, query: {}, body: ModerationsBody.parse({ input, model: "omni" }) });

it("applies every built-in filter to each text, without a guardrail", async () => {
  const { id, model, results } = await moderate(
    ["Write to ann@example.com", { type: "text", text: "Hello" }].slice(0, 1),
  );
  expect([id.slice(0, 5), model]).toEqual(["modr-", "signalbox"]);
  expect(results).toMatchObject([
    {
      flagged: true,
      categories: { email: true, ssn: false },
      category_scores: { email: 1, ssn: 0 },
      category_applied_input_types: { email: ["text"] },
    },
  ]);
  const two = await moderate([
    { type: "text", text: "Hello" },
    { type: "text", text: "ssn 536-22-8726" },
  ]);
  expect(two.results.map(({ flagged, categories }) => [flagged, categories["ssn"]])).toEqual([
    [false, false],
    [true, true],
  ]);
  const rows = await recorded();
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    apiType: "moderations",
    status: "succeeded",
    contentStored: false,
    costMicroUsd: 0n,
  });
  expect(JSON.stringify(rows, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toMatch(
    /ann@|536-22/,
  );
  expect(
    rows.flatMap(({ decisions }) => decisions),
    "no guardrail is in force",
  ).toEqual([]);
});

it("applies the patterns and judges of the key's guardrails; a judge without a verdict is a 503", async () => {
  const { db } = context;
  const { id } = await db.guardrail.create({
    data: {
      id: uuidv7(NOW),
      workspaceId: world.workspaceId,
      name: "G",
      contentFilters: [{ pattern: "ACME-\\d+", action: "block" }],
    },
  });
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
  const [found, other] = (await moderate(["ticket ACME-7", "ticket"])).results;
  expect([found?.categories["custom"], other?.categories["custom"]]).toEqual([true, false]);
  const generationId = context.headers.get("x-generation-id");
  const row = (await recorded()).find((one) => one.id === generationId);
  expect(row?.decisions).toMatchObject([
    { guardrailId: id, field: "content_filters", action: "flag", spans: [{ path: ["input", 0], start: 7, end: 13 }] },
  ]);
  const judge = { name: "tone", model: "sandbox/unavailable", instructions: "Rude?", action: "block" };
  await db.guardrail.update({ where: { id }, data: { judges: [judge] } });
  expect(await failure(moderate("hello"))).toMatchObject({
    status: 503,
    metadata: { reason: "external_check_unavailable", unavailable: [{ guardrail_id: id, rule: "tone" }] },
  });
  const failed = (await recorded()).find((one) => one.id === context.headers.get("x-generation-id"));
  expect(failed).toMatchObject({
    status: "failed",
    errorStatus: 503,
    decisions: [{ field: "judges", action: "error" }],
  });
});

it("gives the budget's 403 when a judge can't be paid", async () => {
  const { db } = context;
  const judges = [{ name: "tone", model: "sandbox/echo", instructions: "Rude?", action: "block" }];
  const { id } = await db.guardrail.create({
    data: { id: uuidv7(NOW), workspaceId: world.workspaceId, name: "Poor", judges, limitMicroUsd: 0n },
  });
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: id } });
  const { status, metadata } = await failure(moderate("hello"));
  expect([status, metadata]).toMatchObject([403, { budgets: [{ guardrail_id: id }, { guardrail_id: id }] }]);
  const denied = (await recorded()).find((one) => one.id === context.headers.get("x-generation-id"));
  expect(denied).toMatchObject({ status: "blocked", errorStatus: 403 });
});

it.each([[""], [[]], [[{ type: "image_url", image_url: { url: "data:," } }]]])("%j is refused", (input) => {
  expect(ModerationsBody.safeParse({ input }).success).toBe(false);
});
