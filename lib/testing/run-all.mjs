// npm test: runs every suite, even after a failure. Prints the failures at its end, each suite's totals, and the sum on the last line.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {{suite: string, title: string, seconds: number, hasFailed: boolean, isFlaky?: boolean, error?: string}} Test a flaky one failed and then passed; an error is what the suite says of its failure
 * @typedef {{duration: number, errors?: {message?: string, snippet?: string}[]}} Result
 * @typedef {{title: string, file: string, line: number, tests: {projectName: string, status: string, results: Result[]}[]}} Spec
 * @typedef {{suites?: Suite[], specs?: Spec[]}} Suite of Playwright's report
 * @typedef {{testResults: {name: string, assertionResults: {fullName: string, status: string, duration?: number, failureMessages: string[]}[]}[]}} VitestReport
 */

/** A test that fails is repeated once; one that passes then is listed with its first error. */
const RETRIES = 1;
const SLOWEST = 20;
/** Lines of an error that are repeated at the end. */
const MOST_LINES = 200;

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
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (/** @type {Buffer} */ chunk) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  child.stderr.on("data", (/** @type {Buffer} */ chunk) => {
    errors += chunk.toString();
    process.stderr.write(chunk);
  });
  return new Promise(
    (/** @type {(value: {code: number | null, output: string, errors: string}) => void} */ resolve) => {
      child.on("close", (code) => resolve({ code, output, errors }));
    },
  );
}

/** @param {string} name @returns {any} the report, or null when the suite died before writing one */
function readReport(name) {
  try {
    return JSON.parse(readFileSync(join(reports, name), "utf8"));
  } catch {
    return null;
  }
}

/**
 * A failure without a failed test (a broken file, a teardown, a crash) counts as one.
 * @param {string} suite @param {Test[]} tests @param {number | null} code @param {string} [error]
 */
const withExitCode = (suite, tests, code, error = "") =>
  code === 0 || tests.some(({ hasFailed }) => hasFailed)
    ? tests
    : [...tests, { suite, title: `ended with ${code}`, seconds: 0, hasFailed: true, error }];

async function checks() {
  const { code, output, errors } = await run(["lib/check/all.mjs", "--without=unit tests"]);
  const results = output.matchAll(/^([✓✗]) (.+?) \(([\d.]+) s\).*\n((?:  .*\n)*)/gm);
  const tests = [...results].map(([, mark, title = "", seconds, error]) => ({
    suite: "check",
    title,
    seconds: Number(seconds),
    hasFailed: mark === "✗",
    error,
  }));
  return withExitCode("check", tests, code, errors);
}

async function build() {
  const { code, output, errors } = await run(["lib/server/start.mjs", "--build"]);
  return withExitCode("build", [], code, output + errors);
}

/** @param {string} suite @param {string[]} projects @param {number} workers */
async function vitest(suite, projects, workers) {
  const report = `${suite}.json`;
  const { code, errors } = await run([
    inPackage("vitest", "vitest.mjs"),
    "run",
    "--config",
    "lib/testing/vitest.config.ts",
    `--maxWorkers=${workers}`,
    `--retry=${RETRIES}`,
    ...projects.flatMap((project) => ["--project", project]),
    "--reporter=dot",
    "--reporter=json",
    `--outputFile.json=${join(reports, report)}`,
  ]);
  const { testResults } = /** @type {VitestReport} */ (readReport(report) ?? { testResults: [] });
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ fullName, status, duration = 0, failureMessages }) => ({
        suite,
        title: `${relative(root, name)}: ${fullName}`,
        seconds: duration / 1000,
        hasFailed: status === "failed",
        // The errors of a test that passed are those of its first run.
        isFlaky: status === "passed" && failureMessages.length > 0,
        ...(status === "passed" && { error: failureMessages.join("\n") }),
      })),
  );
  // Vitest prints the errors of all tests, with differences, after the last one.
  const error = /^⎯+ (?:Failed|Unhandled)[^]*/m.exec(errors)?.[0] ?? errors;
  const failed = withExitCode(suite, tests, code, error);
  const last = failed.findLast(({ hasFailed }) => hasFailed);
  return failed.map((test) => (test === last ? { ...test, error } : test));
}

