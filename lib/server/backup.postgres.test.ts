import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { backUp, restore } from "../platform/database/backup";
import { openPostgres } from "../platform/database/open";
import { secretKeyId } from "../platform/secrets";
import { startPostgres } from "../testing/postgres";
import { TEST_SETTINGS } from "../testing/context";
import { createDatabase, NOW } from "../testing/test-context";
import { assertWorks, described, fillInstall } from "../testing/used-install";

const DEBIAN = "/usr/lib/postgresql";
/** Newest PostgreSQL of a Debian-based system, whose `pg_dump` reads its own version. */
const [installed] = existsSync(DEBIAN)
  ? readdirSync(DEBIAN)
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join(DEBIAN, version))
      .filter((path) => ["pg_dump", "initdb"].every((tool) => existsSync(join(path, "bin", tool))))
  : [];

it.skipIf(!installed)(
  "backs up by pg_dump while requests are recorded, and restores on another server (skipped without pg_dump)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-backup-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const server = await startPostgres({ installed: String(installed) });
    onTestFinished(server.stop);
    const install = {
      databaseUrl: await createDatabase(server.url("postgres")),
      dataDir: join(folder, "unused"),
      secretKeyIds: [secretKeyId(TEST_SETTINGS.secretKey)],
      environment: { NODE_ENV: "test", PATH: join(String(installed), "bin") } as const,
    };
    const source = await openPostgres(install.databaseUrl);
    await fillInstall(source, 300);
    const before = await described(source);
    const backup = join(folder, "backup");
    const writing = { goesOn: true };
    const writes = (async () => {
      for (let n = 0; writing.goesOn; n++)
        await source.client.signInFailure.create({ data: { key: String(n), count: 1, lastAt: NOW } });
    })();
    await backUp(install, backup, NOW);
    writing.goesOn = false;
    await writes;
    const failures = await source.client.signInFailure.count();
    await source.close();

    await expect(restore(install, backup)).rejects.toThrow("has tables already");
    const other = await startPostgres({ installed: String(installed) });
    onTestFinished(other.stop);
    const target = { ...install, databaseUrl: await createDatabase(other.url("postgres")) };
    await expect(restore({ ...target, secretKeyIds: [] }, backup)).rejects.toThrow("isn't configured here");
    await restore(target, backup);
    const restored = await openPostgres(target.databaseUrl);
    onTestFinished(restored.close);
    expect(await described(restored)).toEqual(before);
    await assertWorks(restored);
    expect(await restored.client.signInFailure.count()).toBeLessThan(failures);
  },
);
