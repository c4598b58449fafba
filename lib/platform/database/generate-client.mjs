// Generates the Prisma client without downloading an engine, which the command looks for although the generator doesn't need it. Skipped
// while the schema is unchanged.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const stamp = `${root}prisma/generated/.schema-sha256`;
const schemaHash = createHash("sha256")
  .update(readFileSync(`${root}prisma/schema.prisma`))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== schemaHash) {
  const prismaCli = createRequire(import.meta.url).resolve("prisma/build/index.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [prismaCli, "generate", "--no-hints"], {
    cwd: root,
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" },
    encoding: "utf8",
  });
  if (status !== 0) {
    process.stderr.write(stdout + stderr);
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, schemaHash);
}
