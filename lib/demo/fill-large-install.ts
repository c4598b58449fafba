import pg from "pg";
import { rollUp } from "../features/analytics/rollup-service";
import { openPostgres } from "../platform/database/open";
import { partitionPast } from "../platform/database/partitions";
import { DAYS, largeInstall, type InstallSize } from "./large-install";

/** Generations recorded in one transaction, as under load. */
export const PER_TRANSACTION = 16;

/** Fills the first organization of an install by SQL, then its rollups. `report` receives the name of each finished step. */
export async function fillLargeInstall(
  connectionString: string,
  size: InstallSize,
  report: (step: string) => void = () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await partitionPast((sql) => client.query(sql), new Date(Date.now() - DAYS * 24 * 60 * 60_000));
  await client.query("SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET synchronous_commit = off");
  const { generations } = size;
  // Advances the transaction counter of the server past the numbers that the generations get.
  const counted = `DO $$ BEGIN FOR n IN 1..${Math.ceil(generations / PER_TRANSACTION)} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`;
  const recordedIn = `1 + (${generations} - g.n) / ${PER_TRANSACTION}`;
  const scripts = [counted, "BEGIN", ...largeInstall(size, recordedIn), "COMMIT", "VACUUM ANALYZE"];
  for (const [index, script] of scripts.entries()) {
    await client.query(script);
    report(`${index + 1} of ${scripts.length}`);
  }
  await client.end();
  const database = await openPostgres(connectionString);
  await rollUp(database.client, undefined, 20_000);
  await database.query("VACUUM ANALYZE");
  await database.close();
  report("rollups");
}
