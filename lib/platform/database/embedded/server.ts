import "server-only";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { logger } from "../../logger";
import { StartError } from "../../start-error";
import { asUnprivileged, UNTIL_STDIN_CLOSES } from "./programs.mjs";

const RESTART_AFTER_MS = 1_000;
const POLL_MS = 25;
/** Number of attempts, because another process can take a free port before the server listens. */
const ATTEMPTS = 3;
const WRONG_PASSWORD = "28P01";

export interface ServerOptions {
  /** Folder of PostgreSQL's programs. */
  programs: string;
  /** Folder of the database server's files. */
  data: string;
  /** Settings of PostgreSQL, as `name=value`. */
  settings: readonly string[];
  /** Connection string for a port. */
  urlOf: (port: number) => string;
}

export interface RunningServer {
  url: string;
  /** Ends the server by a fast shutdown, which rolls back running transactions. */
  stop: () => Promise<void>;
}

interface Attempt {
  child: ChildProcess;
  /** Resolves with the last lines of its log when the process has ended. */
  ended: Promise<string>;
}

function launch({ programs, data, settings }: ServerOptions, port: number): Attempt {
  const command = [join(programs, "postgres"), "-D", data, "-p", String(port)];
  const options = ["listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings];
  const child = spawn(
    "/bin/sh",
    ["-c", UNTIL_STDIN_CLOSES, "sh", ...asUnprivileged([...command, ...options.flatMap((option) => ["-c", option])])],
    // In a separate process group, so that Ctrl+C ends only Signalbox, which needs the database until it has finished.
    { stdio: ["pipe", "ignore", "pipe"], detached: true },
  );
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)));
  child.stdin.on("error", () => undefined);
  const ended = once(child, "exit").then(
    () => {
      child.stdin.end();
      return log;
    },
    (error: unknown) => String(error),
  );
  return { child, ended };
}

/** Returns true once the server accepts connections, false when it ended before. */
async function isReady({ child, ended }: Attempt, { data, urlOf }: ServerOptions, port: number): Promise<boolean> {
  let isOver = false as boolean;
  void ended.then(() => (isOver = true));
  while (!isOver) {
    const state = await stateOf(urlOf(port), data);
    if (state === "ready") return true;
    if (state === "refused") {
      child.stdin?.end();
      await ended;
      throw new StartError(
        `The file with the password of the embedded database in ${dirname(data)} isn't the right one`,
      );
    }
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * Returns whether the server of a folder can be reached: "not yet" while it starts, recovers, stops or has no free connection; null if
 * nothing or the server of another folder responds.
 */
export async function stateOf(url: string, data: string): Promise<"ready" | "not yet" | "refused" | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
    return rows[0]?.data_directory === data ? "ready" : null;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return null;
    return error.code === WRONG_PASSWORD ? "refused" : "not yet";
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** Starts PostgreSQL on a free port of 127.0.0.1, and restarts it when it ends by itself: after a crash, or on a full disk. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const first = await firstStart(options);
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const keepRunning = async () => {
    for (let { child, ended } = first.attempt; ; { child, ended } = launch(options, first.port)) {
      stopping.signal.onabort = () => child.stdin?.end();
      const log = await ended;
      if (isStopping()) return;
      logger().error({ log }, "the embedded database ended and is started again");
      await sleep(RESTART_AFTER_MS);
      if (isStopping()) return;
    }
  };
  const running = keepRunning();
  return {
    url: options.urlOf(first.port),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function firstStart(options: ServerOptions): Promise<{ attempt: Attempt; port: number }> {
  for (let number = 1; ; number++) {
    const port = await freePort();
    const attempt = launch(options, port);
    if (await isReady(attempt, options, port)) return { attempt, port };
    if (number === ATTEMPTS)
      throw new StartError(`The embedded database in ${options.data} can't start: ${(await attempt.ended).trim()}`);
  }
}
