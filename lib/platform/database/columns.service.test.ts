import { describe, expect, it } from "vitest";
import { CONTENT_COLUMNS, DECISION_COLUMNS, GENERATION_COLUMNS, ITEM_COLUMNS } from "../../gateway/record/record-rows";
import { SPEND_COLUMNS } from "../../records/keys/spend-days-store";
import { testDatabase } from "../../testing/test-context";
import { type Columns } from "./columns";

/** Columns that a record doesn't set: they have a default or are set later. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  generations: ["timings", "content_deleted_at", "recorded_in"],
};

async function columnsOf(table: string): Promise<Columns> {
  const { query } = await testDatabase();
  const { rows } = await query(
    `SELECT column_name AS name, udt_name AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = '${table}' ORDER BY ordinal_position`,
  );
  const columns = rows.map(({ name, type }) => [String(name), String(type)] as const);
  return Object.fromEntries(columns.filter(([name]) => !LEFT_OUT[table]?.includes(name)));
}

describe("the columns of a statement", () => {
  it.each([
    ["generations", GENERATION_COLUMNS],
    ["generation_contents", CONTENT_COLUMNS],
    ["decisions", DECISION_COLUMNS],
    ["response_items", ITEM_COLUMNS],
    ["key_spend_days", SPEND_COLUMNS],
  ])("are all columns of %s, with their types", async (table, columns) => {
    expect(columns).toEqual(await columnsOf(table));
  });
});
