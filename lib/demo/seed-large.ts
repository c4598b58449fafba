// npm run seed:large: fills an install on PostgreSQL with as much data as years of use leave, by SQL. For measurements; never for an install in use.
import { parseArgs } from "node:util";
import { fillLargeInstall } from "./fill-large-install";

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
const started = performance.now();
await fillLargeInstall(connectionString, size, (step) =>
  process.stdout.write(`${step} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`),
);
