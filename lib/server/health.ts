import "server-only";
import { boot } from "./boot";
import { outdatedMigrations, readMigrations } from "../platform/database/migrations";

/** 200 when the database answers and holds every migration; 503 otherwise, saying which. */
export async function readiness(): Promise<Response> {
  try {
    const { database } = await boot();
    const missing = await outdatedMigrations(database.query, await readMigrations());
    return missing.length === 0
      ? Response.json({ status: "ready" })
      : Response.json({ status: "migrations missing", migrations: missing }, { status: 503 });
  } catch {
    return Response.json({ status: "database unreachable" }, { status: 503 });
  }
}
