import "server-only";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MigrationDirectory, MigrationList } from "@prisma/schema-engine-wasm";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { StartError } from "../start-error";
import { noFilters, openSchemaEngine, prismaFolder } from "./schema-engine";

/** Runs a statement and returns its rows. */
export type Query = (sql: string) => Promise<{ rows: Record<string, unknown>[] }>;

/** Reads the migrations from disk in the schema engine's format. */
export async function readMigrations(baseDir = join(prismaFolder(), "migrations")): Promise<MigrationList> {
  const entries = await readdir(/* turbopackIgnore: true */ baseDir, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const migrationDirectories = await Promise.all(
    names.map(async (path): Promise<MigrationDirectory> => {
      const value = await readFile(/* turbopackIgnore: true */ join(baseDir, path, "migration.sql"), "utf8");
      return { path, migrationFile: { path: "migration.sql", content: { tag: "ok", value } } };
    }),
  );
  const lockfile = {
    path: "migration_lock.toml",
    content: await readFile(/* turbopackIgnore: true */ join(baseDir, "migration_lock.toml"), "utf8"),
  };
  return { baseDir, lockfile, shadowDbInitScript: "", migrationDirectories };
}

/** The checksum that Prisma's engine stores of an applied migration. */
export const checksumOf = ({ migrationFile: { content } }: MigrationDirectory): string =>
  createHash("sha256").update(content.value).digest("hex");

/** Returns the names of migrations that are missing in the database or differ, without starting the engine. */
export async function outdatedMigrations(query: Query, migrations: MigrationList): Promise<string[]> {
  const { rows: tables } = await query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found");
  const { rows } = tables[0]?.["found"]
    ? await query(
        "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
      )
    : { rows: [] };
  const applied = new Map(rows.map((row) => [row["migration_name"], row["checksum"]]));
  return migrations.migrationDirectories
    .filter((migration) => applied.get(migration.path) !== checksumOf(migration))
    .map(({ path }) => path);
}

/**
 * Applies migrations with Prisma's engine, all or only those that are named; the caller must hold a lock.
 * @throws StartError if an applied migration differs from its file, or a named one has none
 */
export async function applyMigrations(
  adapters: SqlMigrationAwareDriverAdapterFactory,
  query: Query,
  only?: readonly string[],
): Promise<string[]> {
  const all = await readMigrations();
  const migrationsList = only ? named(all, only) : all;
  if ((await outdatedMigrations(query, migrationsList)).length === 0) return [];
  const engine = await openSchemaEngine(adapters);
  const history = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: noFilters,
  });
  const broken = [...history.editedMigrationNames, ...history.failedMigrationNames];
  if (broken.length > 0) throw new StartError(`migrations were edited or failed earlier: ${broken.join(", ")}`);
  const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: noFilters });
  return appliedMigrationNames;
}

function named(all: MigrationList, names: readonly string[]): MigrationList {
  const migrationDirectories = all.migrationDirectories.filter(({ path }) => names.includes(path));
  const unknown = names.filter((name) => !migrationDirectories.some(({ path }) => path === name));
  if (unknown.length > 0) throw new StartError(`this version of Signalbox has no migration ${unknown.join(", ")}`);
  return { ...all, migrationDirectories };
}
