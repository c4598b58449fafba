// npm run test:node-versions -- [suite…] [--versions=20,22,24]: runs suites on each supported Node.js release line.
// Binaries come from the npm registry; the newest of each line is installed below node_modules/.cache.
import { spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { platform } from "node:process";
import { fileURLToPath } from "node:url";
import { scriptArguments } from "../platform/script-arguments.mjs";
import { nodeBinary } from "./node-binary.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values, positionals } = scriptArguments(
  "npm run test:node-versions -- [unit] [service] [long] [process] [api]",
  {
    allowPositionals: true,
    options: { versions: { type: "string", default: "20,22,24" } },
  },
);
const suites = positionals.length > 0 ? positionals : ["unit", "service", "long", "process", "api"];

/** @param {string} program @param {string[]} args @param {string} [path] */
const run = (program, args, path = "") =>
  spawnSync(program, args, {
    cwd: root,
    stdio: "inherit",
    shell: platform === "win32",
    env: { ...process.env, PATH: `${path}${delimiter}${process.env["PATH"] ?? ""}` },
  }).status === 0;

const results = values.versions.split(",").flatMap((version) => {
  const node = nodeBinary(version);
  const exact = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
  return suites.map((suite) => {
    process.stdout.write(`\nNode.js ${exact}, ${suite}\n`);
    const started = performance.now();
    const hasPassed = run("npm", ["run", "--silent", `test:${suite}`], dirname(node));
    const seconds = Math.round((performance.now() - started) / 1000);
    return { text: `${hasPassed ? "✓" : "✗"} Node.js ${exact}, ${suite} (${seconds} s)`, hasPassed };
  });
});
process.stdout.write(`\n${results.map(({ text }) => text).join("\n")}\n`);
process.exitCode = results.every(({ hasPassed }) => hasPassed) ? 0 : 1;
