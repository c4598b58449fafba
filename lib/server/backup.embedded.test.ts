import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { backUp, restore, type Manifest } from "../platform/database/backup";
import { openEmbedded } from "../platform/database/open";
import { secretKeyId } from "../platform/secrets";
import { TEST_SETTINGS } from "../testing/context";
import { NOW } from "../testing/test-context";
import { assertWorks, described, fillInstall } from "../testing/used-install";

const folder = mkdtempSync(join(tmpdir(), "signalbox-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installIn = (name: string, secretKey = TEST_SETTINGS.secretKey) => ({
  databaseUrl: undefined,
  dataDir: join(folder, name),
  secretKeyIds: [secretKeyId(secretKey)],
  environment: { NODE_ENV: "test" } as const,
});
const generations = ({ tables }: Manifest) => tables.find(({ table }) => table === "generations")?.rows;

it("restores an embedded database from a backup, and refuses what doesn't fit", async () => {
  const [install, backup] = [installIn("used"), join(folder, "backup")];
  const source = await openEmbedded(install.dataDir);
  await fillInstall(source, 300);
  const before = await described(source);
  await expect(backUp(install, backup, NOW)).rejects.toThrow("is in use by process");
  await source.close();
  rmSync(backup, { recursive: true });

  await expect(backUp(installIn("used", Buffer.alloc(32, 8)), join(folder, "other"), NOW)).rejects.toThrow(
    "isn't configured here",
  );
  const manifest = await backUp(install, backup, NOW);
  expect(generations(manifest)).toBe(300);
  expect(manifest.secretKeyIds).toEqual(install.secretKeyIds);
  await expect(backUp(install, backup, NOW)).rejects.toThrow("isn't empty");

  const target = installIn("restored");
  await expect(restore(installIn("restored", Buffer.alloc(32, 8)), backup)).rejects.toThrow("isn't configured here");
  await expect(restore({ ...target, databaseUrl: "postgresql://db.example/" }, backup)).rejects.toThrow(
    "a backup of an embedded database",
  );
  await expect(restore(target, folder)).rejects.toThrow("isn't a complete backup");
  expect(existsSync(target.dataDir)).toBe(false);

  await restore(target, backup);
  const restored = await openEmbedded(target.dataDir);
  expect(await described(restored)).toEqual(before);
  await assertWorks(restored);
  await restored.close();
  await expect(restore(target, backup)).rejects.toThrow("has a database already");

  const path = join(backup, "manifest.json");
  const tables = manifest.tables.map((one) => (one.table === "keys" ? { ...one, rows: one.rows + 1 } : one));
  writeFileSync(path, JSON.stringify({ ...manifest, tables }));
  const refused = installIn("refused");
  await expect(restore(refused, backup)).rejects.toThrow("These tables differ from the backup: keys");
  expect(existsSync(join(refused.dataDir, "pgdata"))).toBe(false);
});
