// Builds of `npm start`, each in a folder named by the hash of everything it depends on. A build is made in `.next/building` and
// renamed when it is complete, so that a folder of a build is always whole, and never changes below a running server.
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, lockFolder, thisProcess } from "../platform/process-lock.mjs";

/** Where Next puts a build until it is complete; next.config.ts and tsconfig.json name it, too. */
export const BUILDING = ".next/building";
const BUILD = /^build-[0-9a-f]{16}$/;
const USER = /^used-by-.+\.json$/;
const RETRY_MS = 500;

/** Folder of a build below the root. @param {string} hash */
export const buildName = (hash) => `.next/build-${hash.slice(0, 16)}`;

/** Locks building in a checkout; waits while another process builds. Returns the release function. @param {string} root @param {(pid: number) => void} onWait */
export async function lockBuilding(root, onWait) {
  const folder = join(root, ".next/build-lock");
  mkdirSync(folder, { recursive: true });
  for (let hasWaited = false; ; hasWaited = true) {
    const { release, holder } = await lockFolder(folder);
    if (release) return release;
    if (!hasWaited) onWait(holder.pid);
    await sleep(RETRY_MS);
  }
}

/** Moves a complete build to its place, and removes the builds that no process uses. @param {string} root @param {string} name */
export function publishBuild(root, name) {
  renameSync(join(root, BUILDING), join(root, name));
  // The types that next-env.d.ts imports.
  const types = join(root, name, "types");
  if (existsSync(types)) cpSync(types, join(root, BUILDING, "types"), { recursive: true });
  for (const other of readdirSync(join(root, ".next"))) {
    const folder = join(root, ".next", other);
    if (BUILD.test(other) && folder !== join(root, name) && usersOf(folder).every(({ hasEnded }) => hasEnded))
      rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the notes of `useBuild`, and whether their process has ended. @param {string} folder */
const usersOf = (folder) =>
  readdirSync(folder)
    .filter((name) => USER.test(name))
    .map((name) => {
      const path = join(folder, name);
      return { path, hasEnded: isRunning(JSON.parse(readFileSync(path, "utf8"))) === false };
    });

/** Notes that this process uses a build; false if there is none. @param {string} root @param {string} name */
export function useBuild(root, name) {
  const folder = join(root, name);
  if (!existsSync(folder)) return false;
  for (const { path, hasEnded } of usersOf(folder)) if (hasEnded) rmSync(path, { force: true });
  writeFileSync(join(folder, `used-by-${randomUUID()}.json`), JSON.stringify(thisProcess()));
  return true;
}
