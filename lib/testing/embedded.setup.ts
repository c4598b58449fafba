import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { TestProject } from "vitest/node";
import { fromPGlite } from "../platform/database/open";

declare module "vitest" {
  interface ProvidedContext {
    /** File with a migrated, empty embedded database; loading it is faster than creating one. */
    embeddedSnapshot: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pglite = await PGlite.create();
  const database = await fromPGlite(pglite);
  const dump = await pglite.dumpDataDir("none");
  await database.close();
  const folder = await mkdtemp(join(tmpdir(), "signalbox-embedded-"));
  const snapshot = join(folder, "snapshot.tar");
  await writeFile(snapshot, Buffer.from(await dump.arrayBuffer()));
  project.provide("embeddedSnapshot", snapshot);
  return () => rm(folder, { recursive: true });
}
