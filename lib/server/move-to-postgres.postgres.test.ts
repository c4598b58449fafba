import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { moveToPostgres } from "../platform/database/move";
import { openEmbedded, openPostgres } from "../platform/database/open";
import { assertWorks, described, fillInstall } from "../testing/used-install";
import { TEST_SETTINGS } from "../testing/context";
import { createDatabase, NOW } from "../testing/test-context";
import { bootstrap } from "./bootstrap";

const GENERATIONS = 1_500;
/** A data folder with an install that has been used. */
const folder = mkdtempSync(join(tmpdir(), "signalbox-move-"));
let before: Awaited<ReturnType<typeof described>>;
beforeAll(async () => {
  const database = await openEmbedded(folder);
  try {
    await fillInstall(database, GENERATIONS);
    before = await described(database);
  } finally {
    await database.close();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("moves everything to an empty PostgreSQL database, which then works on", async () => {
  const url = await createDatabase(inject("postgresUrl"));
  const moved = await moveToPostgres(folder, url);
  expect(moved).toContainEqual(expect.objectContaining({ table: "generations", rows: GENERATIONS }));
  expect(moved).toContainEqual(expect.objectContaining({ table: "webhook_deliveries", rows: 1 }));

  const database = await openPostgres(url);
  onTestFinished(database.close);
  expect(await described(database)).toEqual(before);
  const { client } = database;
  // Rules are back: a key of no organization, and a change of which other processes must be notified.
  await expect(client.$executeRaw`UPDATE keys SET workspace_id = gen_random_uuid()`).rejects.toThrow(/foreign key/i);
  await client.$executeRaw`UPDATE keys SET name = name || '!'`;
  expect(await client.policyChange.count()).toBe(1);
  await assertWorks(database);
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
