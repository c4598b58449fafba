import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { StartError } from "../start-error";
import { outdatedMigrations, readMigrations } from "./migrations";
import { openEmbedded } from "./open";
import { prepareDatabase } from "./prepare";
import { prepareApart } from "./prepare-apart";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ["in this process", prepareDatabase],
  ["in a process of its own", prepareApart],
])(
  "a new data folder gets every migration, the next start none, and an edited one is rejected, %s",
  async (_, prepare) => {
    const { migrationDirectories } = await readMigrations();
    const first = await openEmbedded(folder, prepare);
    expect(first.appliedMigrations).toEqual(migrationDirectories.map(({ path }) => path));
    await first.close();

    const second = await openEmbedded(folder, prepare);
    expect(second.appliedMigrations).toEqual([]);
    expect(await outdatedMigrations(second.query, await readMigrations())).toEqual([]);
    await second.query("UPDATE _prisma_migrations SET checksum = 'another text'");
    await second.close();

    await expect(openEmbedded(folder, prepare)).rejects.toThrow(StartError);
    await expect(openEmbedded(folder, prepare)).rejects.toThrow(migrationDirectories[0]?.path);
  },
);
