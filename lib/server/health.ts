import "server-only";
import { boot } from "./boot";
import { isStoreFull } from "../platform/database/store-failure";
import { workerId } from "../platform/metrics/workers";
import { outdatedMigrations, readMigrations } from "../platform/database/migrations";

/** Responds with 200 when the database is reachable, up to date and takes writes, else with 503 and the reason. */
export async function readiness(): Promise<Response> {
  const id = workerId();
  const worker = id === null ? {} : { worker: id };
  try {
    const { database } = await boot();
    if (isStoreFull()) return Response.json({ status: "database can't write", ...worker }, { status: 503 });
    const missing = await outdatedMigrations(database.query, await readMigrations());
    return missing.length === 0
      ? Response.json({ status: "ready", ...worker })
      : Response.json({ status: "migrations missing", migrations: missing, ...worker }, { status: 503 });
  } catch {
    return Response.json({ status: "database unreachable", ...worker }, { status: 503 });
  }
}
