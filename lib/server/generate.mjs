// npm run generate: writes the code that isn't committed. Scripts that need it run this first.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** Arguments of Node.js for each generator, with a label. @type {readonly [label: string, command: string[]][]} */
export const GENERATORS = [
  ["Generating the database client", [script("../platform/database/generate-client.mjs")]],
  ["Generating the console's operations", ["--import", "tsx", script("generate-operations.mjs")]],
];

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [, command] of GENERATORS) {
    const { status } = spawnSync(process.execPath, command, { cwd: script("../../"), stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