/** @param {Suite} suite @returns {Test[]} */
const testsOf = ({ suites = [], specs = [] }) => [
  ...specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status !== "skipped")
      .map(({ projectName, status, results }) => ({
        suite: projectName,
        title: `${file}:${line}: ${title}`,
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
        hasFailed: status === "unexpected",
        isFlaky: status === "flaky",
        error: results
          .flatMap(({ errors = [] }) => errors.map(({ message = "", snippet = "" }) => `${message}\n${snippet}`))
          .join("\n"),
      })),
  ),
  ...suites.flatMap(testsOf),
];

/** @param {string[]} projects */
async function playwright(projects) {
  const report = "playwright.json";
  const command = [
    inPackage("@playwright/test", "cli.js"),
    "test",
    "--config",
    "e2e/playwright.config.ts",
    "--reporter=dot,json",
    `--retries=${RETRIES}`,
    ...projects.flatMap((project) => ["--project", project]),
  ];
  const { code, output, errors } = await run(command, { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, report) });
  return withExitCode("playwright", testsOf(readReport(report) ?? {}), code, output.slice(-20_000) + errors);
}

/** The short benchmark prints a line per scenario, and fails only if Signalbox's share of the floor has halved. */
async function shareOfTheFloor() {
  const { code, output, errors } = await run(["--conditions=react-server", "--import", "tsx", "bench/share.ts"]);
  const tests = [...output.matchAll(/^([✓✗]) (.+)$/gm)].map(([, mark, title = ""]) => ({
    suite: "benchmark",
    title,
    seconds: 0,
    hasFailed: mark === "✗",
  }));
  return withExitCode("benchmark", tests, code, errors);
}

/** @type {Test[]} */
const all = [];
/** @param {string} title @param {() => Promise<Test[]>} suite */
async function report(title, suite) {
  const started = Date.now();
  process.stdout.write(`\n${title}\n`);
  all.push(...(await suite()));
  process.stdout.write(`\n${title}: ${Math.round((Date.now() - started) / 1000)} s\n`);
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
// Checks report its failure.
await run(["lib/server/generate.mjs"]);
// At once, for neither keeps two processors busy.
await Promise.all([report("Checks", checks), report("Unit tests", () => vitest("unit", ["unit"], 2))]);
// Service tests spend much of their time waiting; the servers of the next suite start from this build.
await Promise.all([
  report("Production build", build),
  report("Service tests", () => vitest("service", ["service", "service-alone"], 3)),
]);
await report("Process, API and browser tests against the production build", () =>
  playwright(["process", "api", "console"]),
);
await report("Share of the floor", shareOfTheFloor);

const slowest = all.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
const lines = slowest.map(({ suite, title, seconds }) => `${seconds.toFixed(1).padStart(6)} s  [${suite}] ${title}`);
process.stdout.write(`\nSlowest tests\n${lines.join("\n")}\n\n`);

/** @param {string} title @param {Test[]} tests */
function listErrors(title, tests) {
  if (tests.length > 0) process.stdout.write(`${title}\n\n`);
  for (const { suite, title, error = "" } of tests) {
    const shown = stripVTControlCharacters(error).trimEnd().split("\n").slice(0, MOST_LINES).join("\n");
    process.stdout.write(`✗ [${suite}] ${title}\n${shown ? `${shown}\n\n` : ""}`);
  }
}
listErrors(
  "Failed at first, passed when repeated",
  all.filter(({ isFlaky }) => isFlaky),
);
listErrors(
  "Failures",
  all.filter(({ hasFailed }) => hasFailed),
);

/** @param {Test[]} tests */
const totalsOf = (tests) => {
  const failed = tests.filter(({ hasFailed }) => hasFailed).length;
  return `${tests.length - failed} passed, ${failed} failed`;
};
const suites = [...new Set(all.map(({ suite }) => suite))];
const width = Math.max(...suites.map((name) => name.length));
for (const name of suites)
  process.stdout.write(`${name.padEnd(width)}  ${totalsOf(all.filter(({ suite }) => suite === name))}\n`);
process.stdout.write(`\n${totalsOf(all)}\n`);
process.exitCode = all.some(({ hasFailed }) => hasFailed) ? 1 : 0;
