import "server-only";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../../start-error";
import { lockDataFolder } from "../process-lock";
import { initialise, isRoot, LOCALE, packagedPrograms, ProgramError, UNPRIVILEGED } from "./programs.mjs";
import { startServer, stateOf, type RunningServer } from "./server";

const USER = "signalbox";
const DATABASE = "postgres";

/** Settings for a small machine, one process with a pool of connections, and no standby. */
const SETTINGS = [
  "shared_buffers=64MB",
  "max_connections=50",
  "wal_level=minimal",
  "max_wal_senders=0",
  "min_wal_size=32MB",
  "max_wal_size=512MB",
  // Parallel queries use shared memory, of which containers have little.
  "max_parallel_workers_per_gather=0",
  "timezone=UTC",
];

/** Time for PostgreSQL to write its buffers and stop. */
const FORMER_ENDS_WITHIN_MS = 60_000;
const POLL_MS = 50;

const databaseFolder = (dataDir: string): string => join(dataDir, "postgres");
const passwordFile = (dataDir: string): string => join(dataDir, "postgres-password");

const urlFor = (dataDir: string) => {
  const password = readFileSync(passwordFile(dataDir), "utf8");
  return (port: number) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
};

export const hasEmbedded = (dataDir: string): boolean => existsSync(databaseFolder(dataDir));

/** Removes the database of a data folder. Its server must not run. */
export const removeEmbedded = (dataDir: string): void => rmSync(databaseFolder(dataDir), { recursive: true });

/** Returns the connection string of the server that runs in a data folder; null if none does. */
export async function runningUrl(dataDir: string): Promise<string | null> {
  const noted = hasEmbedded(dataDir) ? notedServer(databaseFolder(dataDir)) : null;
  if (!noted) return null;
  const url = urlFor(dataDir)(noted.port);
  return (await stateOf(url, databaseFolder(dataDir))) === "ready" ? url : null;
}

/** Starts the database server of a data folder, which is locked until it has stopped; creates its files at the first start. */
export async function startEmbedded(dataDir: string): Promise<RunningServer> {
  const unlock = await lockDataFolder(dataDir);
  try {
    const programs = packagedPrograms();
    const data = databaseFolder(dataDir);
    if (!existsSync(data)) await create(dataDir, programs);
    const urlOf = urlFor(dataDir);
    await endFormer(data, urlOf);
    if (isRoot) giveToServer(data);
    chmodSync(data, 0o700);
    const server = await startServer({ programs, data, settings: SETTINGS, urlOf });
    return { url: server.url, stop: () => server.stop().finally(unlock) };
  } catch (error) {
    unlock();
    throw error instanceof ProgramError ? new StartError(error.message) : error;
  }
}

/** Creates the files in a temporary folder, so that an interrupted first start leaves no incomplete database. */
async function create(dataDir: string, programs: string): Promise<void> {
  // Versions up to 0.2 had another engine.
  if (existsSync(join(dataDir, "pgdata")))
    throw new StartError(
      `The data folder ${dataDir} has a database of an older version of Signalbox. Restore it into another data folder: docs/runbook.md#update-from-version-02`,
    );
  const draft = `${databaseFolder(dataDir)}-new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (isRoot) giveToServer(draft);
  writeFileSync(passwordFile(dataDir), randomBytes(24).toString("base64url"), { mode: 0o600 });
  await initialise(programs, [
    `--pgdata=${draft}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile(dataDir)}`,
    "--auth=scram-sha-256",
    ...LOCALE,
  ]);
  renameSync(draft, databaseFolder(dataDir));
}

/** Changes the owner of the files to the user that the server runs as, because root may have copied or restored them. */
function giveToServer(folder: string): void {
  const { uid, gid } = UNPRIVILEGED;
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(join(folder, name), uid, gid);
}

const noteOf = (data: string): string => join(data, "postmaster.pid");

/** Reads `postmaster.pid`, in which a running server notes its process id, folder, start time and port, one a line. It remains after a crash. */
function notedServer(data: string): { pid: number; port: number } | null {
  if (!existsSync(noteOf(data))) return null;
  const [pid, , , port] = readFileSync(noteOf(data), "utf8").split("\n");
  return { pid: Number(pid), port: Number(port) };
}

/** Begins PostgreSQL's fast shutdown. */
function end(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch {
    // The process has ended meanwhile.
  }
}

/**
 * Ends the server of a process that was killed. The server ends by itself, unless its shell was killed too. Removes the note of a
 * server that doesn't run, because another process may have its id now, especially in a container.
 */
async function endFormer(data: string, urlOf: (port: number) => string): Promise<void> {
  const deadline = performance.now() + FORMER_ENDS_WITHIN_MS;
  while (performance.now() < deadline) {
    const noted = notedServer(data);
    const state = noted && (await stateOf(urlOf(noted.port), data));
    if (!noted || state === null || state === "refused") {
      rmSync(noteOf(data), { force: true });
      return;
    }
    if (state === "ready") end(noted.pid);
    await sleep(POLL_MS);
  }
}
