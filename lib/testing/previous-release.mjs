// npm run test:upgrade: runs the API suite of the last release, with its own code and dependencies, on a database that today's migrations
// made, as its servers meet it during an update (prisma/release.json). Needs the history of git. What the listed contract steps took away is
// restored, so that everything else is tested. `-- budgets keys` runs only those files of its suites.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** @type {{version: string, commit: string, suites: string[], contractSteps: Record<string, {restore: string[]}>}} */
const { version, commit, suites, contractSteps } = JSON.parse(readFileSync("prisma/release.json", "utf8"));
const only = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "signalbox-release-"));

/** @param {string} command @param {string} cwd */
const run = (command, cwd) => spawnSync(command, { cwd, shell: true, stdio: "inherit" }).status === 0;

/** @param {string} command @param {string} cwd */
function must(command, cwd) {
  if (!run(command, cwd)) throw new Error(`${command} failed`);
}

try {
  must(`git archive ${commit} | tar -x -C "${folder}"`, process.cwd());
  must("npm ci --no-audit --no-fund", folder);
  rmSync(join(folder, "prisma/migrations"), { recursive: true });
  cpSync("prisma/migrations", join(folder, "prisma/migrations"), { recursive: true });
  const restored = Object.values(contractSteps).flatMap(({ restore }) => restore.map((statement) => `${statement};\n`));
  const last = join(folder, "prisma/migrations/99999999999999_restored");
  mkdirSync(last);
  writeFileSync(join(last, "migration.sql"), restored.join("") || "SELECT 1;\n");
  const failed = suites.filter((suite) => !run([suite, ...only].join(" "), folder));
  for (const suite of suites)
    process.stdout.write(`${failed.includes(suite) ? "✗" : "✓"} ${version} on today's schema: ${suite}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
