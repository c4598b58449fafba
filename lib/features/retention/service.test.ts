import { afterEach, expect, it, vi } from "vitest";
import { newGenerationId, uuidv7 } from "../../platform/ids";
import { logger } from "../../platform/logger";
import { CreateWebhookBody } from "../../records/webhooks/contract";
import { create as createWebhook } from "../../records/webhooks/service";
import { createWorkspace } from "../../testing/factories";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { toGeneration, withRelations } from "../../records/generations/rows";
import { get } from "../content-access/service";
import { purgeExpired } from "./service";

const DAY_MS = 24 * 60 * 60 * 1000;
afterEach(() => vi.restoreAllMocks());

async function generationOfAge({ context, organizationId, workspaceId }: World, days: number): Promise<string> {
  const createdAt = new Date(NOW.getTime() - days * DAY_MS);
  const id = newGenerationId(createdAt);
  await context.db.generation.create({
    data: {
      id,
      createdAt,
      organizationId,
      workspaceId,
      status: "succeeded",
      apiType: "responses",
      requestedModel: "m",
      model: "m",
      streamed: false,
      attempts: [],
      requestId: "r",
      contentStored: true,
      content: { create: { input: {}, completion: "text", searchText: "text" } },
    },
  });
  return id;
}

it("deletes content and metadata past their retention, and nothing of workspaces without one", async () => {
  const [limited, unlimited] = await Promise.all([testWorld(), testWorld()]);
  const { db } = limited.context;
  await db.workspace.update({
    where: { id: limited.workspaceId },
    data: { contentRetentionDays: 7, metadataRetentionDays: 30 },
  });
  const ages = [1, 8, 31];
  const [fresh, old, ancient] = await Promise.all(ages.map((days) => generationOfAge(limited, days)));
  const kept = await generationOfAge(unlimited, 400);

  await purgeExpired(db, NOW);
  await purgeExpired(db, NOW);

  const ids = { in: [fresh, old, ancient, kept] as string[] };
  const left = await db.generation.findMany({ where: { id: ids }, include: withRelations });
  expect(new Map(left.map((row) => [row.id, toGeneration(row).content_stored]))).toEqual(
    new Map([
      [fresh, true],
      [old, false],
      [kept, true],
    ]),
  );
  const expired = get(limited.context, { params: {}, query: { id: old ?? "", reveal: "false" }, body: undefined });
  await expect(expired).rejects.toMatchObject({ status: 404, metadata: { reason: "content_expired" } });
  expect(await db.generationContent.count({ where: { generationId: ids } })).toBe(2);
});

it("deletes contents batch by batch, also those of the same time at the end of a batch", async () => {
  const world = await testWorld();
  const { db } = world.context;
  await db.workspace.update({ where: { id: world.workspaceId }, data: { contentRetentionDays: 7 } });
  const template = await generationOfAge(world, 8);
  await db.$executeRaw`
    INSERT INTO generations SELECT (jsonb_populate_record(g, jsonb_build_object('id', id || n, 'created_at', created_at + n / 1500 * interval '1 ms'))).*
    FROM generations g, generate_series(1, 4500) n WHERE id = ${template}`;
  await db.$executeRaw`
    INSERT INTO generation_contents (created_at, generation_id, input, search_text)
    SELECT created_at, id, '{}', '' FROM generations WHERE id LIKE ${`${template}_%`}`;
  const fresh = await generationOfAge(world, 6);
  expect((await purgeExpired(db, NOW)).contents).toBe(4501);
  const ids = await db.generation.findMany({ where: { workspaceId: world.workspaceId }, select: { id: true } });
  const left = await db.generationContent.findMany({ where: { generationId: { in: ids.map(({ id }) => id) } } });
  expect(left.map(({ generationId }) => generationId)).toEqual([fresh]);
});

it("deletes the generations of deleted workspaces batch by batch, and then the workspaces", async () => {
  const world = await testWorld();
  const { db } = world.context;
  const workspaceId = await createWorkspace(world);
  const template = await generationOfAge({ ...world, workspaceId }, 1);
  await db.$executeRaw`
    INSERT INTO generations SELECT (jsonb_populate_record(g, jsonb_build_object('id', id || n))).*
    FROM generations g, generate_series(1, 1500) n WHERE id = ${template}`;
  const kept = await generationOfAge(world, 1);
  expect((await purgeExpired(db, NOW)).workspaces).toBe(0);
  await db.workspace.update({ where: { id: workspaceId }, data: { deletedAt: NOW } });
  expect((await purgeExpired(db, NOW)).workspaces).toBe(1501);
  const { organizationId } = world;
  expect(await db.generation.findMany({ where: { organizationId }, select: { id: true } })).toEqual([{ id: kept }]);
  expect(await db.workspace.findMany({ where: { organizationId }, select: { id: true } })).toEqual([
    { id: world.workspaceId },
  ]);
});

it("deletes idempotency records after a day, and ended sessions", async () => {
  const { context, adminId } = await testWorld();
  const { db } = context;
  const record = (key: string, hours: number) => ({
    callerId: adminId,
    key,
    fingerprint: "",
    answerCiphertext: "",
    createdAt: new Date(NOW.getTime() - hours * 60 * 60 * 1000),
  });
  await db.idempotencyRecord.createMany({ data: [record("old", 25), record("new", 23)] });
  await purgeExpired(db, NOW);
  expect((await db.idempotencyRecord.findMany({ where: { callerId: adminId } })).map(({ key }) => key)).toEqual([
    "new",
  ]);
});

