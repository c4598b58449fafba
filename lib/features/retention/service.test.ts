import { expect, it } from "vitest";
import { newGenerationId, uuidv7 } from "../../platform/ids";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { toGeneration, withRelations } from "../../records/generations/rows";
import { get } from "../content-access/service";
import { purgeExpired } from "./service";

const DAY_MS = 24 * 60 * 60 * 1000;

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
