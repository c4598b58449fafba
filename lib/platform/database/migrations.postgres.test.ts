import pg from "pg";
import { beforeEach, expect, inject, it } from "vitest";
import { StartError } from "../start-error";
import { createDatabase } from "../../testing/test-context";
import { readMigrations } from "./migrations";
import { openPostgres } from "./open";

let url: string;
beforeEach(async () => {
  url = await createDatabase(inject("postgresUrl"));
});

const opened = async () => {
  const database = await openPostgres(url);
  await database.close();
  return database.appliedMigrations;
};

it("an empty database gets every migration, the next start none", async () => {
  const { migrationDirectories } = await readMigrations();
  expect(await opened()).toEqual(migrationDirectories.map(({ path }) => path));
  expect(await opened()).toEqual([]);
});

it("four servers that start together apply the migrations once", async () => {
  const applied = await Promise.all([opened(), opened(), opened(), opened()]);
  const { migrationDirectories } = await readMigrations();
  expect(applied.flat()).toEqual(migrationDirectories.map(({ path }) => path));
});

it("an edited migration is rejected by name", async () => {
  const [name] = await opened();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("UPDATE _prisma_migrations SET checksum = 'another text' WHERE migration_name = $1", [name]);
  await client.end();
  await expect(opened()).rejects.toThrow(StartError);
  await expect(opened()).rejects.toThrow(name);
});

/** Replaces the initial migration in a database's history by the migrations that it replaced, up to the last given name. */
async function asBefore(names: readonly string[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("DELETE FROM _prisma_migrations WHERE migration_name = '20261127070000_initial'");
  for (const name of names)
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES (gen_random_uuid(), 'former', $1, now(), 1)",
      [name],
    );
  return client;
}

it("a database with the migrations that the initial one replaces has it instead of them", async () => {
  const all = await opened();
  const client = await asBefore(["20261121000000_init", "20261127070000_generation_seconds"]);
  expect(await opened()).toEqual([]);
  const { rows } = await client.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1",
  );
  await client.end();
  expect(rows.map(({ name }) => name)).toEqual(all);
});

it("a database with only some of them is refused and left as it is", async () => {
  await opened();
  const client = await asBefore(["20261121000000_init"]);
  await expect(opened()).rejects.toThrow("can't update: its migrations end before 20261127070000_generation_seconds");
  const { rows } = await client.query("SELECT FROM _prisma_migrations WHERE migration_name = '20261121000000_init'");
  await client.end();
  expect(rows).toHaveLength(1);
});
