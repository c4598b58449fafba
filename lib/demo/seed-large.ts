// npm run seed:large: fills an install on PostgreSQL with as much data as years of use leave, by SQL. For measurements; never for an install in use.
import { parseArgs } from "node:util";
import pg from "pg";
import { rollUp } from "../features/analytics/rollup-service";
import { openPostgres } from "../platform/database/open";
import { largeInstall } from "./large-install";

const USAGE =
  "npm run seed:large -- [--generations 1000000] [--keys 5000] [--guardrails 1000] [--contents 1], with DATABASE_URL of a database that Signalbox has started on once";

const { values } = parseArgs({
  options: {
    generations: { type: "string", default: "1000000" },
    keys: { type: "string", default: "5000" },
    guardrails: { type: "string", default: "1000" },
    contents: { type: "string", default: "1" },
  },
});
const size = {
  generations: Number(values.generations),
  keys: Number(values.keys),
  guardrails: Number(values.guardrails),
  contents: Number(values.contents),
};
const connectionString = process.env["DATABASE_URL"];
if (!connectionString || Object.values(size).some((value) => !(value >= 0))) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(1);
}
const client = new pg.Client({ connectionString });
await client.connect();
await client.query("SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET synchronous_commit = off");
const started = performance.now();
const scripts = ["BEGIN", ...largeInstall(size), "COMMIT", "VACUUM ANALYZE"];
for (const [index, script] of scripts.entries()) {
  await client.query(script);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(`${index + 1} of ${scripts.length} (${seconds} s)\n`);
}
await client.end();
const database = await openPostgres(connectionString);
await rollUp(database.client, undefined, 20_000);
await database.close();
process.stdout.write(`rollups (${((performance.now() - started) / 1000).toFixed(0)} s)\n`);
