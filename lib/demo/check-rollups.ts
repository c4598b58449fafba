// npm run rollups:check: compares the rollups with the sums of the generations they were made of. With PostgreSQL, also while Signalbox runs.
import { checkRollups } from "../features/analytics/rollup-service";
import { openEmbedded, openPostgres } from "../platform/database/open";
import { env } from "../platform/env";
import { scriptArguments } from "../platform/script-arguments.mjs";

scriptArguments("npm run rollups:check", {
  note: "Compares the rollups in DATABASE_URL or SIGNALBOX_DATA_DIR with the generations they were made of",
});
const { databaseUrl, dataDir } = env();
const { client, close } = databaseUrl ? await openPostgres(databaseUrl) : await openEmbedded(dataDir);
let differing = 0;
try {
  for (const { id, name } of await client.organization.findMany({ orderBy: { id: "asc" } })) {
    for (const { table, rows, missing, wrong } of await checkRollups(client, id, new Date())) {
      process.stdout.write(`${name}: ${table}: ${rows} rows expected, ${missing} missing, ${wrong} wrong\n`);
      differing += missing + wrong;
    }
  }
} finally {
  await close();
}
process.exitCode = differing === 0 ? 0 : 1;
