// npm test, and with `--all` npm run test:all: runs every suite, even after a failure, and ends with the failures, each suite's totals, and
// their sum on the last line.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{suite: string, title: string, hasFailed: boolean, error?: string}} Test
 * @typedef {{title: string, file: string, line: number, tests: {projectName: string, status: string, results: {errors?: {message?: string}[]}[]}[]}} Spec
 * @typedef {{suites?: Suite[], specs?: Spec[]}} Suite of Playwright's report
 * @typedef {{testResults: {name: string, message?: string, assertionResults: {fullName: string, status: string, failureMessages: string[]}[]}[]}} VitestReport
 */

const isAll = process.argv.includes("--all");
const root = fileURLToPath(new URL("../../", import.meta.url));
const reports = `${root}test-results/`;

/** Runs a Node.js program to its end, its output passed on. @param {string[]} command */
function run(...command) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...(isAll && { TEST_CASES: "all" }) },
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

/** @param {string} path @returns {any} the report, or null when the suite died before writing one */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** A failure without a failed test, such as a crash, counts as one. @param {string} suite @param {Test[]} tests @param {number | null} code */
const withExitCode = (suite, tests, code) =>
  code === 0 || tests.some(({ hasFailed }) => hasFailed)
    ? tests
    : [...tests, { suite, title: `ended with ${code}`, hasFailed: true }];

/** A program that prints a line with ✓ or ✗ for each test. @param {string} suite @param {string[]} command */
async function lines(suite, ...command) {
  const { code, output } = await run(...command);
  const tests = [...output.matchAll(/^([✓✗]) (.+)$/gm)].map(([, mark, title = ""]) => ({
    suite,
    title,
    hasFailed: mark === "✗",
  }));
  return withExitCode(suite, tests, code);
}

const build = async () => withExitCode("build", [], (await run("lib/server/start.mjs", "--build")).code);

/** @param {string} suite @param {string[]} projects */
async function vitest(suite, ...projects) {
  const report = `${reports}${suite}.json`;
  const { code } = await run(
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config=lib/testing/vitest.config.ts",
    "--reporter=dot",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...projects.map((project) => `--project=${project}`),
  );
  const { testResults } = /** @type {VitestReport} */ (readReport(report) ?? { testResults: [] });
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ fullName, status, failureMessages }) => ({
        suite,
        title: `${relative(root, name)}: ${fullName}`,
        hasFailed: status === "failed",
        error: failureMessages.join("\n"),
      })),
  );
  return withExitCode(suite, tests, code);
}

/** @param {Suite} suite @returns {Test[]} */
const testsOf = ({ suites = [], specs = [] }) => [
  ...specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status !== "skipped")
      .map(({ projectName, status, results }) => ({
        suite: projectName,
        title: `${file}:${line}: ${title}`,
        hasFailed: status === "unexpected",
        error: results.flatMap(({ errors = [] }) => errors.map(({ message = "" }) => message)).join("\n"),
      })),
  ),
  ...suites.flatMap(testsOf),
];

/** @param {string[]} projects */
async function playwright(...projects) {
  const { code } = await run(
    "node_modules/@playwright/test/cli.js",
    "test",
    "--config=e2e/playwright.config.ts",
    "--reporter=dot,json",
    ...projects.map((project) => `--project=${project}`),
  );
  return withExitCode("playwright", testsOf(readReport(`${reports}playwright.json`) ?? {}), code);
}

/** @type {Test[]} */
const tests = [];
/** @param {string} title @param {Promise<Test[]>} suite */
async function report(title, suite) {
  const started = performance.now();
  tests.push(...(await suite));
  process.stdout.write(`\n${title}: ${Math.round((performance.now() - started) / 1000)} s\n\n`);
}

process.env["PLAYWRIGHT_JSON_OUTPUT_FILE"] = `${reports}playwright.json`;
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
// Checks report its failure.
await run("lib/server/generate.mjs");
await Promise.all([
  report("Production build", build()),
  report("Service tests", vitest("service", "service", ...(isAll ? ["long"] : []))),
]);
await report("Checks", lines("check", "lib/check/all.mjs", "--without=unit tests"));
await report("Unit and component tests", vitest("unit", "unit", "component"));
await report(
  "Tests of the production build",
  isAll ? playwright("process", "api", "console") : playwright("api", "journeys"),
);
if (isAll)
  await report("Share of the floor", lines("benchmark", "--conditions=react-server", "--import=tsx", "bench/share.ts"));

for (const { suite, title, error = "" } of tests.filter(({ hasFailed }) => hasFailed))
  process.stdout.write(`✗ [${suite}] ${title}\n${error}\n`);

/** @param {Test[]} some */
function totalsOf(some) {
  const failed = some.filter(({ hasFailed }) => hasFailed).length;
  return `${some.length - failed} passed, ${failed} failed`;
}
for (const suite of new Set(tests.map((test) => test.suite)))
  process.stdout.write(`${suite.padEnd(12)}${totalsOf(tests.filter((test) => test.suite === suite))}\n`);
process.stdout.write(`\n${totalsOf(tests)}\n`);
process.exitCode = tests.some(({ hasFailed }) => hasFailed) ? 1 : 0;
