import "server-only";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { noFilters, openSchemaEngine, prismaFolder, readSchema } from "./schema-engine";
import { applyMigrations } from "./migrations";

/** Drops partial and expression indexes, which the schema language can't express and the engine fails on. */
const dropUnspeakableIndexes = `
  DO $$ DECLARE unspeakable text; BEGIN
    FOR unspeakable IN
      SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relnamespace = 'public'::regnamespace AND (indexprs IS NOT NULL OR indpred IS NOT NULL)
    LOOP EXECUTE 'DROP INDEX ' || unspeakable; END LOOP;
  END $$`;

const REFERENCES_GENERATION =
  "FOREIGN KEY (created_at, generation_id) REFERENCES generations (created_at, id) ON DELETE CASCADE ON UPDATE CASCADE";

/** Adds the keys of relations that the schema language can't describe without one. */
const addImpliedKeys = [
  ["generations", "UNIQUE (created_at, id)"],
  ["generation_contents", REFERENCES_GENERATION],
  ["decisions", REFERENCES_GENERATION],
  ["generations", "FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE"],
  ["generations", "FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE ON UPDATE CASCADE"],
  ["generations", "FOREIGN KEY (key_id) REFERENCES keys (id) ON DELETE SET NULL ON UPDATE CASCADE"],
  ["generations", "FOREIGN KEY (user_id) REFERENCES members (id) ON DELETE SET NULL ON UPDATE CASCADE"],
]
  .map(([table, key]) => `ALTER TABLE ${table} ADD ${key}`)
  .join(";");

/**
 * Returns the SQL from the migrations on disk to `schema.prisma`; empty when they match. Check constraints, partial and
 * expression indexes exist only in migrations and are ignored, and so are partitions, which are made after them.
 */
export async function schemaDiff(): Promise<string> {
  const files = [await readSchema()];
  const pglite = await PGlite.create();
  const adapters = new PrismaPGlite(pglite);
  await applyMigrations(adapters, (sql) => pglite.query<Record<string, unknown>>(sql));
  await pglite.exec(dropUnspeakableIndexes);
  await pglite.exec(addImpliedKeys);
  const engine = await openSchemaEngine(adapters);
  const { exitCode, stdout } = await engine.diff({
    from: { tag: "schemaDatasource", files, configDir: prismaFolder() },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: true,
    filters: noFilters,
  });
  return exitCode === 0 ? "" : (stdout ?? "");
}
