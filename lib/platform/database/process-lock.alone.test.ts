import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lockFolder } from "../process-lock.mjs";
import { StartError } from "../start-error";
import { lockDataFolder } from "./process-lock";

const root = fileURLToPath(new URL("../../../", import.meta.url));
let folder: string;
let path: string;
const children: ChildProcess[] = [];
const ROUNDS = 100;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-lock-"));
  path = join(folder, "process-1.lock");
});
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
  rmSync(folder, { recursive: true });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Starts another process that tries to lock the folder and keeps the lock; returns its result. */
async function contender(): Promise<{ child: ChildProcess; holds: boolean }> {
  const script = `import { lockDataFolder } from "./lib/platform/database/process-lock";
    try { await lockDataFolder(process.argv[1]); console.log("holds"); setInterval(() => {}, 1000); } catch { console.log("refused"); }`;
  const options = ["--conditions=react-server", "--import", "tsx", "--input-type=module", "--eval", script, folder];
  const child = spawn(process.execPath, options, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, holds: said.toString().includes("holds") };
}

/**
 * Starts another process that tries to lock one folder after another at set times and stays alive; returns the folders
 * it locked.
 */
async function race(startAt: number): Promise<number[]> {
  const script = `import { lockDataFolder } from "./lib/platform/database/process-lock";
    const [folder, startAt, rounds] = process.argv.slice(1);
    for (let round = 0; round < Number(rounds); round++) {
      while (Date.now() < Number(startAt) + round * 20);
      try { await lockDataFolder(folder + "/" + round); console.log(round); } catch {}
    }
    console.log("end");
    setInterval(() => {}, 1000);`;
  const options = [
    "--conditions=react-server",
    "--import",
    "tsx",
    "--input-type=module",
    "--eval",
    script,
    folder,
    String(startAt),
    String(ROUNDS),
  ];
  const child = spawn(process.execPath, options, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.endsWith("end\n")) break;
  }
  return said.split("\n").slice(0, -2).map(Number);
}

describe("the lock of a data folder", () => {
  it("names its owner, rejects a second process, and can be taken again after release", async () => {
    const unlock = await lockDataFolder(folder);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
    await expect(lockDataFolder(folder)).rejects.toThrow(StartError);
    await expect(lockDataFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    unlock();
    (await lockDataFolder(folder))();
    expect(readdirSync(folder)).toEqual(["process-2.lock"]);
  });

  it("is kept while its process lives, and taken over after it was killed", async () => {
    const { child, holds } = await contender();
    expect(holds).toBe(true);
    await expect(lockDataFolder(folder)).rejects.toThrow(`process ${child.pid}`);
    await end(child);
    expect(existsSync(path)).toBe(true);
    (await lockDataFolder(folder))();
  });

  it("isn't attributed to an unrelated process that reuses the process id", async () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: "1" }));
    (await lockDataFolder(folder))();
  });

  it.each(["", "{", "null", '"text"', "{}"])("that contains %j has no owner", async (text) => {
    writeFileSync(path, text);
    (await lockDataFolder(folder))();
  });

  it("of a killed process that its parent hasn't reaped (a zombie) is taken over", async () => {
    // The shell starts a child, prints its id, and becomes a program that never reads the exit status of children.
    const shell = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"] });
    children.push(shell);
    const [said] = (await once(shell.stdout, "data")) as [Buffer];
    const pid = Number(said);
    const stateOf = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.[0];
    await vi.waitUntil(() => stateOf() === "Z", { timeout: 60_000 });
    writeFileSync(path, JSON.stringify({ pid, started: null }));
    (await lockDataFolder(folder))();
  });

  describe("of a container or machine whose processes can't be seen", () => {
    const foreign = JSON.stringify({ pid: process.pid, started: "1", host: "other-container", space: "other" });

    it("refuses a second process while the heartbeat goes on, and names its host", async () => {
      writeFileSync(path, foreign);
      const beating = setInterval(() => utimesSync(path, new Date(), new Date()), 10);
      try {
        await expect(lockDataFolder(folder, { beatMs: 10, silentMs: 60_000 })).rejects.toThrow(
          `in use by process ${process.pid} on other-container`,
        );
      } finally {
        clearInterval(beating);
      }
    });

    it("is taken over when the heartbeat has ended", async () => {
      writeFileSync(path, foreign);
      (await lockDataFolder(folder, { beatMs: 10, silentMs: 50 }))();
      expect(readdirSync(folder)).toEqual(["process-2.lock"]);
    });

    it("is taken over as soon as it is released", async () => {
      writeFileSync(path, foreign);
      const locking = lockDataFolder(folder, { beatMs: 10, silentMs: 60_000 });
      writeFileSync(path, "");
      (await locking)();
    });
  });

  it("has a heartbeat, and tells a holder that was suspended that another process has taken it over", async () => {
    const lost = vi.fn();
    const { release } = await lockFolder(folder, { beatMs: 10, onLost: lost });
    const before = statSync(path).mtimeMs;
    await vi.waitUntil(() => statSync(path).mtimeMs > before, { timeout: 60_000 });
    expect(lost).not.toHaveBeenCalled();
    writeFileSync(join(folder, "process-2.lock"), "{}");
    await vi.waitUntil(() => lost.mock.calls.length === 1, { timeout: 60_000 });
    release?.();
  });

  it("left behind is taken over by one of four processes started together", async () => {
    const abandoned = JSON.stringify({ pid: 2 ** 22 + 1, started: null });
    for (let round = 0; round < ROUNDS; round++) {
      mkdirSync(join(folder, String(round)));
      writeFileSync(join(folder, String(round), "process-1.lock"), abandoned);
    }
    const winners = await Promise.all(Array.from({ length: 4 }, () => race(Date.now() + 5000)));
    expect(winners.flat().sort((a, b) => a - b)).toEqual([...Array(ROUNDS).keys()]);
  });
});
