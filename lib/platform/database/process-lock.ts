import "server-only";
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDataFolder } from "../data-folder";
import { StartError } from "../start-error";

/**
 * Returns the start time of a process in clock ticks, which distinguishes an owner from a process that reuses its id.
 */
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
 * Locks are numbered and the newest one counts. A stale lock is superseded, never replaced, so that `link` lets exactly
 * one of several processes succeed. A released lock remains as an empty file to keep the numbers increasing.
 */
const LOCK = /^process-(\d{1,15})\.lock$/;
const lockPath = (folder: string, number: number) => join(folder, `process-${number}.lock`);
const lockNumbers = (folder: string) =>
  readdirSync(folder)
    .flatMap((name) => LOCK.exec(name)?.[1] ?? [])
    .map(Number);
const newestLock = (folder: string) => Math.max(0, ...lockNumbers(folder));

/**
 * Locks the data folder for this process and returns the release function; fails with a line naming the process that
 * has it.
 */
export function lockDataFolder(folder: string): () => void {
  openDataFolder(folder);
  const draft = join(folder, `process-lock.${process.pid}`);
  writeFileSync(draft, JSON.stringify({ pid: process.pid, started: startTime(process.pid) }), { mode: 0o600 });
  try {
    for (;;) {
      const newest = newestLock(folder);
      const holder = readHolder(lockPath(folder, newest));
      if (holder && isAlive(holder.pid, holder.started)) {
        throw new StartError(
          `The data folder ${folder} is in use by process ${holder.pid}. Stop that process, or set SIGNALBOX_DATA_DIR`,
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

/** Publishes a complete file under a new name; false when it already exists. */
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
