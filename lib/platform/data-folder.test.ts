import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataFolder } from "./data-folder";
import { StartError } from "./start-error";

const modeOf = (path: string) => statSync(path).mode & 0o777;
let parent: string;
let umask: number;

beforeEach(() => {
  umask = process.umask(0o022);
  parent = mkdtempSync(join(tmpdir(), "signalbox-data-"));
});
afterEach(() => {
  process.umask(umask);
  rmSync(parent, { recursive: true });
});

describe("the data folder", () => {
  it("is created for this user only, and so is everything in it", () => {
    const folder = join(parent, "new/data");
    openDataFolder(folder);
    writeFileSync(join(folder, "file"), "");
    expect([modeOf(folder), modeOf(join(folder, "file"))]).toEqual([0o700, 0o600]);
  });

  it.each([0o755, 0o750, 0o701, 0o777])("is refused with mode %o, naming the fix", (mode) => {
    chmodSync(parent, mode);
    expect(() => openDataFolder(parent)).toThrow(StartError);
    expect(() => openDataFolder(parent)).toThrow(`chmod 700 ${parent}`);
    expect(() => openDataFolder(join(parent, "inside"))).not.toThrow();
  });
});
