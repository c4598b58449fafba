import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Query } from "./migrations";

/** Tables of the log, partitioned by month in the same way. They have no references between them, so that each can be emptied alone. */
export const LOG_TABLES = ["generations", "generation_contents", "decisions"] as const;
const TABLES = `ARRAY['${LOG_TABLES.join("','")}']`;

const DAY_MS = 24 * 60 * 60_000;
/** Time before a month begins at which its partition is created. */
const AHEAD_MS = 14 * DAY_MS;
/** Distance between a new boundary in a table in use and the rows that are being written. */
const DISTANCE_MS = 7 * DAY_MS;
/** Time limit for a lock, because all other statements wait behind a lock that waits for a long query. */
const LOCK_TIMEOUT = "100ms";
const [MOST_TRIES, PAUSE_MS] = [40, 200];
const LOCK_NOT_AVAILABLE = "55P03";

/** A partition of the log: rows from `start` (null: without a limit) to `end` (exclusive; null: without a limit). */
export interface Partition {
  /** Names by table: `generations_before`, `generations_2026_11`, `generations_after`. */
  suffix: string;
  start: Date | null;
  end: Date | null;
  /** Tables whose partition uses disk space. */
  filled: readonly string[];
}

const monthAfter = (time: Date, months = 1): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));
const suffixOf = (start: Date): string => start.toISOString().slice(0, 7).replace("-", "_");

/**
 * Returns the next boundary, in the last partition, or null if there are enough partitions.
 * @param last Start of the last partition; null if the table isn't partitioned.
 */
export function nextBoundary(last: Date | null, isEmpty: boolean, now: Date): Date | null {
  if (last && last.getTime() > now.getTime() + AHEAD_MS) return null;
  const following = last ? monthAfter(last) : monthAfter(now, 0);
  const distant = new Date(now.getTime() + DISTANCE_MS);
  return isEmpty || following > distant ? following : monthAfter(distant);
}

/** Returns the partitions in order of time; none if the tables aren't partitioned. */
export async function partitionsOf(query: Query): Promise<Partition[]> {
  const bound = (end: string) =>
    `extract(epoch FROM (regexp_match(pg_get_expr(relpartbound, pg_class.oid), '${end} \\(''([^'']+)''\\)'))[1]::timestamptz)::float8 * 1000`;
  const { rows } = await query(`
    SELECT substr(relname, length('generations_') + 1) AS suffix, ${bound("FROM")} AS start, ${bound("TO")} AS end, ARRAY(
      SELECT name FROM unnest(${TABLES}) AS name
      WHERE pg_relation_size(to_regclass(name || substr(relname, length('generations') + 1))) > 0
    ) AS filled
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'generations'::regclass ORDER BY start NULLS FIRST`);
  const time = (ms: unknown) => (ms === null ? null : new Date(Number(ms)));
  return rows.map(({ suffix, start, end, filled }) => ({
    suffix: String(suffix),
    start: time(start),
    end: time(end),
    filled: filled as string[],
  }));
}

/**
 * Creates partitions up to the next month. Any number of processes may run it at any time, beside writers; after an interruption, it
 * continues. Tables that aren't partitioned become the first partition; their rows are read once, to prove that they are before the
 * boundary.
 */
export async function keepPartitions(query: Query, now: Date): Promise<void> {
  for (;;) {
    const last = (await partitionsOf(query)).at(-1)?.start ?? null;
    const tails = LOG_TABLES.map((table) => (last ? `${table}_after` : table));
    const { rows } = await query(`SELECT ${tails.map((tail) => `EXISTS (SELECT FROM ${tail})`).join(" OR ")} AS found`);
    const hasRows = rows[0]?.["found"] === true;
    const boundary = nextBoundary(last, !hasRows, now);
    if (!boundary) break;
    if (hasRows) for (const tail of tails) await prove(query, tail, last, boundary);
    await patiently(query, split(last, boundary));
    if (hasRows) await query(`ANALYZE ${LOG_TABLES.join(", ")}`);
  }
  await query(ANALYZE_RARELY);
}

/**
 * Growth of a partition after which autovacuum analyses it again: 0.2 is 20 %. An analysis reads 30,000 rows and takes about a second
 * (docs/decisions/0054-partitions-by-month.md).
 */
const GROWTH: Readonly<Record<(typeof LOG_TABLES)[number], number>> = {
  generations: 0.2,
  generation_contents: 0.5,
  decisions: 0.2,
};
/** Columns without statistics, because no condition reads them. */
const JSON_OF_GENERATIONS = ["attempts", "policy_facts"].map((name) => `, ALTER ${name} SET STATISTICS 0`).join("");

