import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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
    try { lockDataFolder(process.argv[1]); console.log("holds"); setInterval(() => {}, 1000); } catch { console.log("refused"); }`;
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
      try { lockDataFolder(folder + "/" + round); console.log(round); } catch {}
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
  it("names its owner, rejects a second process, and can be taken again after release", () => {
    const unlock = lockDataFolder(folder);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
    expect(() => lockDataFolder(folder)).toThrow(StartError);
    expect(() => lockDataFolder(folder)).toThrow(`process ${process.pid}`);
    unlock();
    lockDataFolder(folder)();
    expect(readdirSync(folder)).toEqual(["process-2.lock"]);
  });

  it("is kept while its process lives, and taken over after it was killed", async () => {
    const { child, holds } = await contender();
    expect(holds).toBe(true);
    expect(() => lockDataFolder(folder)).toThrow(`process ${child.pid}`);
    await end(child);
    expect(existsSync(path)).toBe(true);
    lockDataFolder(folder)();
  });

  it("isn't attributed to an unrelated process that reuses the process id", () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: "1" }));
    lockDataFolder(folder)();
  });

  it.each(["", "{", "null", '"text"', "{}"])("that contains %j has no owner", (text) => {
    writeFileSync(path, text);
    lockDataFolder(folder)();
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
