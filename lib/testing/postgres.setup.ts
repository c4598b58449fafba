import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPostgres } from "../platform/database/open";
import { startPostgres } from "./postgres";

/** Migrated, empty template for every test file's database. */
export const TEMPLATE = "template";

declare module "vitest" {
  interface ProvidedContext {
    /** Connection string of the test server's `postgres` database. */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  try {
    const admin = new pg.Client({ connectionString: server.url("postgres") });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${TEMPLATE}`);
    await admin.end();
    await openPostgres(server.url(TEMPLATE)).then((template) => template.close());
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide("postgresUrl", server.url("postgres"));
  return server.stop;
}
