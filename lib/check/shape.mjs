// The shape that keeps the code readable: a short gate, small files, no escape from the types.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const GATE = "lib/http/handle.ts";
const GATE_LINES = 100;
const MEDIAN_LINES = 80;
const MOST_LINES = 400;

const files = ["app", "components", "lib"].flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, "utf8");
      return { path, text, lines: text.trimEnd().split("\n").length };
    }),
);

/** Where a file says `any`: tests and comments included. @param {string} path @param {string} text @returns {string[]} */
function anyTypes(path, text) {
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword)
      found.push(`${path}:${source.getLineAndCharacterOfPosition(node.pos).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const sorted = files.map(({ lines }) => lines).sort((a, b) => a - b);
const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
const gate = files.find(({ path }) => path === GATE)?.lines ?? Infinity;
const longest = files.reduce((a, b) => (b.lines > a.lines ? b : a));
const untyped = files.flatMap(({ path, text }) => anyTypes(path, text));
const ignored = files
  .filter(({ path, text }) => path !== "lib/check/shape.mjs" && /@ts-(ignore|nocheck)/.test(text))
  .map(({ path }) => path);

/** @type {[string, string, boolean][]} */
const rows = [
  ["gate", `${gate} lines of ${GATE_LINES}`, gate <= GATE_LINES],
  ["median file", `${median} lines of ${MEDIAN_LINES}, ${files.length} files`, median <= MEDIAN_LINES],
  ["longest file", `${longest.lines} lines of ${MOST_LINES}: ${longest.path}`, longest.lines <= MOST_LINES],
  ["any", untyped.join(", ") || "none", untyped.length === 0],
  ["unchecked files", ignored.join(", ") || "none", ignored.length === 0],
];
for (const [name, value, isKept] of rows) process.stdout.write(`${isKept ? "  " : "✗ "}${name.padEnd(16)}${value}\n`);
process.exit(rows.every(([, , isKept]) => isKept) ? 0 : 1);
