import pg from "pg";
import { expect, inject, it } from "vitest";
import { createDatabase } from "../../testing/test-context";
import { prepareDatabase } from "./prepare";
import { sqlToSchema } from "./schema-sql";

/**
 * Columns, enumerations, keys and indexes, one a row. Check constraints, and partial and expression indexes, exist only in
 * migrations, because Prisma's schema language can't express them.
 */
const CATALOGUE = `
  SELECT concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) AS item
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT typname || ' ' || string_agg(enumlabel, ' ' ORDER BY enumsortorder) FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid
  GROUP BY typname
  UNION ALL
  SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')
  UNION ALL
  SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = 'public'::regnamespace AND indexprs IS NULL AND indpred IS NULL`;

/** Keys of relations in `schema.prisma` that the partitioned tables don't have: docs/decisions/0054-partitions-by-month.md. */
const IMPLIED_KEYS = [
  "CREATE UNIQUE INDEX generations_created_at_id_key",
  "decisions decisions_created_at_generation_id_fkey",
  "generation_contents generation_contents_created_at_generation_id_fkey",
  "generations generations_key_id_fkey",
  "generations generations_organization_id_fkey",
  "generations generations_user_id_fkey",
  "generations generations_workspace_id_fkey",
];

async function catalogueOf(connectionString: string, statements = ""): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statements);
    const { rows } = await client.query<{ item: string }>(CATALOGUE);
    return rows.map(({ item }) => item).filter((item) => !item.includes("_prisma_migrations"));
  } finally {
    await client.end();
  }
}

it("the migrations match schema.prisma", async () => {
  const [migrated, generated] = [
    await createDatabase(inject("postgresUrl")),
    await createDatabase(inject("postgresUrl")),
  ];
  await prepareDatabase(migrated);
  const ofMigrations = await catalogueOf(migrated);
  const ofSchema = await catalogueOf(generated, await sqlToSchema(generated));
  expect(ofMigrations.filter((item) => !ofSchema.includes(item))).toEqual([]);
  const missing = ofSchema.filter((item) => !ofMigrations.includes(item));
  expect(missing.toSorted()).toEqual(IMPLIED_KEYS.map((key) => expect.stringContaining(`${key} `)));
});
