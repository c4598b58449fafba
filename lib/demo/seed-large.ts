// npm run seed:large: fills an install on PostgreSQL by SQL with the data of years of use. For measurements only: don't run it on an
// install in use.
import { scriptArguments } from "../platform/script-arguments.mjs";
import { fillLargeInstall } from "./fill-large-install";

const { values, fail } = scriptArguments("npm run seed:large --", {
  options: {
    generations: { type: "string", default: "1000000" },
    keys: { type: "string", default: "5000" },
    guardrails: { type: "string", default: "1000" },
    contents: { type: "string", default: "1" },
  },
  note: "DATABASE_URL names a database that Signalbox has started on once",
});
const size = {
  generations: Number(values.generations),
  keys: Number(values.keys),
  guardrails: Number(values.guardrails),
  contents: Number(values.contents),
};
for (const [name, value] of Object.entries(size)) if (!(value >= 0)) fail(`--${name} must be a number`);
const connectionString = process.env["DATABASE_URL"] ?? fail("DATABASE_URL is required");
const started = performance.now();
await fillLargeInstall(connectionString, size, (step) =>
  process.stdout.write(`${step} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`),
);
