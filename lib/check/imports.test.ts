import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkImports } from "./imports.mjs";

/** A planted file, the rule that rejects it, and the import or text that breaks the rule. */
const BREACHES: [rule: string, path: string, text: string][] = [
  ["order-platform", "lib/platform/early.ts", `export { rule } from "../engine/policy/rule";`],
  ["order-engine", "lib/engine/policy/early.ts", `export { name } from "../../records/keys/name";`],
  ["order-records", "lib/records/keys/early.ts", `export { decide } from "../../gateway/decide";`],
  ["order-gateway", "lib/gateway/early.ts", `export { lint } from "../features/lint/lint";`],
  ["order-features", "lib/features/lint/early.ts", `export { serve } from "../../server/serve-all";`],
  ["order-features", "lib/features/lint/typed.ts", `export type { Serve } from "../../server/serve-all";`],
  ["order-engine", "lib/engine/policy/early-contract.ts", `export { Key } from "../../records/keys/key-contract";`],
  ["pure", "lib/records/keys/impure.ts", `export { find } from "./usage-store";`],
  ["pure", "lib/engine/policy/configured.ts", `export { env } from "../../platform/env";`],
  ["pure-without-node", "lib/engine/policy/reading.ts", `export { readFile } from "node:fs/promises";`],
  ["engine-on-values", "lib/engine/policy/storing.ts", `export { save } from "./rule-store";`],
  ["database", "lib/records/keys/typed.ts", `export type { Key } from "../../../prisma/generated/client";`],
  ["database", "lib/features/lint/asking.ts", `export const ask = (c: any) => c.$queryRaw\`SELECT 1\`;`],
  ["rooms import each other", "lib/records/members/named.ts", `export { key } from "../keys/key";`],
  ["role", "lib/drawer/thing.ts", `export const thing = 1;`],
  ["role", "lib/thing.ts", `export const thing = 1;`],
  [`begin with import "server-only"`, "lib/records/keys/bare-service.ts", `export const list = () => [];`],
  ["no-cycles", "lib/engine/policy/left.ts", `export { right } from "./right";\nexport const left = 1;`],
  ["every-import-resolves", "lib/engine/policy/lost.ts", `export { gone } from "./gone";`],
];

/** Files that the breaches import. They keep the rules. */
const WITHIN: [path: string, text: string][] = [
  ["lib/engine/policy/rule.ts", `export const rule = 1;`],
  ["lib/engine/policy/rule-store.ts", `export const save = 1;`],
  ["lib/engine/policy/right.ts", `export { left as right } from "./left";`],
  ["lib/records/keys/name.ts", `export { rule as name } from "../../engine/policy/rule";`],
  ["lib/records/keys/key.ts", `export { member as key } from "../members/member";`],
  ["lib/records/keys/key-contract.ts", `export const Key = 1;`],
  ["lib/records/keys/usage-store.ts", `import "server-only";\nexport const find = 1;`],
  ["lib/records/members/member.ts", `export const member = 1;`],
  ["lib/gateway/decide.ts", `export const decide = 1;`],
  ["lib/features/lint/lint.ts", `export const lint = 1;`],
  ["lib/server/serve-all.ts", `export type Serve = 1;\nexport const serve = 1;`],
  ["lib/platform/env.ts", `export const env = 1;`],
  ["prisma/generated/client.ts", `export type Key = 1;`],
];

let root: string;
let problems: string[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "signalbox-imports-"));
  for (const name of ["package.json", "tsconfig.json"]) await cp(name, join(root, name));
  await symlink(resolve("node_modules"), join(root, "node_modules"));
  for (const [path, text] of [...BREACHES.map(([, ...file]) => file), ...WITHIN]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `${text}\n`);
  }
  ({ problems } = await checkImports(root));
});
afterAll(() => rm(root, { recursive: true }));

describe("the import check", () => {
  it.each(BREACHES)("reports %s in %s", (rule, path) => {
    expect(problems.filter((problem) => problem.includes(path)).join("\n")).toContain(rule);
  });

  it.each(WITHIN.filter(([path]) => !/right|key\.ts|rule-store/.test(path)))("reports nothing in %s", (path) => {
    expect(problems.filter((problem) => problem.startsWith(path))).toEqual([]);
  });
});
