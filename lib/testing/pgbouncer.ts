import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port";

/** `nobody`: PgBouncer refuses to run as root. */
const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const PROGRAM = ["pgbouncer", "/usr/sbin/pgbouncer"].find((program) => spawnSync(program, ["--version"]).status === 0);

/** Reason to skip a test, or null. */
export const missingPgbouncer = PROGRAM ? null : "PgBouncer isn't installed (apt-get install pgbouncer)";

/** Starts PgBouncer in transaction mode before a server. All clients share a few server connections. */
export async function startPgbouncer(server: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port: serverPort, username, pathname } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), "signalbox-pgbouncer-"));
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  );
  if (identity.uid !== undefined) spawnSync("chown", ["-R", String(identity.uid), folder]);
  const child = spawn(PROGRAM ?? "", [file], { ...identity, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const url = `postgresql://${username}@127.0.0.1:${port}${pathname}`;
  const isUp = async () => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  };
  while (!(await isUp())) if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${output}`);
  return {
    url,
    stop: async () => {
      process.off("exit", killAtExit);
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
