import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";

const SOUND: [path: string, text: string][] = [
  ["docs/guide.md", "# The guide\n\n## First steps\n\nSee [the code](../lib/code.ts), `lib/code.ts`, `code.ts`.\n"],
  ["lib/code.ts", '// docs/guide.md#first-steps, `guide.md`, lib/code\nexport const path = "lib/not-a-comment.ts";\n'],
];

const BREACHES: [path: string, text: string, problem: string][] = [
  ["docs/link.md", "See [this](missing.md).", "missing.md doesn't exist"],
  ["docs/from-the-root.md", "See [this](docs/guide.md).", "docs/guide.md doesn't exist"],
  ["docs/backticks.md", "See `lib/missing.ts`.", "lib/missing.ts doesn't exist"],
  ["docs/section.md", "See [this](guide.md#last-steps).", "docs/guide.md has no section #last-steps"],
  ["docs/own-section.md", "See [this](#last-steps).", "docs/own-section.md has no section #last-steps"],
  ["lib/line-comment.ts", "// See docs/missing.md.", "docs/missing.md doesn't exist"],
  ["lib/name-alone.ts", "// As missing.md section 3 says.", "missing.md doesn't exist"],
  ["lib/doc-comment.ts", "/** Like lib/missing.ts. */\nexport const a = 1;", "lib/missing.ts doesn't exist"],
  ["lib/jsx.tsx", "export const a = <p>{/* lib/missing.ts */}</p>;", "lib/missing.ts doesn't exist"],
  ["lib/section.ts", "// docs/guide.md#last-steps", "docs/guide.md has no section #last-steps"],
  ["lib/module.mjs", "// docs/missing.md", "docs/missing.md doesn't exist"],
  ["prisma/schema.prisma", "/// docs/missing.md", "docs/missing.md doesn't exist"],
];

const root = mkdtempSync(join(tmpdir(), "doc-paths-"));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function check(files: readonly (readonly [path: string, text: string, ...unknown[]])[]) {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const script = resolve("lib/check/doc-paths.mjs");
  return spawnSync(process.execPath, [script], { cwd: root, encoding: "utf8" });
}

it("passes when every cited path and section exists", () => {
  const { status, stdout } = check(SOUND);
  expect(stdout).toMatch(/, 0 broken$/m);
  expect(status).toBe(0);
});

it("names every document and comment that cites a missing path or section", () => {
  const { status, stdout } = check([...SOUND, ...BREACHES]);
  expect(status).toBe(1);
  const problems = stdout.split("\n").filter((line) => line.startsWith("  "));
  expect(problems.sort()).toEqual(BREACHES.map(([path, , problem]) => `  ${path}: ${problem}`).sort());
});
