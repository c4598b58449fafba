// Writes lib/browser/operations/: what a browser must know of each operation to call it, without the schemas.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isOperation, type Operation } from "../platform/http/operation";

const lib = fileURLToPath(new URL("..", import.meta.url));
export const FOLDER = join(lib, "browser/operations");

const HEADER = `// Written by \`npm run generate:operations\` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
`;

/** "records/guardrails/versions-contract.ts" becomes "guardrails-versions", "features/lint/contract.ts" "lint". */
const nameOf = (path: string) =>
  path
    .replace(/(\/|-)contract\.ts$/, "")
    .replace(/^[a-z]+\//, "")
    .replaceAll("/", "-");

function textOf(path: string, operations: readonly [name: string, operation: Operation][]): string {
  const constants = operations.map(
    ([exported, { id, method, path: template, access }]) =>
      `export const ${exported} = ${JSON.stringify({ id, method, path: template, access })} as Callable<typeof contract.${exported}>;`,
  );
  return `${HEADER}import type { Callable } from "../../platform/http/operation";\nimport type * as contract from "../../${path.replace(/\.ts$/, "")}";\n\n${constants.join("\n")}\n`;
}

/** The files by their names, one for each contract that has operations. */
export async function browserOperations(): Promise<Record<string, string>> {
  const paths = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(^|\/|-)contract\.ts$/.test(path),
  );
  const files = await Promise.all(
    paths.sort().map(async (path) => {
      const module = (await import(pathToFileURL(join(lib, path)).href)) as Record<string, unknown>;
      const operations = Object.entries(module)
        .filter((entry): entry is [string, Operation] => isOperation(entry[1]))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      return operations.length > 0 ? [[`${nameOf(path)}.ts`, textOf(path, operations)] as const] : [];
    }),
  );
  return Object.fromEntries(files.flat());
}

if (process.argv.includes("--write")) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [name, text] of Object.entries(await browserOperations())) writeFileSync(join(FOLDER, name), text);
}
