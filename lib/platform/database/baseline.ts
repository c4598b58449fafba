import "server-only";
import { StartError } from "../start-error";
import { checksumOf, type Query } from "./migrations";
import type { MigrationList } from "@prisma/schema-engine-wasm";

/** Migration that creates the schema of the migrations up to `LAST_REPLACED`. */
const INITIAL = "20261127070000_initial";
const LAST_REPLACED = "20261127070000_generation_seconds";

const isReplaced = (name: string): boolean => name <= LAST_REPLACED;

/**
 * Replaces the names of migrations that the initial one replaces by its name.
 * @throws StartError if only some of them were applied
 */
export function withInitial(names: readonly string[]): string[] {
  if (!names.some(isReplaced)) return [...names];
  if (!names.includes(LAST_REPLACED))
    throw new StartError(
      `The database was made by a version that this one can't update: its migrations end before ${LAST_REPLACED}. Start a version of 28 November 2026 on it first`,
    );
  return [INITIAL, ...names.filter((name) => !isReplaced(name))];
}

/**
 * Enters the initial migration into the history of a database that has the migrations that it replaces. No other process may migrate
 * the database meanwhile.
 */
export async function baseline(query: Query, { migrationDirectories }: MigrationList): Promise<void> {
  const { rows: tables } = await query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found");
  if (!tables[0]?.["found"]) return;
  const { rows } = await query("SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL");
  const names = rows.map(({ name }) => String(name));
  const replaced = names.filter(isReplaced);
  if (replaced.length === 0 || withInitial(names).length === 0) return;
  const initial = migrationDirectories.find(({ path }) => path === INITIAL);
  if (!initial) throw new Error(`no migration ${INITIAL}`);
  await query(`
    BEGIN;
    DELETE FROM _prisma_migrations WHERE migration_name IN (${replaced.map((name) => `'${name}'`).join(", ")});
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    VALUES (gen_random_uuid(), '${checksumOf(initial)}', '${INITIAL}', now(), 1);
    COMMIT`);
}
