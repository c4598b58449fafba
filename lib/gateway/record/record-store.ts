import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { scheduleAlertCheck } from "../../records/budgets/alerts-service";
import type { Settlement } from "../../engine/budgets/budget-rule";
import type { BudgetCharge } from "../../engine/budgets/lease-ledger";
import { leasesOf } from "../../records/budgets/leases-service";
import { settlementCtes } from "../../records/budgets/settlement-store";
import type { Context } from "../../platform/context";
import { Batcher, batcherPerDatabase } from "../../platform/database/batcher";
import { storableJson } from "../../platform/database/storable-json";
import type { Database } from "../../platform/database/transaction";
import { yieldAfter } from "../../platform/yield-after";
import { SATURATED } from "../../platform/database/store-failure";
import { spendingDays } from "../../records/keys/spend-days-store";
import { storeSnapshots, missingSnapshots, type NewSnapshot } from "./catalogue-snapshots-store";
import type { Outcome } from "./outcome";
import { toRows } from "./record-rows";

/**
 * A generation waiting to be written. Serialized up front, so that its size is known and later changes don't affect it.
 */
interface Entry {
  generation: string;
  content: string | null;
  decisions: string[];
  settlements: readonly Settlement[];
  snapshots: readonly NewSnapshot[];
  now: Date;
}

const MOST_AT_ONCE = 200;
/** Maximum number of characters in one statement; a request of the maximum size is written alone. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

const records = batcherPerDatabase(
  (db) =>
    new Batcher<Entry, void>((entries) => write(db, entries), {
      items: MOST_AT_ONCE,
      weight: MOST_CHARACTERS,
      weigh: charactersOf,
    }),
);

/**
 * Records a generation and settles its reservations in one statement, after storing new catalogue snapshots; both are
 * durable when it resolves. Under load, generations are written in batches.
 */
export async function record(context: Context, outcome: Outcome): Promise<void> {
  const rows = toRows(context, outcome);
  const content = rows.content && storableJson(rows.content);
  await yieldAfter(content?.length ?? 0);
  await records(context.db).submit({
    generation: storableJson(rows.generation),
    content,
    decisions: rows.decisions.map(storableJson),
    settlements: outcome.settlements,
    snapshots: missingSnapshots(context.db, context.caller.organizationId, outcome.catalogue, context.now),
    now: context.now,
  });
}

/** Maximum number of finished requests waiting for their record. */
const MOST_WAITING = 2_000;

/**
 * Rejects new requests (529) while the write queue is full, so that the queue stays bounded and no record is dropped.
 */
export function refuseWhenSaturated(db: Database): void {
  if (records(db).waiting >= MOST_WAITING) throw SATURATED();
}

const charactersOf = ({ generation, content, decisions, snapshots }: Entry): number =>
  [...decisions, ...snapshots.map(({ json }) => json)].reduce(
    (sum, text) => sum + text.length,
    generation.length + (content?.length ?? 0),
  );

/**
 * Raw SQL: one statement is atomic without a transaction's round trips. Columns come from the table's row type; content
 * is stored only if the workspace logs it.
 */
async function write(db: Database, entries: readonly Entry[]): Promise<undefined[]> {
  await storeSnapshots(
    db,
    entries.flatMap(({ snapshots }) => snapshots),
  );
  const array = (rows: readonly string[]) => `[${rows.join(",")}]`;
  const settlements = entries.flatMap((entry) => entry.settlements);
  const now = entries.map((entry) => entry.now).reduce((a, b) => (a > b ? a : b));
  const store = (charges: readonly BudgetCharge[]) => db.$executeRaw`
    WITH recorded AS (
      INSERT INTO generations
      SELECT generation.* FROM jsonb_array_elements(${array(entries.map(({ generation }) => generation))}::jsonb) AS given
      LEFT JOIN workspaces ON workspaces.id = (given->>'workspace_id')::uuid
      CROSS JOIN LATERAL jsonb_populate_record(
        NULL::generations,
        given || jsonb_build_object(
          'content_stored', (given->>'content_stored')::boolean AND coalesce(workspaces.content_logging, false),
          'recorded_in', pg_current_xact_id()::text
        )
      ) AS generation
      RETURNING id, content_stored, key_id, created_at, is_byok, cost_micro_usd
    ), contents AS (
      INSERT INTO generation_contents
      SELECT given.* FROM jsonb_populate_recordset(NULL::generation_contents, ${array(entries.flatMap(({ content }) => content ?? []))}::jsonb) AS given
      JOIN recorded ON recorded.id = given.generation_id AND recorded.content_stored
    ), decided AS (
      INSERT INTO decisions
      SELECT * FROM jsonb_populate_recordset(NULL::decisions, ${array(entries.flatMap(({ decisions }) => decisions))}::jsonb)
    ), ${spendingDays(Prisma.sql`recorded`)}${charges.length > 0 ? Prisma.sql`, ${settlementCtes(charges, now)}` : Prisma.empty}
    SELECT 1`;
  await leasesOf(db).settle(settlements, now, store);
  scheduleAlertCheck(db, settlements, now);
  return entries.map(() => undefined);
}
