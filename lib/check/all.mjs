// npm run check: every check that needs no server, as many at a time as there are processors. `--without=<name>` skips a check.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

const node = process.execPath;
const bin = (/** @type {string} */ name) => [node, `node_modules/.bin/${name}`];

/** Few threads for each check, because several checks run at a time. Each thread of the type checker also checks the shared types again. */
const threads = String(Math.max(1, Math.floor(availableParallelism() / 2)));

/** Slowest first. @type {[string, string[]][]} */
const CHECKS = [
  ["lint", [...bin("oxlint")]],
  ["types", [node, "node_modules/typescript-native/bin/tsc", "-p", "lib/check", "--checkers", threads]],
  [
    "unit tests",
    [
      ...bin("vitest"),
      "run",
      "--config=lib/testing/vitest.config.ts",
      "--project=unit",
      "--project=component",
      "--reporter=dot",
    ],
  ],
  ["dead code", [...bin("knip"), "--no-progress", "--no-config-hints"]],
  ["boundaries", [node, "lib/check/boundaries.mjs"]],
  ["format", [...bin("oxfmt"), "--check"]],
  ["transactions", [node, "lib/check/transactions.mjs"]],
  ["container", [node, "lib/check/container.mjs"]],
  ["document paths", [node, "lib/check/doc-paths.mjs"]],
  ["document lists", [node, "lib/check/doc-lists.mjs"]],
  ["migrations", [node, "lib/check/migrations.mjs"]],
];

/** @param {string[]} command @returns {Promise<{code: number | null, output: string}>} */
const run = ([program = "", ...args]) =>
  new Promise((resolve) => {
    const env = { ...process.env, GOMAXPROCS: threads };
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => (output += chunk.toString());
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("close", (code) => resolve({ code, output }));
  });

const generated = await run([node, "lib/server/generate.mjs"]);
if (generated.code !== 0) process.stdout.write(generated.output);

const waiting = CHECKS.filter(([name]) => !process.argv.includes(`--without=${name}`));
const failed = generated.code === 0 ? [] : ["generated code"];
async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, command] = next;
    const started = performance.now();
    const { code, output } = await run(command);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const lastLine = output.trim().split("\n").at(-1) ?? "";
    process.stdout.write(
      `${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)${code === 0 && lastLine.length < 100 ? ` ${lastLine.trim()}` : ""}\n`,
    );
    if (code !== 0) {
      failed.push(name);
      process.stdout.write(`${output.replace(/^/gm, "  ")}\n`);
    }
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.stdout.write(failed.length ? `failed: ${failed.join(", ")}\n` : "all checks passed\n");
process.exit(failed.length ? 1 : 0);
