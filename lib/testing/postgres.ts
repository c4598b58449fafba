import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { chown, cp, mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  asUnprivileged,
  initialise,
  isRoot,
  LOCALE,
  packagedPrograms,
  UNPRIVILEGED,
  UNTIL_STDIN_CLOSES,
} from "../platform/database/embedded/programs.mjs";
import { freePort } from "./free-port";

export interface PostgresServer {
  /** Returns the connection string of a database. */
  url: (database: string) => string;
  port: number;
  /** Stops the server, gracefully or by a crash, and starts it on the same data and port. */
  restart: (options?: RestartOptions) => Promise<void>;
  /** Starts a hot standby that streams this server's log. The server must be stopped first. */
  standby: () => Promise<PostgresServer>;
  /** Ends the server like a failure of its machine. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
}

interface RestartOptions {
  isCrash?: boolean;
  /** Time between stop and start. */
  pauseMs?: number;
}

/** Disables waiting for the disk; the databases are temporary. */
const CARELESS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

interface StartOptions {
  /** Keeps synchronous writes, for measurements. */
  durable?: boolean;
  /** Folder of an installed PostgreSQL, with `bin`; the npm package by default. */
  installed?: string;
}

/** Starts a PostgreSQL server in a temporary folder on a free port of 127.0.0.1. */
export async function startPostgres({ durable = false, installed }: StartOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-postgres-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const programs = installed ? join(installed, "bin") : packagedPrograms();
    const data = join(folder, "data");
    await makeData(data);
    const locale = installed ? ["--locale=C"] : LOCALE;
    await initialise(programs, [`--pgdata=${data}`, "--username=postgres", "--auth=trust", "--no-sync", ...locale]);
    process.once("exit", remove);
    const removeOnce = () => {
      process.off("exit", remove);
      remove();
    };
    return await serve({ programs, folder, settings: durable ? [] : CARELESS }, data, removeOnce);
  } catch (error) {
    remove();
    throw error;
  }
}

async function makeData(data: string): Promise<void> {
  await mkdir(data, { mode: 0o700 });
  if (isRoot) await chown(data, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
}

interface Installation {
  /** Folder of PostgreSQL's programs. */
  programs: string;
  /** Temporary folder of the server and its standbys. */
  folder: string;
  settings: readonly string[];
}

async function serve(installation: Installation, data: string, onStop: () => void): Promise<PostgresServer> {
  const { programs, folder } = installation;
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"];
  const command = [
    join(programs, "postgres"),
    "-D",
    data,
    "-p",
    String(port),
    ...[...settings, ...installation.settings].flatMap((setting) => ["-c", setting]),
  ];
  const start = async () => {
    const child = spawn("/bin/sh", ["-c", UNTIL_STDIN_CLOSES, "sh", ...asUnprivileged(command)], {
      cwd: folder,
      stdio: ["pipe", "ignore", "pipe"],
    });
    await untilReady(child);
    return child;
  };
  let server = await start();
  const end = async (crash?: "SIGQUIT" | "SIGKILL") => {
    if (server.exitCode !== null) return;
    const ended = once(server, "exit");
    if (crash) process.kill(postmasterOf(data), crash);
    else server.stdin.end();
    await ended;
    server.stdin.end();
  };
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  return {
    url,
    port,
    restart: async ({ isCrash, pauseMs = 0 } = {}) => {
      await end(isCrash ? "SIGQUIT" : undefined);
      await sleep(pauseMs);
      server = await start();
    },
    standby: async () => {
      const copy = join(folder, `standby-${port}`);
      await copyData(url("postgres"), data, copy);
      const primary = `primary_conninfo=host=127.0.0.1 port=${port} user=postgres`;
      return serve({ ...installation, settings: [...installation.settings, primary] }, copy, () =>
        rmSync(copy, { recursive: true, force: true }),
      );
    },
    crash: () => end("SIGKILL"),
    stop: async () => {
      await end();
      onStop();
    },
  };
}

/** Copies the data of a running server for a standby, with PostgreSQL's low-level API for base backups. */
async function copyData(url: string, data: string, copy: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    await makeData(copy);
    const left = new Set(["postmaster.pid", "postmaster.opts", "pg_replslot", "pg_stat_tmp", "pg_dynshmem"]);
    // Files that disappear in the meantime are replayed from the log.
    await cp(data, copy, { recursive: true, filter: (path) => !left.has(relative(data, path)) });
    for (const name of left) if (name.startsWith("pg_")) await mkdir(join(copy, name), { mode: 0o700 });
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
    await writeFile(join(copy, "backup_label"), rows[0]?.labelfile ?? "");
    await writeFile(join(copy, "standby.signal"), "");
    if (isRoot)
      for (const path of await readdir(copy, { recursive: true }))
        await chown(join(copy, path), UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  } finally {
    await client.end();
  }
}

const postmasterOf = (data: string) => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);

function untilReady(server: ChildProcess): Promise<void> {
  const output = collect(server);
  return new Promise((resolve, reject) => {
    server.stderr?.on("data", () => {
      if (/ready to accept (read-only )?connections/.test(output())) resolve();
    });
    server.on("error", reject);
    server.on("exit", () => reject(new Error(`PostgreSQL stopped:\n${output()}`)));
  });
}

/** Collects the end of a process's output. */
function collect(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => (text = (text + chunk.toString()).slice(-20_000)));
  return () => text;
}
