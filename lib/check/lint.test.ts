// Each of our own rules reports a planted breach and accepts correct code.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const CONFIGURATION = [".oxlintrc.jsonc", "tsconfig.json", "lib/check/lint-rules.mjs"];
const statements = (count: number) => "export {};\n".repeat(count);

/** A file with one breach, and the rule that reports it. */
const BREACHES: [rule: string, path: string, text: string][] = [
  ["signalbox/environment-at-the-edge", "lib/keys/service.ts", "export const url = process.env['URL'];"],
  ["signalbox/environment-at-the-edge", "components/keys/list.tsx", "export const url = process.env['URL'];"],
  ["signalbox/clock-at-the-edge", "lib/keys/now.ts", "export const now = () => Date.now();"],
  ["signalbox/clock-at-the-edge", "lib/keys/today.ts", "export const today = () => new Date();"],
  [
    "no-restricted-imports",
    "components/keys/lazy.tsx",
    "import dynamic from 'next/dynamic';\nexport const List = dynamic(() => import('./list'));",
  ],
  [
    "no-restricted-imports",
    "components/keys/mutation.ts",
    "import { useMutation } from '@tanstack/react-query';\nexport const useCreate = () => useMutation({});",
  ],
  ["signalbox/randomness-at-the-edge", "lib/records/keys/draw.ts", "export const draw = () => Math.random();"],
  [
    "signalbox/only-cleanups-from-effects",
    "components/keys/scroll.tsx",
    "import { useEffect } from 'react';\nexport const useTop = (row: Element) => useEffect(() => row.scrollIntoView(), [row]);",
  ],
  [
    "signalbox/only-cleanups-from-effects",
    "components/keys/row.tsx",
    "export const Row = () => <li ref={(row) => row?.scrollIntoView()} />;",
  ],
  ["no-restricted-globals", "lib/engine/load.ts", "export const load = () => fetch('https://example.com');"],
  ["no-restricted-globals", "lib/records/keys/rows.ts", "export const start = () => performance.now();"],
  ["no-console", "lib/keys/log.ts", "console.log('text');"],
  ["eqeqeq", "lib/keys/equal.ts", "export const isSame = (a: string, b: string) => a == b;"],
  ["max-lines", "lib/keys/long.ts", statements(401)],
  ["max-lines", "lib/keys/long.test.ts", statements(601)],
  [
    "typescript/consistent-type-imports",
    "lib/keys/import.ts",
    "import { Stats } from 'node:fs';\nexport const size = (file: Stats) => file.size;",
  ],
  ["typescript/no-explicit-any", "lib/keys/any.ts", "export const value = (input: any): unknown => input;"],
  ["typescript/no-non-null-assertion", "lib/keys/bang.ts", "export const first = (list?: string[]) => list!.length;"],
  [
    "typescript/switch-exhaustiveness-check",
    "lib/keys/switch.ts",
    "export function size(kind: 'a' | 'b') {\n  switch (kind) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}",
  ],
  ["typescript/no-floating-promises", "lib/keys/floating.ts", "export const start = () => {\n  Promise.resolve();\n};"],
  [
    "typescript/no-misused-promises",
    "lib/keys/misused.ts",
    "export const run = (list: string[]) => list.forEach(async (item) => { await Promise.resolve(item); });",
  ],
  ["typescript/no-unsafe-assignment", "lib/keys/unsafe.ts", "export const value: string = JSON.parse('1');"],
  [
    "typescript/no-unsafe-member-access",
    "lib/keys/member.ts",
    "export const value = (text: string) => String(JSON.parse(text).name);",
  ],
  [
    "typescript/no-unnecessary-condition",
    "lib/keys/always.ts",
    "export const size = (list: string[]) => list?.length;",
  ],
  [
    "react/rules-of-hooks",
    "components/keys/hook.tsx",
    "import { useState } from 'react';\nexport function Part({ isOpen }: { isOpen: boolean }) {\n  if (isOpen) useState(0);\n  return null;\n}",
  ],
  [
    "react/exhaustive-deps",
    "components/keys/effect.tsx",
    "import { useEffect } from 'react';\nexport function Part({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {\n  useEffect(() => onOpen(id), [id]);\n  return null;\n}",
  ],
  ["unused directive", "lib/keys/directive.ts", "// oxlint-disable-next-line no-console\nexport const value = 1;"],
];

/** A file that the rule allows. */
const ALLOWED: [rule: string, path: string, text: string][] = [
  ["signalbox/environment-at-the-edge", "lib/platform/env.ts", "export const env = process.env;"],
  [
    "signalbox/only-cleanups-from-effects",
    "components/keys/timer.tsx",
    "import { useEffect } from 'react';\nexport const useTimer = (timer: number) => useEffect(() => () => clearTimeout(timer), [timer]);",
  ],
  ["signalbox/environment-at-the-edge", "e2e/start.ts", "export const env = process.env;"],
  ["signalbox/clock-at-the-edge", "lib/server/boot.ts", "export const now = () => new Date();"],
  ["signalbox/clock-at-the-edge", "lib/keys/clock.test.ts", "export const now = () => Date.now();"],
  ["signalbox/clock-at-the-edge", "lib/keys/date.ts", "export const at = (text: string) => new Date(text);"],
  ["no-restricted-globals", "lib/records/keys/usage-store.ts", "export const start = () => performance.now();"],
  [
    "no-restricted-imports",
    "components/ui/lazy-component.tsx",
    "import dynamic from 'next/dynamic';\nexport const List = dynamic(() => import('./list'));",
  ],
  ["max-lines", "lib/keys/medium.test.ts", statements(599)],
];

let folder: string;
/** The rules reported for each file. */
const reported = new Map<string, string[]>();

let linted: number;

interface Report {
  number_of_files: number;
  diagnostics: { code?: string; message: string; filename: string }[];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-lint-"));
  const plant = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${text}\n`);
  };
  for (const path of CONFIGURATION) await cp(path, join(folder, path));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  for (const [, path, text] of [...BREACHES, ...ALLOWED]) await plant(path, text);
  const output = await promisify(execFile)(
    process.execPath,
    ["node_modules/.bin/oxlint", "--format=json", "lib", "components", "e2e"],
    {
      cwd: folder,
    },
  ).catch((error: unknown) => error as { stdout: string });
  const report = JSON.parse(output.stdout) as Report;
  linted = report.number_of_files;
  for (const { code, message, filename } of report.diagnostics) {
    const rule = code?.replace(/^eslint\((.*)\)$/, "$1").replace(/^(?:react-hooks|react)\((.*)\)$/, "react/$1");
    const name =
      rule?.replace(/^(.*)\((.*)\)$/, "$1/$2") ?? (/unused .*directive/i.test(message) ? "unused directive" : message);
    reported.set(filename, [...(reported.get(filename) ?? []), name]);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(BREACHES)("%s is reported in %s", (rule, path) => {
  expect(reported.get(path)).toContain(rule);
});

test.each(ALLOWED)("%s is not reported in %s", (rule, path) => {
  expect(reported.get(path) ?? []).not.toContain(rule);
});

test("every planted file is read", () => {
  expect(linted).toBe(BREACHES.length + ALLOWED.length + CONFIGURATION.filter((path) => path.endsWith(".mjs")).length);
});
