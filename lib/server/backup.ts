// npm run backup -- --to <folder>, npm run restore -- --from <folder>: the database of DATABASE_URL or SIGNALBOX_DATA_DIR (docs/runbook.md).
import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { backUp, restore, type Install } from "../platform/database/backup/backup";
import { parseEnv } from "../platform/env";
import { scriptArguments } from "../platform/script-arguments.mjs";
import { secretKeyId } from "../platform/secrets";
import { StartError } from "../platform/start-error";

/** Reads the configuration without generating what is missing. */
function configuredInstall(): Install {
  const { databaseUrl, dataDir, secretKey, previousSecretKeys } = parseEnv(process.env);
  const stored = join(dataDir, "secret-key");
  const current = secretKey ?? (existsSync(stored) ? Buffer.from(readFileSync(stored, "utf8"), "base64") : undefined);
  const secretKeys = [...(current ? [current] : []), ...previousSecretKeys];
  return { databaseUrl, dataDir, secretKeyIds: secretKeys.map(secretKeyId) };
}

const { values, fail } = scriptArguments("npm run backup|restore --", {
  options: { to: { type: "string" }, from: { type: "string" } },
  note: "npm run backup takes --to with a new folder, npm run restore takes --from with the folder of a backup",
});
const { to, from } = values;
if ((to === undefined) === (from === undefined)) fail("Either --to or --from is required");

try {
  const install = configuredInstall();
  const { tables } = to
    ? await backUp(install, resolve(to), new Date())
    : await restore(install, resolve(String(from)));
  for (const { name, rows } of tables) if (rows > 0) process.stdout.write(`${String(rows).padStart(10)} ${name}\n`);
  process.stdout.write(
    to
      ? `Backed up to ${to}. The secret key isn't in it.\n`
      : "Restored: counts and checksums agree with the backup. Start with the same SIGNALBOX_SECRET_KEY.\n",
  );
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
