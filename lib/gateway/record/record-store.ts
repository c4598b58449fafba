import "server-only";
import { scheduleAlertCheck } from "../../records/budgets/alerts-service";
import type { Settlement } from "../../engine/budgets/budget-rule";
import { leasesOf } from "../../records/budgets/leases-service";
import { settlementCtes, settlementParameters } from "../../records/budgets/settlement-store";
import type { Context } from "../../platform/context";
import { Batcher, batcherPerDatabase } from "../../platform/database/batcher";
import { columnNames, countOf, lengthOf, rowsFrom, toArrays } from "../../platform/database/columns";
import { runStatement, type Statement } from "../../platform/database/statement";
import type { Database } from "../../platform/database/transaction";
import { yieldAfter } from "../../platform/yield-after";
import { SATURATED } from "../../platform/database/store-failure";
import { SPEND_COLUMNS, spendCte, spendRows } from "../../records/keys/spend-days-store";
import { storeSnapshots, missingSnapshots, type NewSnapshot } from "./catalogue-snapshots-store";
import type { Outcome } from "./outcome";
import { placed } from "./placed-content-store";
import { CONTENT_COLUMNS, DECISION_COLUMNS, GENERATION_COLUMNS, toRows, type RecordRows } from "./record-rows";

/** A generation waiting to be written, as parameters: its size is known, and later changes don't affect it. */
interface Entry extends RecordRows {
  settlements: readonly Settlement[];
  snapshots: readonly NewSnapshot[];
  now: Date;
}

const MOST_AT_ONCE = 200;
/** Maximum number of characters in one statement; a request of the maximum size is written alone. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Adds little to a request that has waited for an upstream; a write of few takes the database several times as long for each. */
const LONGEST_GATHERING_MS = 5;

const records = batcherPerDatabase(
  (db) =>
    new Batcher<Entry, void>((entries) => write(db, entries), {
      items: MOST_AT_ONCE,
      weight: MOST_CHARACTERS,
      weigh: charactersOf,
      atOnce: 2,
      gatherMs: LONGEST_GATHERING_MS,
    }),
);

/**
 * Records a generation and settles its reservations in one statement, after storing new catalogue snapshots and the object of
 * its content; all are durable when it resolves. Under load, generations are written in batches.
 */
export async function record(context: Context, outcome: Outcome): Promise<void> {
  const rows = toRows(context, outcome);
  await yieldAfter(rows.content ? lengthOf(rows.content) : 0);
  const content = rows.content && outcome.prompt && (await placed(context, outcome.id, outcome.prompt, rows.content));
  await records(context.db).submit({
    ...rows,
    content,
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
  [generation, content ?? [], ...decisions].reduce((sum, row) => sum + lengthOf(row), 0) +
  snapshots.reduce((sum, { json }) => sum + json.length, 0);

const FIRST_OF_CONTENTS = 1 + countOf(GENERATION_COLUMNS);
const FIRST_OF_DECISIONS = FIRST_OF_CONTENTS + countOf(CONTENT_COLUMNS);
const FIRST_OF_SPEND = FIRST_OF_DECISIONS + countOf(DECISION_COLUMNS);
const FIRST_OF_SETTLEMENTS = FIRST_OF_SPEND + countOf(SPEND_COLUMNS);

/**
 * Records generations and settles them: one statement is atomic without a transaction's round trips. Content is stored
 * only if the workspace logs it. PostgreSQL runs the CTEs from the last to the first, so budgets and days of keys, which
 * other statements wait for, are locked at the end.
 */
const RECORD: Statement = {
  name: "record",
  text: `
  WITH ${settlementCtes(FIRST_OF_SETTLEMENTS)}, ${spendCte(FIRST_OF_SPEND)}, recorded AS (
    INSERT INTO generations (${columnNames(GENERATION_COLUMNS)})
    SELECT ${columnNames(GENERATION_COLUMNS, "given.").replace("given.content_stored", "given.content_stored AND coalesce(workspaces.content_logging, false)")}
    FROM ${rowsFrom(GENERATION_COLUMNS, 1, "given")} LEFT JOIN workspaces ON workspaces.id = given.workspace_id
    RETURNING id, content_stored
  ), contents AS (
    INSERT INTO generation_contents (${columnNames(CONTENT_COLUMNS)})
    SELECT given.* FROM ${rowsFrom(CONTENT_COLUMNS, FIRST_OF_CONTENTS, "given")}
    JOIN recorded ON recorded.id = given.generation_id AND recorded.content_stored
  ), decided AS (
    INSERT INTO decisions (${columnNames(DECISION_COLUMNS)})
    SELECT * FROM ${rowsFrom(DECISION_COLUMNS, FIRST_OF_DECISIONS, "given")}
  )
  SELECT`,
};

async function write(db: Database, entries: readonly Entry[]): Promise<undefined[]> {
  await storeSnapshots(
    db,
    entries.flatMap(({ snapshots }) => snapshots),
  );
  const settlements = entries.flatMap((entry) => entry.settlements);
  const now = entries.map((entry) => entry.now).reduce((a, b) => (a > b ? a : b));
  const parameters = [
    ...toArrays(
      GENERATION_COLUMNS,
      entries.map(({ generation }) => generation),
    ),
    ...toArrays(
      CONTENT_COLUMNS,
      entries.flatMap(({ content }) => (content ? [content] : [])),
    ),
    ...toArrays(
      DECISION_COLUMNS,
      entries.flatMap(({ decisions }) => decisions),
    ),
    ...toArrays(SPEND_COLUMNS, spendRows(entries.flatMap(({ spend }) => spend ?? []))),
  ];
  await leasesOf(db).settle(settlements, now, (charges) =>
    runStatement(db, RECORD, [...parameters, ...settlementParameters(charges, now)]),
  );
  scheduleAlertCheck(db, settlements, now);
  return entries.map(() => undefined);
}
