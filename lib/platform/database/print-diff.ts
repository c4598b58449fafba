import "server-only";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "./embedded/open";
import { sqlToSchema } from "./schema-sql";

const [revision = "HEAD"] = process.argv.slice(2);
const earlier = execFileSync("git", ["show", `${revision}:prisma/schema.prisma`], { encoding: "utf8" });
const folder = mkdtempSync(join(tmpdir(), "signalbox-diff-"));
const server = await startEmbedded(folder);
try {
  process.stdout.write(await sqlToSchema(server.url, earlier));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