/** SQL that sets both for partitions that don't have them yet. Skips locked partitions; the next run sets them. */
const ANALYZE_RARELY = `DO $block$ DECLARE item record; BEGIN
  PERFORM set_config('lock_timeout', '${LOCK_TIMEOUT}', true);
  FOR item IN
    SELECT inhrelid::regclass AS partition, inhparent = 'generations'::regclass AS has_json, growth
    FROM (VALUES ${LOG_TABLES.map((table) => `('${table}'::regclass, ${GROWTH[table]})`).join(", ")}) AS given(parent, growth)
    JOIN pg_inherits ON inhparent = parent JOIN pg_class ON pg_class.oid = inhrelid
    WHERE NOT EXISTS (SELECT FROM unnest(reloptions) AS option WHERE option LIKE 'autovacuum_analyze_scale_factor=%')
  LOOP
    BEGIN
      EXECUTE format('ALTER TABLE %s SET (autovacuum_analyze_scale_factor = %s)%s', item.partition, item.growth, CASE WHEN item.has_json THEN '${JSON_OF_GENERATIONS}' ELSE '' END);
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
  END LOOP;
END $block$`;

/** Partitions the tables of a new install before its first write. */
export async function partitionNewInstall(query: Query): Promise<void> {
  const { rows } = await query(`
    SELECT now() FROM pg_class
    WHERE oid = 'generations'::regclass AND relkind = 'r' AND NOT EXISTS (SELECT FROM organizations)`);
  if (rows[0]) await keepPartitions(query, rows[0]["now"] as Date);
}

