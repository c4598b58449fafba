// npm test: every suite, also after one that failed. Prints each suite's totals; the last line is the sum alone.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{passed: number, failed: number}} Totals
 * @typedef {{suites?: Suite[], specs?: {title: string, file: string, tests: {projectName: string, status: string}[]}[]}} Suite
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const reports = join(root, "test-results");
const require = createRequire(import.meta.url);
/** @param {string} name @param {string} program */
const inPackage = (name, program) => join(dirname(require.resolve(`${name}/package.json`)), program);

/** Runs a Node program to its end, its output passed on. @param {string[]} command @param {Record<string, string>} variables */
function run(command, variables = {}) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (/** @type {Buffer} */ chunk) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  return new Promise((/** @type {(value: {code: number | null, output: string}) => void} */ resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** @param {string} name @returns {any} the report, or null when the suite died before writing one */
function readReport(name) {
  try {
    return JSON.parse(readFileSync(join(reports, name), "utf8"));
  } catch {
    return null;
  }
}

/** What failed without a failed test (a broken file, a teardown, a crash) counts as one. @param {Totals} totals @param {number | null} code */
const withExitCode = ({ passed, failed }, code) => ({ passed, failed: code !== 0 && failed === 0 ? 1 : failed });

async function checks() {
  const { code, output } = await run(["lib/check/all.mjs", "--without=unit tests"]);
  const lines = output.split("\n");
  const totals = {
    passed: lines.filter((line) => line.startsWith("✓ ")).length,
    failed: lines.filter((line) => line.startsWith("✗ ")).length,
  };
  return { check: withExitCode(totals, code) };
}

/** @param {string} name @param {string[]} projects */
async function vitest(name, projects) {
  const report = `${name}.json`;
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${join(reports, report)}`];
  const only = projects.flatMap((project) => ["--project", project]);
  const { code } = await run([
    inPackage("vitest", "vitest.mjs"),
    "run",
    "--config",
    "lib/testing/vitest.config.ts",
    ...only,
    ...reporters,
  ]);
  const { numPassedTests = 0, numFailedTests = 0 } = readReport(report) ?? {};
  return { [name]: withExitCode({ passed: numPassedTests, failed: numFailedTests }, code) };
}

async function playwright() {
  const report = "playwright.json";
  // A second try tells a busy machine from a broken product; what needed one is named.
  const command = [
    inPackage("@playwright/test", "cli.js"),
    "test",
    "--config",
    "e2e/playwright.config.ts",
    "--reporter=dot,json",
    "--retries=1",
  ];
  const { code } = await run(command, { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, report) });
  /** @type {Record<string, Totals>} */
  const totals = {};
  /** @param {Suite} suite */
  const count = ({ suites = [], specs = [] }) => {
    for (const { title, file, projectName, status } of specs.flatMap(({ tests, ...spec }) =>
      tests.map((test) => ({ ...spec, ...test })),
    )) {
      const sum = (totals[projectName] ??= { passed: 0, failed: 0 });
      if (status === "flaky") process.stdout.write(`passed at the second try: [${projectName}] ${file}: ${title}\n`);
      if (status === "expected" || status === "flaky") sum.passed += 1;
      else if (status !== "skipped") sum.failed += 1;
    }
    suites.forEach(count);
  };
  count(readReport(report) ?? {});
  const failed = Object.values(totals).reduce((sum, suite) => sum + suite.failed, 0);
  return code !== 0 && failed === 0 ? { ...totals, playwright: { passed: 0, failed: 1 } } : totals;
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
/** @type {[string, () => Promise<Record<string, Totals>>][]} */
const suites = [
  ["Checks: types, lint, boundaries, dead code", checks],
  ["Unit tests", () => vitest("unit", ["unit"])],
  ["Service tests on the embedded database and on PostgreSQL", () => vitest("service", ["service-*"])],
  ["API, process and browser tests against the production build", playwright],
];
/** @type {[string, Totals][]} */
const all = [];
for (const [title, suite] of suites) {
  const started = Date.now();
  process.stdout.write(`\n${title}\n`);
  const totals = Object.entries(await suite());
  process.stdout.write(`  ${Math.round((Date.now() - started) / 1000)} s\n`);
  all.push(...totals);
}
const sum = all.reduce(
  (total, [, { passed, failed }]) => ({ passed: total.passed + passed, failed: total.failed + failed }),
  { passed: 0, failed: 0 },
);
const width = Math.max(...all.map(([name]) => name.length));
process.stdout.write(
  `\n${all.map(([name, { passed, failed }]) => `${name.padEnd(width)}  ${passed} passed, ${failed} failed`).join("\n")}\n\n`,
);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
process.exitCode = sum.failed === 0 ? 0 : 1;
