// Writes lib/browser/operations.ts: what a browser must know of each operation to call it, without the schemas.
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isOperation, type Operation } from "../http/operation";

const lib = fileURLToPath(new URL("..", import.meta.url));
const file = join(lib, "browser/operations.ts");

const HEADER = `// Written by \`npm run generate:operations\` from the contracts, and compared with them by a test.
// A page that only calls operations loads this instead of the schemas, which are 41 kB of its first load.
`;

const camelCase = (words: string) => words.replace(/[-/](\w)/g, (_, letter: string) => letter.toUpperCase());

interface ContractModule {
  name: string;
  path: string;
  operations: [name: string, operation: Operation][];
}

async function contracts(): Promise<ContractModule[]> {
  const paths = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((path) => /(^|\/|-)contract\.ts$/.test(path));
  return Promise.all(
    paths.sort().map(async (path) => {
      const module = (await import(pathToFileURL(join(lib, path)).href)) as Record<string, unknown>;
      const operations = Object.entries(module)
        .filter((entry): entry is [string, Operation] => isOperation(entry[1]))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      return { name: camelCase(path.replace(/(\/|-)contract\.ts$/, "")), path: relative(dirname(file), join(lib, path)).replace(/\.ts$/, ""), operations };
    }),
  );
}

/** The text of the file. */
export async function browserOperations(): Promise<string> {
  const modules = (await contracts()).filter(({ operations }) => operations.length > 0);
  const imports = [...modules.map(({ name, path }) => `import type * as ${name} from "${path}";`), `import type { Callable } from "../http/operation";`];
  const constants = modules.flatMap(({ name, operations }) =>
    operations.map(([exported, { id, method, path, access }]) => `export const ${exported} = ${JSON.stringify({ id, method, path, access })} as Callable<typeof ${name}.${exported}>;`),
  );
  return `${HEADER}${imports.join("\n")}\n\n${constants.join("\n")}\n`;
}

if (process.argv.includes("--write")) writeFileSync(file, await browserOperations());
