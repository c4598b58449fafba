// npm run test:clients: installs the newest public clients, and runs them on the Node.js release that they require.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nodeBinary } from "./node-binary.mjs";

const CLIENTS_NODE = "24";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** @param {string} program @param {string[]} args */
function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

run("npm", ["ci", "--prefix", "e2e/clients", "--ignore-scripts", "--no-audit", "--no-fund"]);
const node = process.versions.node.startsWith(`${CLIENTS_NODE}.`) ? process.execPath : nodeBinary(CLIENTS_NODE);
const suite = [
  "node_modules/@playwright/test/cli.js",
  "test",
  "--config",
  "e2e/playwright.config.ts",
  "--project=clients",
];
run(node, [...suite, ...process.argv.slice(2)]);
