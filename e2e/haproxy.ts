import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../lib/testing/free-port";
import { ROOT } from "./server";

export const isHaproxyInstalled = (): boolean => spawnSync("haproxy", ["-v"]).status === 0;

/** Replaces the only occurrence of a text. */
function replaceOnce(text: string, place: string, by: string): string {
  if (text.split(place).length !== 2) throw new Error(`docs/scaling.md has not exactly one "${place}"`);
  return text.replace(place, by);
}

/** Configurations of docs/scaling.md: before servers, and before databases. */
const documented = (): string[] =>
  [...readFileSync(join(ROOT, "docs/scaling.md"), "utf8").matchAll(/```haproxy\n([^]*?)```/g)].map(
    ([, text = ""]) => text,
  );

/** Returns the configuration of docs/scaling.md with other addresses, without the servers that don't exist. */
function configurationOf(port: number, servers: readonly number[]): string {
  const [text = ""] = documented();
  return servers
    .reduce(
      (all, server, index) => replaceOnce(all, `10.0.0.${index + 1}:3000`, `127.0.0.1:${server}`),
      replaceOnce(text, "bind :8080", `bind 127.0.0.1:${port}`),
    )
    .replaceAll(/^ +server \w+ 10\.0\.0\.\d+:3000\n/gm, "");
}

/** Starts HAProxy before servers on ports of 127.0.0.1. */
export async function startHaproxy(servers: readonly number[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  return { url, stop: await run(configurationOf(port, servers), isUp) };
}

/** Starts HAProxy before databases on ports of 127.0.0.1. Each has a port that reports whether it accepts writes. */
export async function startDatabaseProxy(
  servers: readonly { port: number; checkPort: number }[],
): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const [, text = ""] = documented();
  const configuration = servers.reduce(
    (all, server, index) =>
      replaceOnce(
        all,
        `10.0.1.${index + 1}:5432 check port 8008`,
        `127.0.0.1:${server.port} check port ${server.checkPort}`,
      ),
    replaceOnce(text, "bind :5432", `bind 127.0.0.1:${port}`),
  );
  const isUp = async () => {
    const socket = connect(port, "127.0.0.1");
    return once(socket, "connect")
      .then(
        () => true,
        () => false,
      )
      .finally(() => socket.destroy());
  };
  return { port, stop: await run(`defaults\n  timeout connect 2s\n\n${configuration}`, isUp) };
}

/** Runs HAProxy until the returned function is called. */
async function run(configuration: string, isUp: () => Promise<boolean>): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-haproxy-"));
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configuration);
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  while (!(await isUp())) if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${output}`);
  return async () => {
    process.off("exit", killAtExit);
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
}
