import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const CONTRIBUTING = `# Contributing

## Scripts

| Script | What it does |
|---|---|
| \`npm start\` | starts |
| \`npm run bench\`, \`bench:api\` | measures |

## Checks

| Check | What it requires |
|---|---|
| lint | no errors |
`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "doc-lists-"));
  write("docs/README.md", "[A guide](guide.md), [the house](architecture.md), [a move](migrate/here.md)");
  write("CONTRIBUTING.md", CONTRIBUTING);
  write("package.json", JSON.stringify({ scripts: { start: "", bench: "", "bench:api": "" } }));
  write("docs/guide.md", "# A guide");
  write("docs/migrate/here.md", "# A move");
  write("docs/architecture.md", "`docs`, `lib`, lib/check, lib/platform, `ids.ts`, lib/wing, lib/wing/room");
  write("docs/decisions/0001-first.md", "# 0001 The first\n");
  write("lib/check/all.mjs", 'const CHECKS = [\n  ["lint", []],\n];\n');
  write("lib/wing/room/file.ts", "");
  write("lib/platform/ids.ts", "");
  write("lib/platform/ids.test.ts", "");
  check("--write");
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check(...options: string[]) {
  const script = resolve("lib/check/doc-lists.mjs");
  const { status, stdout } = spawnSync(process.execPath, [script, ...options], { cwd: root, encoding: "utf8" });
  return { status, problems: stdout.split("\n").filter((line) => line.startsWith("  ")) };
}

it("passes when every list is complete", () => expect(check()).toEqual({ status: 0, problems: [] }));

it("names what lists lack and what they have too much", () => {
  write("docs/decisions/0002-second.md", "# 0002 The second\n");
  write("docs/decisions/0003-third.md", "# The third\n");
  write("docs/other.md", "");
  write("package.json", JSON.stringify({ scripts: { start: "", bench: "", build: "" } }));
  write("lib/check/all.mjs", 'const CHECKS = [\n  ["unit tests", []],\n];\n');
  write("lib/wing/new-room/file.ts", "");
  write("lib/platform/clock.ts", "");
  write("tools/file.ts", "");
  expect(check()).toEqual({
    status: 1,
    problems: [
      '  docs/decisions/0003-third.md doesn\'t begin with "# 0003 <title>"',
      "  docs/decisions/README.md isn't current: run node lib/check/doc-lists.mjs --write",
      "  docs/README.md lacks other.md",
      "  CONTRIBUTING.md, Scripts, lacks build",
      "  CONTRIBUTING.md, Scripts, names bench:api, which doesn't exist",
      "  CONTRIBUTING.md, Checks, lacks unit tests",
      "  CONTRIBUTING.md, Checks, names lint, which doesn't exist",
      "  docs/architecture.md lacks lib/wing/new-room",
      "  docs/architecture.md lacks lib/platform/clock.ts",
      "  docs/architecture.md lacks tools",
    ],
  });
});

it("lists decisions by number", () => {
  write("docs/decisions/0002-second.md", "# 0002 The second\n");
  check("--write");
  expect(readFileSync(join(root, "docs/decisions/README.md"), "utf8")).toContain(
    "| [0001](0001-first.md) | The first |\n| [0002](0002-second.md) | The second |",
  );
});