/** Runs statements in one transaction that gives way to long queries, and retries it. */
async function patiently(query: Query, statements: string): Promise<void> {
  const block = `DO $block$ DECLARE ${VARIABLES} BEGIN PERFORM set_config('lock_timeout', '${LOCK_TIMEOUT}', true); ${statements} END $block$`;
  for (let tries = 1; ; tries += 1) {
    try {
      await query(block);
      return;
    } catch (error) {
      if (tries === MOST_TRIES || (error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

const VARIABLES = "log_table text; tail text; place text; item text; definitions text[];";
/** Constraints that prove that a table's rows are within a partition, so that attaching it doesn't read them. */
const PROOF = "^within_";
const at = (time: Date | null, otherwise: string) => (time ? `''${time.toISOString()}''` : otherwise);

/** Adds the constraint to a table, in place of one for another boundary, and validates it beside readers and writers. */
async function prove(query: Query, tail: string, start: Date | null, end: Date): Promise<void> {
  const name = `within_${suffixOf(end)}`;
  const condition = `${start ? `created_at >= '${start.toISOString()}' AND ` : ""}created_at < '${end.toISOString()}'`;
  const proof = `SELECT conname FROM pg_constraint WHERE conrelid = '${tail}'::regclass AND conname`;
  await patiently(
    query,
    `LOCK TABLE ${tail} IN ACCESS EXCLUSIVE MODE;
    IF ${isLast(start)} THEN
      FOR item IN ${proof} ~ '${PROOF}' AND conname <> '${name}' LOOP
        EXECUTE format('ALTER TABLE ${tail} DROP CONSTRAINT %I', item);
      END LOOP;
      IF NOT EXISTS (${proof} = '${name}') THEN
        ALTER TABLE ${tail} ADD CONSTRAINT ${name} CHECK (${condition}) NOT VALID;
      END IF;
    END IF;`,
  );
  await patiently(
    query,
    `IF EXISTS (${proof} = '${name}' AND NOT convalidated) THEN ALTER TABLE ${tail} VALIDATE CONSTRAINT ${name}; END IF;`,
  );
}

/** SQL that is true if the last partition still begins at a time (null: the tables aren't partitioned). Another process may have added one. */
const isLast = (start: Date | null): string =>
  start
    ? `pg_get_expr((SELECT relpartbound FROM pg_class WHERE oid = 'generations_after'::regclass), 'generations_after'::regclass)
        LIKE format('%%FROM (''%s'')%%', '${start.toISOString()}'::timestamptz)`
    : "(SELECT relkind = 'r' FROM pg_class WHERE oid = 'generations'::regclass)";

/** SQL that ends the last partition at a boundary and creates the next one, unless another process has done so. */
const split = (last: Date | null, boundary: Date): string => `
  LOCK TABLE ${LOG_TABLES.join(", ")} IN ACCESS EXCLUSIVE MODE;
  IF ${isLast(last)} THEN
    FOREACH log_table IN ARRAY ${TABLES} LOOP
      place := log_table || '_${last ? suffixOf(last) : "before"}';
      ${last ? DETACH : REPLACE}
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (${at(last, "MINVALUE")}) TO (${at(boundary, "")})', log_table, place);
      FOR item IN SELECT conname FROM pg_constraint WHERE conrelid = place::regclass AND conname ~ '${PROOF}' LOOP
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', place, item);
      END LOOP;
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (${at(boundary, "")}) TO (MAXVALUE)', log_table || '_after', log_table);
    END LOOP;
  END IF;`;

const RENAME_INDEXES = `
      FOR item IN SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = tail::regclass LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', item, left(regexp_replace(item, '^' || tail, place), 63));
      END LOOP;`;

/** Detaches the last partition. */
const DETACH = `
      tail := log_table || '_after';
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', log_table, tail);
      ${RENAME_INDEXES}
      EXECUTE format('ALTER TABLE %I RENAME TO %I', tail, place);`;

/** Replaces a table by a partitioned one with the same columns, constraints, indexes, triggers and rights. */
const REPLACE = `
      tail := log_table;
      definitions := ARRAY(
        SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', log_table, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE conrelid = log_table::regclass AND contype IN ('p', 'c', 'f') AND conname !~ '${PROOF}'
      ) || ARRAY(
        SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = log_table::regclass AND NOT indisprimary
      ) || ARRAY(
        SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = log_table::regclass AND NOT tgisinternal
      ) || ARRAY(
        SELECT format('GRANT %s ON %I TO %s', privilege_type, log_table, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)
        FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = log_table::regclass AND grantee <> relowner
      );
      ${RENAME_INDEXES}
      FOR item IN SELECT tgname FROM pg_trigger WHERE tgrelid = tail::regclass AND NOT tgisinternal LOOP
        EXECUTE format('DROP TRIGGER %I ON %I', item, tail);
      END LOOP;
      EXECUTE format('ALTER TABLE %I RENAME TO %I', log_table, place);
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE (created_at)', log_table, place);
      FOREACH item IN ARRAY definitions LOOP EXECUTE item; END LOOP;`;

/**
 * Empties a table's partition, unless the condition is true. The time doesn't depend on the number of rows, except for contents in a
 * bucket: their objects are noted for removal here, because no trigger does so. Readers of the partition wait only for the last step,
 * and readers of its parent don't wait.
 */
export const emptyPartition = (query: Query, partition: string, unless: string): Promise<void> =>
  patiently(
    query,
    `LOCK TABLE ${partition} IN SHARE ROW EXCLUSIVE MODE;
    IF NOT (${unless}) THEN
      ${partition.startsWith("generation_contents_") ? noteObjects(partition) : ""}
      LOCK TABLE ${partition} IN ACCESS EXCLUSIVE MODE;
      TRUNCATE ${partition};
    END IF;`,
  );

/** Objects are encrypted with keys that are never deleted. Without a key there are no objects, and the rows aren't read. */
const noteObjects = (partition: string): string => `
  IF EXISTS (SELECT FROM content_keys) THEN
    INSERT INTO content_removals (storage_key, created_at, generation_id)
    SELECT storage_key, created_at, generation_id FROM ${partition} WHERE storage_key IS NOT NULL ON CONFLICT DO NOTHING;
  END IF;`;

const createPartition = (suffix: string, from: string, to: Date): string =>
  LOG_TABLES.map(
    (table) =>
      `CREATE TABLE ${table}_${suffix} PARTITION OF ${table} FOR VALUES FROM (${from}) TO ('${to.toISOString()}');`,
  ).join(" ");

/** SQL that merges the first partitions of the log if they use no disk space. */
function replaceEmpty(replaced: readonly Partition[], replacement: string): string {
  const names = replaced.flatMap(({ suffix }) => LOG_TABLES.map((table) => `${table}_${suffix}`));
  const isEmpty = names.map((name) => `coalesce(pg_relation_size(to_regclass('${name}')), 1) = 0`).join(" AND ");
  return `LOCK TABLE ${LOG_TABLES.join(", ")} IN ACCESS EXCLUSIVE MODE;
    IF ${isEmpty} THEN DROP TABLE ${names.join(", ")}; ${replacement} END IF;`;
}

/** Drops the empty partitions at the beginning of the log, except one. */
export async function dropEmptyPartitions(query: Query, now: Date): Promise<void> {
  const partitions = await partitionsOf(query);
  const kept = partitions.findIndex(({ end, filled }) => !end || end > now || filled.length > 0);
  const empty = partitions.slice(0, kept);
  const end = empty.at(-1)?.end;
  if (end && empty.length > 1) await patiently(query, replaceEmpty(empty, createPartition("before", "MINVALUE", end)));
}

/** Creates the months of a log that will be filled with older rows. */
export async function partitionPast(query: Query, since: Date): Promise<void> {
  const [before] = await partitionsOf(query);
  if (!before?.end || before.filled.length > 0) return;
  let replacement = "";
  let start = monthAfter(since, 0);
  if (start < before.end) replacement = createPartition("before", "MINVALUE", start);
  for (; start < before.end; start = monthAfter(start))
    replacement += createPartition(suffixOf(start), `'${start.toISOString()}'`, monthAfter(start));
  if (replacement !== "") await patiently(query, replaceEmpty([before], replacement));
}
