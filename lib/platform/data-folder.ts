import "server-only";
import { mkdirSync, statSync } from "node:fs";
import { StartError } from "./start-error";

/** Permission bits of group and others. */
const OTHERS = 0o077;

/**
 * Creates the data folder for this user only, and refuses one that other users can enter: it contains the secret key
 * and every record. Files written later are private as well, whatever the process's umask was.
 */
export function openDataFolder(folder: string): void {
  process.umask(OTHERS);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Windows has no permission bits.
  if (process.platform === "win32") return;
  const mode = statSync(folder).mode & 0o777;
  if ((mode & OTHERS) === 0) return;
  throw new StartError(
    `Other users can enter the data folder ${folder} (mode ${mode.toString(8).padStart(3, "0")}). ` +
      `Run "chmod 700 ${folder}", or set SIGNALBOX_DATA_DIR to a new folder inside it`,
  );
}
