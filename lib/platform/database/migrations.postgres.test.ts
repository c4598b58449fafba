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
