import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";
import { freePort } from "../lib/testing/free-port";
import { leadsToPrimary, query, takesWrites, until, type TestDatabase } from "./database-pair";
import { startDatabaseProxy } from "./haproxy";

/** Folder of Debian's PostgreSQL packages. */
const DEBIAN = "/usr/lib/postgresql";
/** Patroni and PostgreSQL refuse to run as root. */
const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
/**
 * Seconds after which the lease of a killed primary ends. Patroni's default is 30; a busy machine needs more than the
 * minimum.
 */
const TTL = 10;

const [binaries = null] = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
  .toSorted((a, b) => Number(b) - Number(a))
  .map((version) => join(DEBIAN, version, "bin"));

/** Programs of Debian's packages that aren't installed. */
export const missingForPatroni = (): string[] =>
  [
    ["patroni", "patroni"],
    ["etcd", "etcd-server"],
    ["haproxy", "haproxy"],
    [binaries ? join(binaries, "postgres") : "postgres", "postgresql"],
  ].flatMap(([program = "", name = ""]) =>
    ["--version", "-v"].some((option) => spawnSync(program, [option]).status === 0) ? [] : [name],
  );

/** Runs a program in a folder, with its output in `<name>.log`. */
function run(folder: string, name: string, command: readonly string[]): ChildProcess {
  const [program = "", ...rest] = command;
  const log = join(folder, `${name}.log`);
  return spawn("/bin/sh", ["-c", `exec "$@" >${log} 2>&1`, "sh", program, ...rest], {
    ...identity,
    cwd: folder,
    stdio: "ignore",
  });
}

async function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

interface Node {
  port: number;
  /** Port of Patroni's REST API. */
  checkPort: number;
  url: (database: string) => string;
  /** Starts Patroni, which starts the server on the data that it left. */
  start: () => void;
  kill: () => Promise<void>;
}

async function createNode(folder: string, name: string, etcd: number): Promise<Node> {
  const [port, checkPort] = [await freePort(), await freePort()];
  const data = join(folder, name);
  const configuration = {
    scope: "signalbox",
    name,
    restapi: { listen: `127.0.0.1:${checkPort}`, connect_address: `127.0.0.1:${checkPort}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: TTL,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 300 } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: binaries,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: { username: "postgres" }, replication: { username: "postgres" } },
      parameters: { unix_socket_directories: folder },
      pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust", "local all all trust"],
    },
  };
  const file = join(folder, `${name}.yml`);
  writeFileSync(file, stringify(configuration));
  let patroni: ChildProcess | null = null;
  const killServer = () => {
    const postmaster = join(data, "postmaster.pid");
    if (!existsSync(postmaster)) return;
    try {
      process.kill(Number(readFileSync(postmaster, "utf8").split("\n")[0]), "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const killAtExit = () => {
    patroni?.kill("SIGKILL");
    killServer();
  };
  let starts = 0;
  return {
    port,
    checkPort,
    url: (database) => `postgresql://postgres@127.0.0.1:${port}/${database}`,
    start: () => {
      patroni = run(folder, `patroni-${name}-${(starts += 1)}`, ["patroni", file]);
      process.once("exit", killAtExit);
    },
    kill: async () => {
      process.off("exit", killAtExit);
      // Patroni first, because it would start the server again.
      if (patroni) await end(patroni, "SIGKILL");
      killServer();
    },
  };
}

/** Returns true when a standby streams and commits wait for it. */
async function hasSynchronousStandby(primary: Node): Promise<boolean> {
  const state = "SELECT sync_state FROM pg_stat_replication";
  return (await query<{ sync_state: string }>(primary.url("postgres"), state))[0]?.sync_state === "sync";
}

/** Starts a primary and a synchronous standby under Patroni, whose REST API directs HAProxy to the primary. */
export async function startPatroniPair(): Promise<TestDatabase> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-patroni-"));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
    const [clientPort, peerPort] = [await freePort(), await freePort()];
    const [client, peer] = [clientPort, peerPort].map((port) => `http://127.0.0.1:${port}`) as [string, string];
    const options = {
      name: "etcd",
      "data-dir": join(folder, "etcd"),
      "listen-client-urls": client,
      "advertise-client-urls": client,
      "listen-peer-urls": peer,
      "initial-advertise-peer-urls": peer,
      "initial-cluster": `etcd=${peer}`,
    };
    const etcd = run(folder, "etcd", ["etcd", ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)]);
    const killEtcd = () => etcd.kill("SIGKILL");
    process.once("exit", killEtcd);
    stops.push(() => {
      process.off("exit", killEtcd);
      return end(etcd, "SIGKILL");
    });
    await until(async () => (await fetch(`${client}/health`).catch(() => null))?.ok === true);

    const primary = await createNode(folder, "one", clientPort);
    stops.push(primary.kill);
    primary.start();
    await until(() => takesWrites(primary.url("postgres")).catch(() => false));
    const standby = await createNode(folder, "two", clientPort);
    stops.push(standby.kill);
    standby.start();
    await until(() => hasSynchronousStandby(primary));
    const proxy = await startDatabaseProxy([primary, standby]);
    stops.push(proxy.stop);
    const url = `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`;
    await leadsToPrimary(url);
    let [current, other] = [primary, standby];
    return {
      url,
      current: () => current,
      restart: () => Promise.reject(new Error("Patroni starts servers")),
      failOver: async (pauseMs) => {
        await sleep(pauseMs);
        await current.kill();
        [current, other] = [other, current];
        await until(() => takesWrites(current.url("postgres")).catch(() => false));
      },
      rejoin: async () => {
        other.start();
        await until(() => hasSynchronousStandby(current));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
