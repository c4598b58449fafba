import "server-only";
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../start-error";

/** Start time of a process in clock ticks: tells a living holder from a stranger that got its id later. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function isAlive(pid: number, started: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return started === null || startTime(pid) === null || startTime(pid) === started;
}

/**
 * Locks are numbered and the newest counts: a lock left behind is followed, never replaced, so that of many processes
 * that find the same one `link` lets exactly one succeed. A lock given back stays, empty, to keep the numbers rising.
 */
const LOCK = /^process-(\d{1,15})\.lock$/;
const lockPath = (folder: string, number: number) => join(folder, `process-${number}.lock`);
const lockNumbers = (folder: string) =>
  readdirSync(folder)
    .flatMap((name) => LOCK.exec(name)?.[1] ?? [])
    .map(Number);
const newestLock = (folder: string) => Math.max(0, ...lockNumbers(folder));

/** Takes the data folder for this process, or stops with a line that names the process that has it. Returns what gives it back. */
export function lockDataFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `process-lock.${process.pid}`);
  writeFileSync(draft, JSON.stringify({ pid: process.pid, started: startTime(process.pid) }), { mode: 0o600 });
  try {
    for (;;) {
      const newest = newestLock(folder);
      const holder = readHolder(lockPath(folder, newest));
      if (holder && isAlive(holder.pid, holder.started)) {
        throw new StartError(
          `the data folder ${folder} is in use by process ${holder.pid}; stop it, or set SIGNALBOX_DATA_DIR`,
        );
      }
      const mine = newest + 1;
      if (!appears(draft, lockPath(folder, mine))) continue;
      if (newestLock(folder) === mine) {
        for (const older of lockNumbers(folder).filter((number) => number < mine))
          rmSync(lockPath(folder, older), { force: true });
        return () => writeFileSync(lockPath(folder, mine), "");
      }
      rmSync(lockPath(folder, mine), { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Puts a complete file under a name that nothing has yet; false when somebody was faster. */
function appears(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

interface Holder {
  pid: number;
  started: string | null;
}

function readHolder(path: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(path, "utf8")) as Partial<Holder> | null;
    return typeof holder?.pid === "number" ? { pid: holder.pid, started: holder.started ?? null } : null;
  } catch {
    return null;
  }
}
