import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "glossary-"));
  write("components/budget.tsx", 'export const LABEL = "Resets";\n');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check() {
  const { status, stdout } = spawnSync(process.execPath, [resolve("lib/check/glossary.mjs")], {
    cwd: root,
    encoding: "utf8",
  });
  return { status, problems: stdout.split("\n").filter((line) => line.startsWith("  ")) };
}

it("passes without former terms", () => expect(check()).toEqual({ status: 0, problems: [] }));

it("names former terms in any case, across lines of a comment, and identifiers as whole words and as words of others", () => {
  write("docs/limits.md", "A limit\n\nThe limit Starts anew on Monday.\n");
  write("lib/lint.ts", "// A guardrail that enforces\n// nothing is reported.\nexport const refunding = 1;\n");
  write("app/page.tsx", "export const page = Door;\nexport const outdoor = Doorbell;\n");
  write("lib/task.ts", "export const isAsked = masked || endpoints_asked || taskedAsk;\n");
  expect(check()).toEqual({
    status: 1,
    problems: [
      '  app/page.tsx:1: "Door", use "AuthLayout"',
      '  docs/limits.md:3: "starts anew", use "resets"',
      '  lib/lint.ts:1: "enforces nothing", use "unassigned, not enforced"',
      '  lib/task.ts:1: "asked", use "requested, called"',
    ],
  });
});
