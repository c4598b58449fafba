// The shape that keeps the code readable: a short gate and small files. Tests are as long as their cases, routes are two lines:
// neither says how long a file is to read. The longest file is bounded by max-lines of .oxlintrc.jsonc.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const GATE = "lib/server/handle.ts";
const GATE_LINES = 120;
const MEDIAN_LINES = 80;

const files = ["app", "components", "lib"].flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => /\.(ts|tsx|mjs)$/.test(name) && !/\.test\.ts$|^route\.ts$/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, lines: readFileSync(path, "utf8").trimEnd().split("\n").length })),
);

const sorted = files.map(({ lines }) => lines).sort((a, b) => a - b);
const median = sorted[Math.floor(sorted.length / 2)] ?? Infinity;
const gate = files.find(({ path }) => path === GATE)?.lines ?? Infinity;

/** @type {[string, string, boolean][]} */
const rows = [
  ["gate", `${gate} lines of ${GATE_LINES}`, gate <= GATE_LINES],
  ["median file", `${median} lines of ${MEDIAN_LINES}, ${files.length} files`, median <= MEDIAN_LINES],
];
for (const [name, value, isKept] of rows) process.stdout.write(`${isKept ? "  " : "✗ "}${name.padEnd(16)}${value}\n`);
process.exit(rows.every(([, , isKept]) => isKept) ? 0 : 1);
