import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum, type SqlQuery } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { noFilters, openSchemaEngine, prismaFolder, readSchema } from "./schema-engine";
import { prepareDatabase } from "./prepare";

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

/** Ids of PostgreSQL's types "char" and "char"[]. */
const [CHAR, CHAR_ARRAY] = [18, 1002];

/**
 * Adapters for reading catalogues, which have columns of PostgreSQL's type "char": Prisma's adapter knows only its arrays, and the engine
 * expects single characters.
 */
function adaptersForCatalogues(pool: pg.Pool): PrismaPg {
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    query: async (config: pg.QueryConfig, values?: unknown[]) => {
      // A script of several statements has no fields.
      const result: Partial<Pick<pg.QueryResult, "fields">> = await query(config, values);
      for (const field of result.fields ?? []) if (field.dataTypeID === CHAR) field.dataTypeID = CHAR_ARRAY;
      return result;
    },
  });
  const adapters = new PrismaPg(pool);
  const connect = adapters.connect.bind(adapters);
  adapters.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    return Object.assign(adapter, {
      queryRaw: async (statement: SqlQuery) => {
        const result = await queryRaw(statement);
        const columnTypes = result.columnTypes.map((type) =>
          type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type,
        );
        return { ...result, columnTypes };
      },
    });
  };
  return adapters;
}

/**
 * Returns the SQL from the migrations on disk, which it applies to an empty database, to `schema.prisma`; empty when they match. Check constraints, partial and
 * expression indexes exist only in migrations and are ignored, and so are partitions, which are made after them.
 */
export async function schemaDiff(connectionString: string): Promise<string> {
  await prepareDatabase(connectionString);
  const pool = new pg.Pool({ connectionString, max: 2 });
  try {
    await pool.query(dropUnspeakableIndexes);
    await pool.query(addImpliedKeys);
    const files = [await readSchema()];
    const engine = await openSchemaEngine(adaptersForCatalogues(pool));
    const { exitCode, stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: prismaFolder() },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: true,
      filters: noFilters,
    });
    return exitCode === 0 ? "" : (stdout ?? "");
  } finally {
    await pool.end();
  }
}
