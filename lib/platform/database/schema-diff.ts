import "server-only";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { noFilters, openSchemaEngine, prismaFolder, readSchema } from "./schema-engine";
import { applyMigrations } from "./migrations";

/** Indexes over expressions or parts of a table: the schema language has no words for them, and the engine fails on them. */
const dropUnspeakableIndexes = `
  DO $$ DECLARE unspeakable text; BEGIN
    FOR unspeakable IN
      SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relnamespace = 'public'::regnamespace AND (indexprs IS NOT NULL OR indpred IS NOT NULL)
    LOOP EXECUTE 'DROP INDEX ' || unspeakable; END LOOP;
  END $$`;

/**
 * The SQL that leads from the migrations on disk to `schema.prisma`; empty when they agree.
 * Check constraints, partial and expression indexes are invisible to it: they live in the migrations alone.
 */
export async function schemaDiff(): Promise<string> {
  const files = [await readSchema()];
  const pglite = await PGlite.create();
  const adapters = new PrismaPGlite(pglite);
  await applyMigrations(adapters, (sql) => pglite.query<Record<string, unknown>>(sql));
  await pglite.exec(dropUnspeakableIndexes);
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
