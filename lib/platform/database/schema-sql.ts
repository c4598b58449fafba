import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { noFilters, openSchemaEngine, readSchema } from "./schema-engine";

/**
 * Returns the SQL that leads to `schema.prisma` from another schema in Prisma's language, or from an empty database. The
 * engine connects to the database, but neither reads nor changes it.
 */
export async function sqlToSchema(connectionString: string, from?: string): Promise<string> {
  const pool = new pg.Pool({ connectionString, max: 2 });
  try {
    const schema = await readSchema();
    const engine = await openSchemaEngine(new PrismaPg(pool));
    const { stdout } = await engine.diff({
      from:
        from === undefined
          ? { tag: "empty" }
          : { tag: "schemaDatamodel", files: [{ path: schema.path, content: from }] },
      to: { tag: "schemaDatamodel", files: [schema] },
      script: true,
      exitCode: null,
      filters: noFilters,
    });
    return stdout ?? "";
  } finally {
    await pool.end();
  }
}
