import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BUILDING, buildName, lockBuilding, publishBuild, useBuild } from "./builds.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "signalbox-builds-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Creates a build as `npm start` does, with a file that names it. */
function build(hash: string): string {
  const name = buildName(hash.repeat(64));
  mkdirSync(join(root, BUILDING), { recursive: true });
  writeFileSync(join(root, BUILDING, "BUILD_ID"), hash);
  publishBuild(root, name);
  return name;
}
const idOf = (name: string) => readFileSync(join(root, name, "BUILD_ID"), "utf8");

describe("builds of several Node.js versions in one folder", () => {
  it("have folders of their own, and a running server keeps its files while another build is published", () => {
    const first = build("a");
    expect(useBuild(root, first)).toBe(true);
    const second = build("b");
    expect([idOf(first), idOf(second)]).toEqual(["a", "b"]);
    expect(useBuild(root, second)).toBe(true);
  });

  it("are removed when no running process uses them", () => {
    const first = build("a");
    useBuild(root, first);
    for (const name of readdirSync(join(root, first)).filter((file) => file.startsWith("used-by-")))
      writeFileSync(join(root, first, name), JSON.stringify({ pid: 2 ** 22 + 1, started: null }));
    const second = build("b");
    expect(existsSync(join(root, first))).toBe(false);
    expect(idOf(second)).toBe("b");
    expect(useBuild(root, first)).toBe(false);
  });

  it("can be used while another process removes the note of an ended one", () => {
    const name = build("a");
    symlinkSync(join(root, "removed"), join(root, name, "used-by-removed.json"));
    expect(useBuild(root, name)).toBe(true);
  });

  it("are made one at a time: the second process waits for the first", async () => {
    const waits = vi.fn();
    const release = await lockBuilding(root, waits);
    let hasSecond = false as boolean;
    const second = lockBuilding(root, waits).then((releaseSecond) => {
      hasSecond = true;
      releaseSecond();
    });
    await vi.waitUntil(() => waits.mock.calls.length === 1, { timeout: 60_000 });
    expect(hasSecond).toBe(false);
    release();
    await second;
    expect(hasSecond).toBe(true);
  });
});
