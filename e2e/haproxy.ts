import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../lib/testing/free-port";
import { ROOT } from "./server";

export const isHaproxyInstalled = (): boolean => spawnSync("haproxy", ["-v"]).status === 0;

/** Replaces the one place of a text. */
function replaceOnce(text: string, place: string, by: string): string {
  if (text.split(place).length !== 2) throw new Error(`docs/scaling.md has not exactly one "${place}"`);
  return text.replace(place, by);
}

/** Returns the configuration of docs/scaling.md with other addresses. */
function configurationOf(port: number, servers: readonly number[]): string {
  const text = readFileSync(join(ROOT, "docs/scaling.md"), "utf8");
  const documented = /```haproxy\n([^]*?)```/.exec(text)?.[1] ?? "";
  return servers.reduce(
    (all, server, index) => replaceOnce(all, `10.0.0.${index + 1}:3000`, `127.0.0.1:${server}`),
    replaceOnce(documented, "bind :8080", `bind 127.0.0.1:${port}`),
  );
}

/** Starts HAProxy before servers on ports of 127.0.0.1. */
export async function startHaproxy(servers: readonly number[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-haproxy-"));
  const port = await freePort();
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configurationOf(port, servers));
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${output}`);
  return {
    url,
    stop: async () => {
      process.off("exit", killAtExit);
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
