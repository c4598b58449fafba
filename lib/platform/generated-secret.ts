import "server-only";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDataFolder } from "./data-folder";
import { StartError } from "./start-error";

const FEWEST_BYTES = 32;

/**
 * Returns an embedded install's secret, generated at its first start and readable only by its owner. A secret that is missing beside
 * existing data is replaced only if `isLost`, because values encrypted with it can't be read with another one.
 */
export function generatedSecret(dataDir: string, { isLost }: { isLost: boolean }): Buffer {
  const path = join(dataDir, "secret-key");
  openDataFolder(dataDir);
  if (!existsSync(path)) {
    if (!isLost && readdirSync(dataDir).some((name) => /^(pgdata|postgres)/.test(name)))
      throw new StartError(
        `The secret key ${path} is missing, but the data folder has data encrypted with it. Put the file back, or set SIGNALBOX_SECRET_KEY to its content`,
      );
    // The file is created complete, so that a crash leaves no empty key.
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, randomBytes(FEWEST_BYTES).toString("base64"), { mode: 0o600 });
    renameSync(draft, path);
  }
  const secret = Buffer.from(readFileSync(path, "utf8"), "base64");
  if (secret.length < FEWEST_BYTES)
    throw new StartError(
      `The secret key ${path} is damaged: it must have at least 32 bytes in base64. Restore the file`,
    );
  return secret;
}
