import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { largeInstall } from "../demo/large-install";
import { checkRollups, rollUp } from "../features/analytics/rollup-service";
import { moveToPostgres } from "../platform/database/move";
import { openEmbedded, openPostgres, type OpenDatabase } from "../platform/database/open";
import { uuidv7 } from "../platform/ids";
import { createDeliveries } from "../platform/outbox/outbox-store";
import { createDatabase, NOW, TEST_SETTINGS } from "../testing/test-context";
import { bootstrap } from "./bootstrap";

const GENERATIONS = 1_500;
/** A data folder with an install that has been used. */
const folder = mkdtempSync(join(tmpdir(), "signalbox-move-"));
let before: Awaited<ReturnType<typeof described>>;
beforeAll(async () => {
  before = await fill(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes an install with some of everything, and returns what its database says of itself. */
async function fill(folder: string) {
  const database = await openEmbedded(folder);
  try {
    await bootstrap(database.client, TEST_SETTINGS, NOW);
    for (const script of largeInstall({ generations: GENERATIONS, keys: 30, guardrails: 10, contents: 0.5 }))
      await database.runSql(script);
    const { id: organizationId } = await database.client.organization.findFirstOrThrow();
    const webhook = await database.client.webhook.create({
      data: { id: uuidv7(NOW), organizationId, url: "https://hooks.example/", events: [], secretCiphertext: "v2" },
    });
    await createDeliveries(
      database.client,
      [{ webhookId: webhook.id, type: "webhook.test", data: { é: "\t\\N\n" } }],
      NOW,
    );
    await rollUp(database.client, undefined, GENERATIONS / 2);
    return await described(database);
  } finally {
    await database.close();
  }
}

const described = async ({ client }: OpenDatabase) => ({
  organization: await client.organization.findFirst({
    include: { members: { orderBy: { id: "asc" } }, workspaces: true },
  }),
  keys: await client.key.findMany({ orderBy: { id: "asc" }, include: { secrets: true } }),
  guardrails: await client.guardrail.findMany({ orderBy: { id: "asc" }, include: { revisions: true } }),
  deliveries: await client.webhookDelivery.findMany(),
  newest: await client.generation.findMany({
    orderBy: [{ createdAt: "desc" }],
    take: 50,
    include: { content: true, decisions: true },
  }),
  jobs: await client.$queryRaw`SELECT name, data FROM signalbox_jobs.job WHERE state < 'completed' ORDER BY id`,
});

it("moves everything to an empty PostgreSQL database, which then works on", async () => {
  const url = await createDatabase(inject("postgresUrl"));
  const moved = await moveToPostgres(folder, url);
  expect(moved).toContainEqual({ table: "generations", rows: GENERATIONS });
  expect(moved).toContainEqual({ table: "signalbox_jobs.job", rows: 1 });

  const database = await openPostgres(url);
  onTestFinished(database.close);
  expect(await described(database)).toEqual(before);
  const { client } = database;
  // Rules are back: a key of no organization, and a change that other processes have to hear of.
  await expect(client.$executeRaw`UPDATE keys SET workspace_id = gen_random_uuid()`).rejects.toThrow(/foreign key/i);
  await client.$executeRaw`UPDATE keys SET name = name || '!'`;
  expect(await client.policyChange.count()).toBe(1);
  await rollUp(client);
  const { id } = await client.organization.findFirstOrThrow();
  for (const check of await checkRollups(client, id, NOW)) expect(check).toMatchObject({ missing: 0, wrong: 0 });
});

it("refuses a database in use, and a data folder in use, and leaves both as they are", async () => {
  const url = await createDatabase(inject("postgresUrl"));
  const used = await openPostgres(url);
  onTestFinished(used.close);
  await bootstrap(used.client, TEST_SETTINGS, NOW);
  await expect(moveToPostgres(folder, url)).rejects.toThrow("has an organization already");
  expect(await used.client.generation.count()).toBe(0);

  const running = await openEmbedded(folder);
  onTestFinished(running.close);
  await expect(moveToPostgres(folder, await createDatabase(inject("postgresUrl")))).rejects.toThrow(
    "is in use by process",
  );
});

it("leaves the target empty when something can't be copied", async () => {
  const url = await createDatabase(inject("postgresUrl"));
  const target = await openPostgres(url);
  onTestFinished(target.close);
  await target.runSql("ALTER TABLE generations ADD CONSTRAINT cheap CHECK (cost_micro_usd < 0)");
  await expect(moveToPostgres(folder, url)).rejects.toThrow("cheap");
  expect(await target.client.organization.count()).toBe(0);
  await expect(
    target.client.$executeRaw`INSERT INTO members (id, organization_id, email) VALUES ('a', gen_random_uuid(), 'a')`,
  ).rejects.toThrow(/foreign key/i);
});
