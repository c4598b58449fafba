// Generates lib/browser/operations/: the parts of each operation that a browser needs to call it, without the schemas. Runs under tsx.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isOperation } from "../platform/http/operation";

/** @typedef {import("../platform/http/operation").Operation} Operation */

const lib = fileURLToPath(new URL("..", import.meta.url));
const folder = join(lib, "browser/operations");

const HEADER = `// Generated from the contract: a page that only calls operations loads this instead of the schemas.
`;

/** "records/guardrails/versions-contract.ts" becomes "guardrails-versions", "features/lint/contract.ts" "lint". @param {string} path */
const nameOf = (path) =>
  path
    .replace(/(\/|-)contract\.ts$/, "")
    .replace(/^[a-z]+\//, "")
    .replaceAll("/", "-");

/** @param {string} path @param {readonly [name: string, operation: Operation][]} operations */
function textOf(path, operations) {
  const constants = operations.map(
    ([exported, { id, method, path: template, access, permission, byWorkspace }]) =>
      `export const ${exported} = ${JSON.stringify({ id, method, path: template, access, permission, byWorkspace })} as Callable<typeof contract.${exported}>;`,
  );
  return `${HEADER}import type { Callable } from "../../platform/http/operation";\nimport type * as contract from "../../${path.replace(/\.ts$/, "")}";\n\n${constants.join("\n")}\n`;
}

/** @param {string} path @returns {Promise<[name: string, text: string][]>} */
async function fileOf(path) {
  /** @type {Record<string, unknown>} */
  const module = await import(pathToFileURL(join(lib, path)).href);
  const operations = Object.entries(module)
    .flatMap(([name, value]) => (isOperation(value) ? [/** @type {[string, Operation]} */ ([name, value])] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return operations.length > 0 ? [[`${nameOf(path)}.ts`, textOf(path, operations)]] : [];
}

const contracts = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((path) =>
  /(^|\/|-)contract\.ts$/.test(path),
);
const files = new Map((await Promise.all(contracts.sort().map(fileOf))).flat());

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
for (const [name, text] of files) {
  const path = join(folder, name);
  const isCurrent = readdirSync(folder).includes(name) && readFileSync(path, "utf8") === text;
  if (!isCurrent) writeFileSync(path, text);
}
