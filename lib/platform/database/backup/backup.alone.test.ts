import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { bootstrap } from "../../../server/bootstrap";
import { TEST_SETTINGS } from "../../../testing/context";
import { createDatabase, NOW } from "../../../testing/test-context";
import { assertWorks, described, fillInstall } from "../../../testing/used-install";
import { secretKeyId } from "../../secrets";
import { openEmbedded, openPostgres, type OpenDatabase } from "../open";
import { backUp, restore, type Install } from "./backup";
import type { Contents } from "./contents";

const GENERATIONS = 300;
const folder = mkdtempSync(join(tmpdir(), "signalbox-backup-"));
const installIn = (name: string, more: Partial<Install> = {}): Install => ({
  databaseUrl: undefined,
  dataDir: join(folder, name),
  secretKeyIds: [secretKeyId(TEST_SETTINGS.secretKey)],
  ...more,
});
const emptyDatabase = async () => installIn("unused", { databaseUrl: await createDatabase(inject("postgresUrl")) });
const rowsOf = ({ tables }: Contents, name: string) => tables.find((table) => table.name === name)?.rows;

/** Creates an install in a data folder with a running server, and a backup of it. */
const [used, backup] = [installIn("used"), join(folder, "backup")];
let source: OpenDatabase;
let before: Awaited<ReturnType<typeof described>>;
let contents: Contents;
beforeAll(async () => {
  source = await openEmbedded(used.dataDir);
  await fillInstall(source, GENERATIONS);
  before = await described(source);
  contents = await backUp(used, backup, NOW);
});
afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

async function assertSameInstall(database: OpenDatabase): Promise<void> {
  onTestFinished(database.close);
  expect(await described(database)).toEqual(before);
  const { client } = database;
  // Constraints and triggers are restored: a key needs an organization, and other processes are notified of a change.
  await expect(client.$executeRaw`UPDATE keys SET workspace_id = gen_random_uuid()`).rejects.toThrow(/foreign key/i);
  await client.$executeRaw`UPDATE keys SET name = name || '!'`;
  expect(await client.policyChange.count()).toBe(1);
  await assertWorks(database);
}

it("backs up while the server runs, and restores into a new data folder", async () => {
  expect(contents).toMatchObject({ secretKeyIds: used.secretKeyIds });
  expect(rowsOf(contents, "generations")).toBe(GENERATIONS);
  expect(rowsOf(contents, "webhook_deliveries")).toBe(1);
  const target = installIn("restored");
  await restore(target, backup);
  await assertSameInstall(await openEmbedded(target.dataDir));
  await expect(restore(target, backup)).rejects.toThrow("has a database already");
});

it("moves from a data folder to a PostgreSQL server, and back", async () => {
  const target = await emptyDatabase();
  await restore(target, backup);
  const fromServer = join(folder, "from-server");
  await backUp(target, fromServer, NOW);
  await assertSameInstall(await openPostgres(String(target.databaseUrl)));
  const back = installIn("back");
  await restore(back, fromServer);
  await assertSameInstall(await openEmbedded(back.dataDir));
});

it("contains one moment, while requests are recorded", async () => {
  const writing = { goesOn: true };
  const writes = (async () => {
    for (let n = 0; writing.goesOn; n++)
      await source.client.signInFailure.create({ data: { key: String(n), count: 1, lastAt: NOW } });
  })();
  const duringWrites = join(folder, "during-writes");
  await backUp(used, duringWrites, NOW);
  writing.goesOn = false;
  await writes;
  const target = await emptyDatabase();
  expect(rowsOf(await restore(target, duringWrites), "sign_in_failures")).toBeLessThan(
    await source.client.signInFailure.count(),
  );
});

it("backs up a data folder whose server doesn't run", async () => {
  const target = installIn("stopped");
  await restore(target, backup);
  const again = await backUp(target, join(folder, "of-stopped"), NOW);
  expect(again.tables).toEqual(contents.tables);
});

it.each([
  ["a backup", (former: string) => join(former, "backup")],
  [
    "a data folder",
    (former: string) => {
      rmSync(join(former, "backup/manifest.json"));
      return join(former, "backup");
    },
  ],
])("restores %s of a version with another embedded database", async (_, placeOf) => {
  const packed = new URL("../../../testing/backups/embedded-before-postgresql.tar.br", import.meta.url);
  const former = mkdtempSync(join(folder, "former-"));
  execFileSync("tar", ["x", "-C", former], { input: brotliDecompressSync(readFileSync(packed)) });
  const target = installIn(basename(former).replace("former", "from"));
  expect(rowsOf(await restore(target, placeOf(former)), "generations")).toBe(300);
  const database = await openEmbedded(target.dataDir);
  onTestFinished(database.close);
  expect(await database.client.generation.count()).toBe(300);
  expect(await database.client.generationContent.count()).toBeGreaterThan(100);
});

it("refuses another secret key, a folder in use, and what isn't a backup", async () => {
  const locked = { secretKeyIds: [secretKeyId(Buffer.alloc(32, 8))] };
  await expect(backUp(installIn("used", locked), join(folder, "other"), NOW)).rejects.toThrow("isn't configured here");
  await expect(backUp(used, backup, NOW)).rejects.toThrow("isn't empty");
  await expect(backUp(installIn("nothing"), join(folder, "none"), NOW)).rejects.toThrow("has no embedded database");
  const target = installIn("refused");
  await expect(restore(installIn("refused", locked), backup)).rejects.toThrow("isn't configured here");
  await expect(restore(target, folder)).rejects.toThrow("isn't a complete backup");
  expect(existsSync(target.dataDir)).toBe(false);
});

it("refuses a PostgreSQL database in use, and leaves it as it is", async () => {
  const target = await emptyDatabase();
  const inUse = await openPostgres(String(target.databaseUrl));
  onTestFinished(inUse.close);
  await bootstrap(inUse.client, TEST_SETTINGS, NOW);
  await expect(restore(target, backup)).rejects.toThrow("has tables already");
  expect(await inUse.client.generation.count()).toBe(0);
});

it("leaves nothing half restored when a table differs or can't be filled", async () => {
  const broken = mkdtempSync(join(folder, "broken-"));
  execFileSync("cp", ["-r", `${backup}/.`, broken]);
  const manifest = join(broken, "manifest.json");
  const { tables, ...rest } = JSON.parse(readFileSync(manifest, "utf8")) as Contents;
  const changed = tables.map((table) => (table.name === "keys" ? { ...table, rows: table.rows + 1 } : table));
  writeFileSync(manifest, JSON.stringify({ ...rest, tables: changed }));
  const target = installIn("broken");
  await expect(restore(target, broken)).rejects.toThrow("The table keys differs from the backup");
  await restore(target, backup);

  const onServer = await emptyDatabase();
  await expect(restore(onServer, broken)).rejects.toThrow("The table keys differs from the backup");
  const emptied = await openPostgres(String(onServer.databaseUrl));
  expect(await emptied.client.organization.count()).toBe(0);
  await emptied.close();
  await restore(onServer, backup);
});
