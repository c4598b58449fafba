// Locks a folder for one process at a time, even among containers and machines that share it (docs/deployment.md).
//
// The lock is a file that names its holder. A contender in the same boot and the same process namespace looks the holder up
// in /proc. Any other contender can't see the holder's processes: it waits for the heartbeat, which the holder leaves as the
// modification time of the file.
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {object} Holder
 * @property {number} pid
 * @property {string | null} started start time in clock ticks, which tells a process from a later one with the same id
 * @property {string} [host]
 * @property {string | null} [space] boot and process namespace in which `pid` names the holder; missing in locks of older versions
 * @typedef {object} LockOptions
 * @property {(holder: Holder, silentMs: number) => void} [onWait] called when only the heartbeat can tell whether the holder runs
 * @property {() => void} [onLost] called when another process has taken the lock over, because this one was suspended
 * @property {number} [beatMs]
 * @property {number} [silentMs] time without a heartbeat after which a holder that can't be seen has ended
 */

const BEAT_MS = 2_000;
/** Longer than the event loop of a busy holder is ever blocked. */
const SILENT_MS = 20_000;

/** Returns the result of `read`; null if it fails. @template Value @param {() => Value} read @returns {Value | null} */
function readable(read) {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Returns the boot and the process namespace of this process; null where the system doesn't tell. */
function ownSpace() {
  const boot = readable(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const namespace = readable(() => readlinkSync("/proc/self/ns/pid"));
  return boot && namespace ? `${boot} ${namespace}` : null;
}

/** Returns state and start time of a process; null where the system doesn't tell. @param {number} pid */
function statusOf(pid) {
  const stat = readable(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields ? { state: fields[0], started: fields[19] ?? null } : null;
}

/** A description of this process for `isRunning`. @returns {Holder} */
export const thisProcess = () => ({
  pid: process.pid,
  started: statusOf(process.pid)?.started ?? null,
  host: hostname(),
  space: ownSpace(),
});

/** Returns whether a process of this namespace runs. A zombie doesn't: it has ended, but its parent hasn't read its exit status. @param {Holder} holder */
function isAlive({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM") return false;
  }
  const status = statusOf(pid);
  if (status === null) return true;
  return !["Z", "X"].includes(status.state ?? "") && (started === null || status.started === started);
}

/** Returns whether the holder runs; null if this process can't tell. @param {Holder} holder @returns {boolean | null} */
export function isRunning(holder) {
  const space = ownSpace();
  if (holder.space === undefined || (space !== null && holder.space === space)) return isAlive(holder);
  // Without /proc, a process id that isn't in use is still proof on the same machine.
  if (space === null && holder.space === null && holder.host === hostname() && !isAlive(holder)) return false;
  return null;
}

/**
 * Locks are numbered and the newest one counts. A stale lock is superseded, never replaced, so that `link` lets exactly
 * one of several processes succeed. A released lock remains as an empty file to keep the numbers increasing.
 */
const LOCK = /^process-(\d{1,15})\.lock$/;
const lockPath = (/** @type {string} */ folder, /** @type {number} */ number) => join(folder, `process-${number}.lock`);
const lockNumbers = (/** @type {string} */ folder) =>
  readdirSync(folder)
    .flatMap((name) => LOCK.exec(name)?.[1] ?? [])
    .map(Number);
const newestLock = (/** @type {string} */ folder) => Math.max(0, ...lockNumbers(folder));

/** Returns the process that a file describes; null if the file is missing or empty. @param {string} path @returns {Holder | null} */
export function readHolder(path) {
  /** @type {Partial<Holder> | null} */
  const holder = readable(() => JSON.parse(readFileSync(path, "utf8")));
  return typeof holder?.pid === "number" ? { ...holder, pid: holder.pid, started: holder.started ?? null } : null;
}

/** Returns the time of the last heartbeat; null after the lock was released. Opening the file makes network file systems ask their server. @param {string} path */
const lastBeat = (path) =>
  readable(() => {
    const file = openSync(path, "r");
    const { mtimeMs, size } = fstatSync(file);
    closeSync(file);
    return size === 0 ? "" : String(mtimeMs);
  }) || null;

/** Returns whether the holder of a lock runs; may wait for its heartbeat. @param {string} path @param {Holder} holder @param {Required<LockOptions>} options */
async function holds(path, holder, { onWait, beatMs, silentMs }) {
  const seen = isRunning(holder);
  if (seen !== null) return seen;
  const first = lastBeat(path);
  const deadline = performance.now() + silentMs;
  onWait(holder, silentMs);
  while (performance.now() < deadline) {
    await sleep(beatMs / 2);
    const beat = lastBeat(path);
    if (beat !== first) return beat !== null;
  }
  return false;
}

/** Publishes a complete file under a new name; false when it already exists. @param {string} draft @param {string} path */
function appears(draft, path) {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** Leaves the heartbeat of a lock until it is released. Returns the release function. @param {string} folder @param {number} number @param {Required<LockOptions>} options */
function keep(folder, number, { onLost, beatMs }) {
  const path = lockPath(folder, number);
  const timer = setInterval(() => {
    const newest = readable(() => newestLock(folder));
    if (newest !== null && newest > number) {
      clearInterval(timer);
      onLost();
    } else {
      const now = new Date();
      readable(() => utimesSync(path, now, now));
    }
  }, beatMs).unref();
  return () => {
    clearInterval(timer);
    if (existsSync(path)) writeFileSync(path, "");
  };
}

/**
 * Locks a folder for this process. Returns the release function, or the process that has the lock.
 * @param {string} folder
 * @param {LockOptions} [options]
 * @returns {Promise<{release: () => void, holder: null} | {release: null, holder: Holder}>}
 */
export async function lockFolder(folder, options = {}) {
  const { onWait = () => undefined, onLost = () => undefined, beatMs = BEAT_MS, silentMs = SILENT_MS } = options;
  const all = { onWait, onLost, beatMs, silentMs };
  const draft = join(folder, `process-lock.${randomUUID()}`);
  try {
    for (;;) {
      const newest = newestLock(folder);
      const holder = readHolder(lockPath(folder, newest));
      if (holder && (await holds(lockPath(folder, newest), holder, all))) return { release: null, holder };
      const mine = newest + 1;
      writeFileSync(draft, JSON.stringify(thisProcess()), { mode: 0o600 });
      if (!appears(draft, lockPath(folder, mine))) continue;
      if (newestLock(folder) === mine) {
        for (const older of lockNumbers(folder).filter((number) => number < mine))
          rmSync(lockPath(folder, older), { force: true });
        return { release: keep(folder, mine, all), holder: null };
      }
      rmSync(lockPath(folder, mine), { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}
