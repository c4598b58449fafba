import "server-only";
import { boot } from "./boot";
import { readOutcome, replicaOf } from "../platform/database/replica";
import { isStoreFull, storeFailure } from "../platform/database/store-failure";
import type { OpenDatabase } from "../platform/database/open";
import { logger } from "../platform/logger";
import { workerId } from "../platform/metrics/workers";
import { outdatedMigrations, readMigrations } from "../platform/database/migrations";

/**
 * Returns the server that reads use, and the lag of the standby; an empty object without a standby. It doesn't affect readiness,
 * because the primary can serve all reads.
 */
function standbyOf({ client }: OpenDatabase): object {
  const replica = replicaOf(client);
  if (!replica) return {};
  const stalenessMs = Math.round(replica.stalenessMs());
  return { standby: { reads: readOutcome(replica), staleness_ms: Number.isFinite(stalenessMs) ? stalenessMs : null } };
}

/** Responds with 200 when the database is reachable, up to date and takes writes, else with 503 and the reason. */
export async function readiness(): Promise<Response> {
  const id = workerId();
  const worker = id === null ? {} : { worker: id };
  try {
    const { database } = await boot();
    if (isStoreFull()) return Response.json({ status: "database can't write", ...worker }, { status: 503 });
    const missing = await outdatedMigrations(database.query, await readMigrations());
    return missing.length === 0
      ? Response.json({ status: "ready", ...standbyOf(database), ...worker })
      : Response.json({ status: "migrations missing", migrations: missing, ...worker }, { status: 503 });
  } catch (err) {
    if (!storeFailure(err)) logger().error({ err }, "the readiness of the process can't be determined");
    return Response.json({ status: "database unreachable", ...worker }, { status: 503 });
  }
}
