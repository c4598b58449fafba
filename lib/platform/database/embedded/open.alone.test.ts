import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { StartError } from "../../start-error";
import { readMigrations } from "../migrations";
import { openEmbedded } from "../open";
import { prepareDatabase } from "../prepare";
import { prepareApart } from "../prepare-apart";
import { runningUrl, startEmbedded } from "./open";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "signalbox-test-")), "data");
  // The last to run: servers that a test leaves to `onTestFinished` have stopped by then.
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true }));
});

async function query(url: string | null, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: String(url) });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Lines of `postmaster.pid`. */
const note = () => readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n");
const postmaster = () => Number(note()[0]);

/** Starts a process that runs the database until it is killed. */
async function startedElsewhere(): Promise<ChildProcess> {
  const script = `import { startEmbedded } from "./lib/platform/database/embedded/open";
    await startEmbedded(process.argv[1]); console.log("runs"); setInterval(() => {}, 1000);`;
  const options = ["--conditions=react-server", "--import", "tsx", "--input-type=module", "--eval", script, folder];
  const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

it.each([
  ["in this process", (url: string) => prepareDatabase(url)],
  ["in a process of its own", prepareApart],
])("a new data folder gets every migration and the next start none, %s", async (_, prepare) => {
  const { migrationDirectories } = await readMigrations();
  const first = await openEmbedded(folder, { prepare });
  expect(first.appliedMigrations).toEqual(migrationDirectories.map(({ path }) => path));
  await first.close();
  const second = await openEmbedded(folder, { prepare });
  expect(second.appliedMigrations).toEqual([]);
  await second.close();
});

it("only this machine reaches the server, and only with the password of the data folder", async () => {
  const server = await startEmbedded(folder);
  onTestFinished(server.stop);
  expect(await query(server.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  expect(note()[4]).toBe("");
  const guessed = Object.assign(new URL(server.url), { password: "guessed" }).href;
  await expect(query(guessed, "SELECT 1")).rejects.toThrow("password authentication failed");
  expect(await runningUrl(folder)).toBe(server.url);
});

it("a second process is refused while the first runs, and starts after it", async () => {
  const server = await startEmbedded(folder);
  await query(server.url, "CREATE TABLE kept AS SELECT 1 AS n");
  await expect(startEmbedded(folder)).rejects.toThrow(`is in use by process ${process.pid}`);
  await server.stop();
  expect(await runningUrl(folder)).toBeNull();
  const next = await startEmbedded(folder);
  onTestFinished(next.stop);
  expect(await query(next.url, "SELECT * FROM kept")).toEqual([{ n: 1 }]);
});

it("the server ends with a process that is killed, and what was committed is there after the next start", async () => {
  const killed = await startedElsewhere();
  await query(await runningUrl(folder), "CREATE TABLE kept AS SELECT 1 AS n");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const next = await startEmbedded(folder);
  onTestFinished(next.stop);
  expect(await query(next.url, "SELECT * FROM kept")).toEqual([{ n: 1 }]);
});

it("a server that outlived its process and its shell is ended by the next start", async () => {
  const killed = await startedElsewhere();
  const left = postmaster();
  const [, shell = ""] = readFileSync(`/proc/${left}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ofShell = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim().split(" ").map(Number);
  // The shell, and the copy of it that waits for the end of the process.
  for (const pid of [Number(shell), ...ofShell]) if (pid !== left) process.kill(pid, "SIGKILL");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const next = await startEmbedded(folder);
  onTestFinished(next.stop);
  expect(postmaster()).not.toBe(left);
  expect(await query(next.url, "SELECT 1 AS n")).toEqual([{ n: 1 }]);
});

it("the server is started again when it crashes", async () => {
  const server = await startEmbedded(folder);
  onTestFinished(server.stop);
  await query(server.url, "CREATE TABLE kept AS SELECT 1 AS n");
  process.kill(postmaster(), "SIGKILL");
  await expect.poll(() => query(server.url, "SELECT * FROM kept").catch(() => null)).toEqual([{ n: 1 }]);
});

it("a copy of a running server's folder starts beside it", async () => {
  const server = await startEmbedded(folder);
  onTestFinished(server.stop);
  const copy = join(folder, "../copy");
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith(".lock") });
  const other = await startEmbedded(copy);
  onTestFinished(other.stop);
  expect(await query(server.url, "SELECT 1 AS n")).toEqual([{ n: 1 }]);
});

it("says what is wrong with the data folder", async () => {
  await (await startEmbedded(folder)).stop();
  writeFileSync(join(folder, "postgres-password"), "another");
  await expect(startEmbedded(folder)).rejects.toThrow(StartError);
  expect(existsSync(join(folder, "postgres/postmaster.pid")), "its server has ended").toBe(false);
  await expect(startEmbedded(folder)).rejects.toThrow("isn't the right one");

  const older = join(folder, "../older");
  mkdirSync(join(older, "pgdata"), { recursive: true, mode: 0o700 });
  await expect(startEmbedded(older)).rejects.toThrow("of an older version of Signalbox");
});
