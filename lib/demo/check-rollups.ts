// npm run rollups:check: compares the rollups with sums over the generations. Signalbox may run meanwhile.
import { compareRollups } from "../features/analytics/rollup-service";
import { openInstall } from "../platform/database/open";
import { env } from "../platform/env";
import { scriptArguments } from "../platform/script-arguments.mjs";

scriptArguments("npm run rollups:check", {
  note: "Compares the rollups in DATABASE_URL or SIGNALBOX_DATA_DIR with the generations they were made of",
});
const { client, close } = await openInstall(env());
let differing = 0;
try {
  for (const { id, name } of await client.organization.findMany({ orderBy: { id: "asc" } })) {
    for (const { table, rows, missing, wrong } of await compareRollups(client, id, new Date())) {
      process.stdout.write(`${name}: ${table}: ${rows} rows expected, ${missing} missing, ${wrong} wrong\n`);
      differing += missing + wrong;
    }
  }
} finally {
  await close();
}
process.exitCode = differing === 0 ? 0 : 1;
