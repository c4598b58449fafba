import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as timers from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../lib/testing/free-port";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));
export const RESULTS = join(ROOT, "test-results");

/** Arbitrary; only used by the servers of this run. */
export const MANAGEMENT_KEY = "test-management-key-0123456789abcdef";
export const ADMIN = { email: "admin@localhost", password: "correct horse battery" };

export interface Server {
  url: string;
  pid: number;
  /** Its output so far. */
  output: () => string;
  /** Resolves with the exit code; null after a signal. */
  ended: Promise<number | null>;
  signal: (signal: NodeJS.Signals) => void;
  /** Stops it gracefully. */
  stop: () => Promise<void>;
}

export interface Launch {
  /** Name of its log in `test-results/`. */
  name: string;
  variables: Readonly<Record<string, string>>;
  /** Command line options. */
  options?: readonly string[];
  /** A free port by default. */
  port?: number;
  /** Folder of another checkout to start. */
  root?: string;
}

/** Arguments of Node.js in `npm start` of a checkout. */
function startArguments(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  return scripts.start.split(" ").slice(1);
}

/** Starts the process of `npm start`, without this process's configuration. */
export async function launchServer({
  name,
  variables,
  options = [],
  port: given,
  root = ROOT,
}: Launch): Promise<Server> {
  const port = given ?? (await freePort());
  mkdirSync(RESULTS, { recursive: true });
  const logPath = join(RESULTS, `${name}.log`);
  const log = openSync(logPath, "w");
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [...startArguments(root), ...options], {
    cwd: root,
    env: { NODE_ENV: "production", PATH, HOME, PORT: String(port), ...variables },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const ended = once(child, "exit").then(([code]) => {
    process.off("exit", killAtExit);
    return code as number | null;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => readFileSync(logPath, "utf8"),
    ended,
    signal: (signal) => child.kill(signal),
    stop: async () => {
      child.kill("SIGTERM");
      const ending = setTimeout(() => child.kill("SIGKILL"), 15_000);
      await ended;
      clearTimeout(ending);
    },
  };
}

/** Long enough for the first start of an installation on a busy machine. */
const READY_WITHIN_MS = 180_000;

/** Waits until `/readyz` returns 200; throws the output if the process exits first. */
export async function untilReady(server: Server, timeoutMs = READY_WITHIN_MS): Promise<Server> {
  const deadline = Date.now() + timeoutMs;
  let hasEnded = false as boolean;
  void server.ended.then(() => (hasEnded = true));
  while (Date.now() < deadline) {
    if (hasEnded) throw new Error(`the server ended early:\n${server.output()}`);
    const answer = await fetch(`${server.url}/readyz`).catch(() => null);
    if (answer?.ok) return server;
    await timers.setTimeout(100);
  }
  await server.stop();
  throw new Error(`the server is not ready after ${timeoutMs} ms:\n${server.output()}`);
}

export const startServer = async (launch: Launch, timeoutMs?: number): Promise<Server> =>
  untilReady(await launchServer(launch), timeoutMs);
