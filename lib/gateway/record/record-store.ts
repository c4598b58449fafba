import "server-only";
import { scheduleAlertCheck } from "../../records/budgets/alerts-service";
import type { Settlement } from "../../engine/budgets/budget-rule";
import { leasesOf } from "../../records/budgets/leases-service";
import { settlementCtes, settlementParameters } from "../../records/budgets/settlement-store";
import type { Context } from "../../platform/context";
import { Batcher, batcherPerDatabase } from "../../platform/database/batcher";
import {
  columnNames,
  countOf,
  formOf,
  lengthOf,
  parametersOf,
  rowsFrom,
  type Columns,
  type Form,
  type Row,
} from "../../platform/database/columns";
import { noteContent } from "../../platform/database/pending-lists";
import { runStatement, type Statement } from "../../platform/database/statement";
import type { Database } from "../../platform/database/transaction";
import { yieldAfter } from "../../platform/yield-after";
import { SATURATED } from "../../platform/database/store-failure";
import { SPEND_COLUMNS, spendCtes, spendRows, type Spend } from "../../records/keys/spend-days-store";
import { storeSnapshots, missingSnapshots, type NewSnapshot } from "./catalogue-snapshots-store";
import type { Outcome } from "./outcome";
import { placed } from "./placed-content-store";
import {
  CONTENT_COLUMNS,
  DECISION_COLUMNS,
  GENERATION_COLUMNS,
  ITEM_COLUMNS,
  toRows,
  type RecordRows,
} from "./record-rows";

/** A generation waiting to be written, as parameters, so that its size is known and later changes don't affect it. */
interface Entry extends RecordRows {
  settlements: readonly Settlement[];
  snapshots: readonly NewSnapshot[];
  now: Date;
}

const MOST_AT_ONCE = 200;
/** Maximum number of characters in one statement. A request of the maximum size is written alone. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Larger content is written in a separate statement, so that the rest doesn't wait for it. */
const LARGE_CHARACTERS = 256 * 1024;

const batcherOf = (db: Database) =>
  new Batcher<Entry, void>((entries) => write(db, entries), {
    items: MOST_AT_ONCE,
    weight: MOST_CHARACTERS,
    weigh: charactersOf,
  });
const records = { small: batcherPerDatabase(batcherOf), large: batcherPerDatabase(batcherOf) };

/**
 * Records a generation and settles its reservations in one statement, after storing new catalogue snapshots and the
 * object of its content. All are durable when it resolves. Under load, generations are written in batches.
 */
export async function record(context: Context, outcome: Outcome): Promise<void> {
  const rows = toRows(context, outcome);
  const characters = rows.content ? lengthOf(rows.content) : 0;
  await yieldAfter(characters);
  const content = rows.content && outcome.prompt && (await placed(context, outcome.id, outcome.prompt, rows.content));
  const batcher = records[characters > LARGE_CHARACTERS ? "large" : "small"](context.db);
  await batcher.submit({
    ...rows,
    content,
    settlements: outcome.settlements,
    snapshots: missingSnapshots(context.db, context.caller.organizationId, outcome.catalogue, context.now),
    now: context.now,
  });
}

/** Maximum number of finished requests that wait for their record. */
const MOST_WAITING = 2_000;

/**
 * Rejects new requests (529) while the write queue is full, so that the queue stays bounded and no record is dropped.
 */
export function refuseWhenSaturated(db: Database): void {
  if (records.small(db).waiting + records.large(db).waiting >= MOST_WAITING) throw SATURATED();
}

const charactersOf = ({ generation, content, decisions, items, snapshots }: Entry): number =>
  [generation, content ?? [], ...decisions, ...items].reduce((sum, row) => sum + lengthOf(row), 0) +
  snapshots.reduce((sum, { json }) => sum + json.length, 0);

/** Number of rows of each kind in a statement. */
interface Forms {
  generations: Form;
  contents: Form;
  decisions: Form;
  items: Form;
  spends: Form;
  charges: Form;
}

/** A batch uses one general statement. A single generation uses a statement without its empty parts. */
const MANY: Forms = {
  generations: "many",
  contents: "many",
  decisions: "many",
  items: "many",
  spends: "many",
  charges: "many",
};

const statements = new Map<string, Statement>();

function statementOf(forms: Forms): Statement {
  const name = `record_${Object.values(forms).join("_")}`;
  const known = statements.get(name);
  if (known) return known;
  const statement = { name, text: textOf(forms) };
  statements.set(name, statement);
  return statement;
}

/** The parameter with the generations' workspaces. */
const WORKSPACE = `$${Object.keys(GENERATION_COLUMNS).indexOf("workspace_id") + 1}`;

