// npm run move-to-postgres: copies the embedded database of SIGNALBOX_DATA_DIR to the empty PostgreSQL database of DATABASE_URL (docs/runbook.md).
import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { moveToPostgres } from "../platform/database/move";
import { env } from "../platform/env";
import { scriptArguments } from "../platform/script-arguments.mjs";
import { StartError } from "../platform/start-error";

scriptArguments("npm run move-to-postgres", {
  note: "Copies the embedded database of SIGNALBOX_DATA_DIR to the empty PostgreSQL database of DATABASE_URL",
});

try {
  const { databaseUrl, dataDir, secretKey, previousSecretKeys } = env();
  if (!databaseUrl) throw new StartError("DATABASE_URL is required: the empty database to move to");
  if (!existsSync(join(dataDir, "pgdata")))
    throw new StartError(`${dataDir} has no embedded database. Set SIGNALBOX_DATA_DIR`);
  const stored = join(dataDir, "secret-key");
  const isReadable = (secret: Buffer) => [secretKey, ...previousSecretKeys].some((known) => known.equals(secret));
  if (existsSync(stored) && !isReadable(Buffer.from(readFileSync(stored, "utf8"), "base64")))
    throw new StartError(
      `SIGNALBOX_SECRET_KEY isn't the content of ${stored}, with which stored secrets are encrypted`,
    );
  const moved = await moveToPostgres(dataDir, databaseUrl);
  for (const { table, rows } of moved) if (rows > 0) process.stdout.write(`${String(rows).padStart(10)} ${table}\n`);
  process.stdout.write(
    "Moved: counts and checksums agree. Start with the same DATABASE_URL and SIGNALBOX_SECRET_KEY.\n",
  );
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
