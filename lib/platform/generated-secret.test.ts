import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { generatedSecret } from "./generated-secret";

let folder: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0o022);
  folder = mkdtempSync(join(tmpdir(), "signalbox-secret-"));
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true });
});

describe("the generated secret key", () => {
  it("is created once and readable only by its owner", () => {
    const secret = generatedSecret(folder, { isLost: false });
    expect(secret).toHaveLength(32);
    expect(statSync(join(folder, "secret-key")).mode & 0o777).toBe(0o600);
    mkdirSync(join(folder, "postgres"));
    expect(generatedSecret(folder, { isLost: false })).toEqual(secret);
  });

  it("that is lost beside existing data is refused, not replaced, unless the operator says that it is lost", () => {
    mkdirSync(join(folder, "postgres"));
    expect(() => generatedSecret(folder, { isLost: false })).toThrow(/secret-key is missing.*SIGNALBOX_SECRET_KEY/);
    expect(() => generatedSecret(folder, { isLost: false })).toThrow("secret-key is missing");
    expect(generatedSecret(folder, { isLost: true })).toHaveLength(32);
  });

  it.each(["", "c2hvcnQ=", "\0\0\0\0"])("that is damaged (%j) is refused", (text) => {
    writeFileSync(join(folder, "secret-key"), text);
    expect(() => generatedSecret(folder, { isLost: false })).toThrow("is damaged");
  });
});
