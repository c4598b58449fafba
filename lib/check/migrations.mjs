// Checks that migrations since the last release only expand, because its servers run beside new ones during an update (prisma/README.md).
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { contractSteps } from "./contract-steps.mjs";

/** @type {{version: string, lastMigration: string, contractSteps: Record<string, {meaning: string}>}} */
const release = JSON.parse(readFileSync("prisma/release.json", "utf8"));
const names = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
const migrations = names
  .filter((name) => name > release.lastMigration)
  .sort()
  .map((name) => ({ name, sql: readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8") }));
const steps = contractSteps(migrations);
const problems = [
  ...steps.filter(({ name }) => !(name in release.contractSteps)).map(({ name, problem }) => `${name} ${problem}`),
  ...Object.keys(release.contractSteps)
    .filter((listed) => !steps.some(({ name }) => name === listed))
    .map((listed) => `prisma/release.json lists ${listed}, which has no contract step`),
];
for (const problem of problems) process.stdout.write(`  ${problem}\n`);
process.stdout.write(`${migrations.length} migrations since ${release.version}, ${problems.length} problems\n`);
process.exit(problems.length ? 1 : 0);
