import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { StartError } from "../start-error";
import { outdatedMigrations, readMigrations } from "./migrations";
import { openEmbedded } from "./open";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a new data folder gets every migration, the next start none, and an edited migration is rejected", async () => {
  const { migrationDirectories } = await readMigrations();
  const first = await openEmbedded(folder);
  expect(first.appliedMigrations).toEqual(migrationDirectories.map(({ path }) => path));
  await first.close();

  const second = await openEmbedded(folder);
  expect(second.appliedMigrations).toEqual([]);
  expect(await outdatedMigrations(second.query, await readMigrations())).toEqual([]);
  await second.query("UPDATE _prisma_migrations SET checksum = 'another text'");
  await second.close();

  await expect(openEmbedded(folder)).rejects.toThrow(StartError);
  await expect(openEmbedded(folder)).rejects.toThrow(migrationDirectories[0]?.path);
});
