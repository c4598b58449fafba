import { expect, it, onTestFinished, vi } from "vitest";
import { uuidv7 } from "../../platform/ids";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreateWebhookBody } from "../../records/webhooks/contract";
import { create } from "../../records/webhooks/service";
import * as outbox from "../../platform/outbox/outbox-store";
import { watchBlocks } from "./watch-service";

const none = { query: {}, params: {}, body: undefined };
const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

async function scene() {
  const world = await testWorld();
  const { context, workspaceId } = world;
  const { id } = await context.db.guardrail.create({
    data: { id: uuidv7(NOW), workspaceId, name: "Strict", createdAt: NOW },
  });
  const { data } = await create(context, {
    ...none,
    body: CreateWebhookBody.parse({ url: "https://hooks.example.com/", events: ["blocks.spike"] }),
  });
  return { world, guardrailId: id, webhookId: data.id };
}

/** Creates requests blocked by the guardrail, by two rules each. */
async function blocked({ context: { db }, ...world }: World, guardrailId: string, count: number, createdAt: Date) {
  for (let made = 0; made < count; made++) {
    const generationId = await createGeneration({ context: { db }, ...world } as World, {
      createdAt,
      status: "blocked",
    });
    const decision = {
      createdAt,
      generationId,
      scope: "key",
      guardrailId,
      field: "content_filters",
      action: "block",
      spans: [],
    } as const;
    await db.decision.createMany({
      data: [
        { ...decision, position: 0 },
        { ...decision, position: 1 },
      ],
    });
  }
}

const delivered = async ({ context }: World, webhookId: string) =>
  (await context.db.webhookDelivery.findMany({ where: { webhookId } })).map(
    ({ body }) => (JSON.parse(body) as { data: { message: string } }).data.message,
  );

it("reports a spike once, and the next one after it ended", async () => {
  const { world, guardrailId, webhookId } = await scene();
  const { db } = world.context;
  await blocked(world, guardrailId, 9, at(-1));
  await watchBlocks(db, NOW);
  expect(await delivered(world, webhookId)).toEqual([]);
  await blocked(world, guardrailId, 1, at(0));
  await watchBlocks(db, at(1));
  await Promise.all([watchBlocks(db, at(2)), watchBlocks(db, at(2))]);
  expect(await delivered(world, webhookId)).toEqual(["Strict blocked 10 requests in 5 minutes (baseline: 0)."]);
  await watchBlocks(db, at(10));
  expect(await db.blockSpike.findMany({ where: { guardrailId } })).toMatchObject([
    { blocked: 10, startedAt: at(1), endedAt: at(10) },
  ]);
  await blocked(world, guardrailId, 12, at(60));
  await Promise.all([watchBlocks(db, at(61)), watchBlocks(db, at(61))]);
  expect(await delivered(world, webhookId)).toHaveLength(2);
});

it("watches the other guardrails when one fails", async () => {
  const { world, guardrailId, webhookId } = await scene();
  const { db } = world.context;
  const other = uuidv7(NOW);
  await db.guardrail.create({
    data: { id: other, workspaceId: world.workspaceId, name: "Other", createdAt: NOW },
  });
  for (const id of [guardrailId, other]) await blocked(world, id, 10, NOW);
  // Whichever comes first fails. The database has guardrails of other tests, too.
  const { publish } = outbox;
  let hasFailed = false;
  const spy = vi.spyOn(outbox, "publish").mockImplementation(async (transaction, organizationId, ...rest) => {
    if (hasFailed || organizationId !== world.organizationId) return publish(transaction, organizationId, ...rest);
    hasFailed = true;
    throw new Error("the connection was lost");
  });
  onTestFinished(() => spy.mockRestore());
  await expect(watchBlocks(db, NOW)).rejects.toThrow("block spikes failed");
  expect(await delivered(world, webhookId)).toHaveLength(1);
  await watchBlocks(db, at(1));
  expect(await delivered(world, webhookId)).toHaveLength(2);
});

it("doesn't report the baseline", async () => {
  const { world, guardrailId, webhookId } = await scene();
  const { db } = world.context;
  await db.$executeRaw`
    WITH made AS (
      INSERT INTO generations (created_at, id, organization_id, workspace_id, status, api_type, requested_model, model, streamed, attempts, request_id, content_stored)
      SELECT ${at(-60)}, 'gen-' || extract(epoch FROM ${at(-60)}::timestamptz)::bigint || '-' || lpad(n::text, 20, '0'), ${world.organizationId}::uuid, ${world.workspaceId}::uuid, 'blocked', 'responses', 'm', 'm', false, '[]', 'r', false
      FROM generate_series(1, 1500) n RETURNING created_at, id
    )
    INSERT INTO decisions (created_at, generation_id, position, scope, guardrail_id, field, action, spans)
    SELECT created_at, id, 0, 'key', ${guardrailId}::uuid, 'content_filters', 'block', '[]' FROM made`;
  await blocked(world, guardrailId, 15, at(-1));
  await watchBlocks(db, NOW);
  expect(await delivered(world, webhookId)).toEqual([]);
});
