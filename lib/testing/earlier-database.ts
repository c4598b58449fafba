import pg from "pg";
import { checksumOf, readMigrations } from "../platform/database/migrations";
import { createDatabase } from "./test-context";

/**
 * Creates a database as an earlier version left it: empty, with the migrations before the named one. Returns its
 * connection string.
 */
export async function databaseBefore(server: string, migration: string): Promise<string> {
  const url = await createDatabase(server);
  const { migrationDirectories } = await readMigrations();
  if (!migrationDirectories.some(({ path }) => path === migration)) throw new Error(`no migration ${migration}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
      logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
  for (const earlier of migrationDirectories.filter(({ path }) => path < migration)) {
    await client.query(earlier.migrationFile.content.value);
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES (gen_random_uuid(), $1, $2, now(), 1)",
      [checksumOf(earlier), earlier.path],
    );
  }
  await client.end();
  return url;
}
