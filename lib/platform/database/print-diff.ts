import "server-only";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "./embedded/open";
import { schemaDiff } from "./schema-diff";

const folder = mkdtempSync(join(tmpdir(), "signalbox-diff-"));
const server = await startEmbedded(folder);
try {
  process.stdout.write((await schemaDiff(server.url)) || "-- No difference: the migrations match schema.prisma.\n");
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