it("keeps budgets when generations are deleted, and deletes those of old windows", async () => {
  const world = await testWorld();
  const { db } = world.context;
  await db.workspace.update({ where: { id: world.workspaceId }, data: { metadataRetentionDays: 30 } });
  await generationOfAge(world, 31);
  const budget = (window: "monthly" | "lifetime", days: number) => ({
    id: uuidv7(NOW),
    sourceId: uuidv7(NOW),
    subject: "key" as const,
    subjectId: world.workspaceId,
    window,
    windowStart: new Date(NOW.getTime() - days * DAY_MS),
    spentMicroUsd: BigInt(days),
    updatedAt: NOW,
  });
  await db.budget.createMany({ data: [budget("monthly", 20), budget("monthly", 401), budget("lifetime", 402)] });
  await purgeExpired(db, NOW);
  const left = await db.budget.findMany({ where: { subjectId: world.workspaceId }, orderBy: { spentMicroUsd: "asc" } });
  expect(left.map(({ spentMicroUsd }) => spentMicroUsd)).toEqual([20n, 402n]);
});

it("deletes bulk assignment changes too old to undo", async () => {
  const { context, organizationId, workspaceId } = await testWorld();
  const { db } = context;
  const change = (days: number) => ({
    id: uuidv7(NOW),
    organizationId,
    workspaceId,
    kind: "keys" as const,
    steps: {},
    createdAt: new Date(NOW.getTime() - days * DAY_MS),
  });
  const [recent, old] = [change(29), change(31)];
  await db.assignmentChange.createMany({ data: [recent, old] });
  await purgeExpired(db, NOW);
  expect((await db.assignmentChange.findMany({ where: { organizationId } })).map(({ id }) => id)).toEqual([recent.id]);
});

it("deletes everything else although a step fails, which is logged", async () => {
  const error = vi.spyOn(logger(), "error").mockImplementation(() => undefined);
  const { context, adminId, organizationId, workspaceId } = await testWorld();
  const { db } = context;
  const createdAt = new Date(NOW.getTime() - 31 * DAY_MS);
  await db.idempotencyRecord.create({
    data: { callerId: adminId, key: "old", fingerprint: "", answerCiphertext: "", createdAt },
  });
  const id = uuidv7(NOW);
  await db.assignmentChange.create({ data: { id, organizationId, workspaceId, kind: "keys", steps: {}, createdAt } });
  await db.$executeRaw`
    CREATE FUNCTION refuse_purge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`;
  await db.$executeRaw`
    CREATE TRIGGER refuse_purge BEFORE DELETE ON idempotency_records FOR EACH ROW EXECUTE FUNCTION refuse_purge()`;
  try {
    await expect(purgeExpired(db, NOW)).rejects.toThrow("purge failed: idempotencyRecords");
  } finally {
    await db.$executeRaw`DROP FUNCTION refuse_purge CASCADE`;
  }
  expect(error).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ step: "idempotencyRecords" }),
    "purge failed",
  );
  expect(await db.assignmentChange.count({ where: { id } })).toBe(0);
  expect((await purgeExpired(db, NOW)).idempotencyRecords).toBe(1);
});

it("deletes webhook deliveries and notifications batch by batch", async () => {
  const { context, organizationId } = await testWorld();
  const { db } = context;
  const body = CreateWebhookBody.parse({ url: "https://hooks.example.com/", events: ["key.created"] });
  const { data: webhook } = await createWebhook(context, { query: {}, params: {}, body });
  const ages = [29, 31];
  for (const days of ages) {
    const createdAt = new Date(NOW.getTime() - days * DAY_MS);
    await db.$executeRaw`
      INSERT INTO webhook_deliveries (id, webhook_id, type, body, created_at)
      SELECT gen_random_uuid(), ${webhook.id}::uuid, 'key.created', '{}', ${createdAt} FROM generate_series(1, 2500)`;
    await db.$executeRaw`
      INSERT INTO notifications (id, organization_id, channel, type, recipient, created_at)
      SELECT gen_random_uuid(), ${organizationId}::uuid, 'email', 'invitation', '', ${createdAt} FROM generate_series(1, 2500)`;
  }
  await db.$executeRaw`CREATE TABLE purge_batches (of_table text, size int)`;
  await db.$executeRaw`
    CREATE FUNCTION note_batch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO purge_batches SELECT tg_table_name, count(*) FROM gone; RETURN NULL; END $$`;
  for (const table of ["webhook_deliveries", "notifications"])
    await db.$executeRawUnsafe(`
      CREATE TRIGGER note_batch AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note_batch()`);
  try {
    expect(await purgeExpired(db, NOW)).toMatchObject({ webhookDeliveries: 2500, notifications: 2500 });
    const batches = await db.$queryRaw`
      SELECT of_table, array_agg(size ORDER BY size DESC) AS sizes FROM purge_batches GROUP BY 1 ORDER BY 1`;
    expect(batches).toEqual(
      ["notifications", "webhook_deliveries"].map((of_table) => ({ of_table, sizes: [1000, 1000, 500] })),
    );
    expect(await db.webhookDelivery.count({ where: { webhookId: webhook.id } })).toBe(2500);
  } finally {
    await db.$executeRaw`DROP FUNCTION note_batch CASCADE`;
    await db.$executeRaw`DROP TABLE purge_batches`;
  }
});

it("ends between batches when the process stops", async () => {
  const { context } = await testWorld();
  const stopping = new AbortController();
  stopping.abort(new Error("the process is stopping"));
  await expect(purgeExpired(context.db, NOW, { signal: stopping.signal })).rejects.toThrow("the process is stopping");
});