/**
 * Returns the statement that records and settles generations: one statement is atomic without the round trips of a
 * transaction. Content is stored only if the workspace logs it, and a workspace deleted in the meantime gets no record.
 * PostgreSQL runs the CTEs from last to first, so budgets and key days, which other statements wait for, are locked at
 * the end.
 */
function textOf({ generations, contents, decisions, items, spends, charges }: Forms): string {
  let next = 1;
  const given = (form: Form, columns: Columns): string => {
    const rows = rowsFrom(form, columns, next, "given");
    next += countOf(columns);
    return rows;
  };
  const ctes = [
    `places AS MATERIALIZED (
      SELECT id, content_logging FROM workspaces
      WHERE id = ${generations === "many" ? `ANY(${WORKSPACE}::uuid[])` : `${WORKSPACE}::uuid`} FOR KEY SHARE
    ), recorded AS (
      INSERT INTO generations (${columnNames(GENERATION_COLUMNS)})
      SELECT ${columnNames(GENERATION_COLUMNS, "given.").replace("given.content_stored", "given.content_stored AND places.content_logging")}
      FROM ${given(generations, GENERATION_COLUMNS)} JOIN places ON places.id = given.workspace_id
      RETURNING id, content_stored
    )`,
  ];
  if (contents !== "none")
    ctes.push(`contents AS (
      INSERT INTO generation_contents (${columnNames(CONTENT_COLUMNS)})
      SELECT given.* FROM ${given(contents, CONTENT_COLUMNS)}
      JOIN recorded ON recorded.id = given.generation_id AND recorded.content_stored
    )`);
  if (decisions !== "none")
    ctes.push(`decided AS (
      INSERT INTO decisions (${columnNames(DECISION_COLUMNS)})
      SELECT given.* FROM ${given(decisions, DECISION_COLUMNS)} JOIN recorded ON recorded.id = given.generation_id
    )`);
  if (items !== "none")
    ctes.push(`items AS (
      INSERT INTO response_items (${columnNames(ITEM_COLUMNS)})
      SELECT given.* FROM ${given(items, ITEM_COLUMNS)}
      JOIN recorded ON recorded.id = given.generation_id AND recorded.content_stored
    )`);
  if (spends !== "none") ctes.unshift(spendCtes(spends, given(spends, SPEND_COLUMNS)));
  if (charges !== "none") ctes.unshift(settlementCtes(charges, next));
  return `WITH ${ctes.join(", ")} SELECT`;
}

/** Groups the rows, settlements and snapshots of entries by kind. */
function gathered(entries: readonly Entry[]) {
  const snapshots: NewSnapshot[] = [];
  const settlements: Settlement[] = [];
  const generations: Row[] = [];
  const contents: Row[] = [];
  const decisions: Row[] = [];
  const items: Row[] = [];
  const spends: Spend[] = [];
  for (const entry of entries) {
    snapshots.push(...entry.snapshots);
    settlements.push(...entry.settlements);
    generations.push(entry.generation);
    if (entry.content) contents.push(entry.content);
    decisions.push(...entry.decisions);
    items.push(...entry.items);
    if (entry.spend) spends.push(entry.spend);
  }
  return { snapshots, settlements, generations, contents, decisions, items, spends: spendRows(spends) };
}

async function write(db: Database, entries: readonly Entry[]): Promise<undefined[]> {
  const { snapshots, settlements, generations, contents, decisions, items, spends } = gathered(entries);
  const now = entries.map((entry) => entry.now).reduce((a, b) => (a > b ? a : b));
  await storeSnapshots(db, snapshots);
  await leasesOf(db).settle(settlements, now, (charges) => {
    const own: Forms = {
      generations: "one",
      contents: formOf(contents),
      decisions: formOf(decisions),
      items: formOf(items),
      spends: formOf(spends),
      charges: formOf(charges),
    };
    const forms = entries.length > 1 ? MANY : own;
    return runStatement(db, statementOf(forms), [
      ...parametersOf(forms.generations, GENERATION_COLUMNS, generations),
      ...parametersOf(forms.contents, CONTENT_COLUMNS, contents),
      ...parametersOf(forms.decisions, DECISION_COLUMNS, decisions),
      ...parametersOf(forms.items, ITEM_COLUMNS, items),
      ...parametersOf(forms.spends, SPEND_COLUMNS, spends),
      ...settlementParameters(forms.charges, charges, now),
    ]);
  });
  noteContent(
    db,
    contents.reduce((sum, content) => sum + lengthOf(content), 0),
  );
  scheduleAlertCheck(db, settlements, now);
  return entries.map(() => undefined);
}
