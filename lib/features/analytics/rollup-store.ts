import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import {
  BILLING_NAMES,
  binOf,
  BLOCKS,
  EACH_GUARDRAIL,
  MEASURE_NAMES,
  measuresOfRows,
  NO_ID,
  summed,
} from "./measure-columns";
import type { Grain, Span } from "./spans-policy";
import { BUSY, OF_BUSY, type Subject } from "./subjects-store";
import { KEY_OF_ROW, MEMBER_OF_ROW, PLACED, STORED_PLACEMENTS } from "./tag-sets-store";

const { sql, raw, join } = Prisma;

/** A table of rollups: what identifies a row, what is added up, and the rows of a batch of generations by hour and day. */
interface Rollup {
  table: string;
  key: readonly string[];
  sums: readonly string[];
  /** Columns that every row with the same key has alike. */
  others: readonly string[];
  /** Each is a partition. */
  grains: readonly Grain[];
  /** Selects `key`, `sums` and `others` of the generations in a batch (`OF_BATCH`), for each of some grains (`inGrains`). */
  rows: (grains: string) => string;
  /** The rows of days that weeks have, and the columns that weeks have empty; all rows and columns if not given. */
  weeks?: { of: string; without: readonly string[] };
  /** True if `sums` are the bins and the counts of a histogram instead of numbers. */
  isHistogram?: boolean;
}

/** SQL for the sums of the rows of a query with the same key. */
const sumsOf = ({ sums, isHistogram }: Rollup, key: readonly string[], rows: string): string =>
  isHistogram
    ? `SELECT ${key.join(", ")}, ${HISTOGRAM} FROM (
        SELECT ${key.join(", ")}, bin, sum(count)::bigint AS count FROM (${rows}) histograms CROSS JOIN LATERAL unnest(bins, counts) AS counted(bin, count)
        GROUP BY ${key.join(", ")}, bin
      ) counted GROUP BY ${key.join(", ")}`
    : `SELECT ${key.join(", ")}, ${summed(sums)} FROM (${rows}) numbers GROUP BY ${key.join(", ")}`;

/** The histogram of rows with a bin and a count. */
const HISTOGRAM = "array_agg(bin ORDER BY bin) AS bins, array_agg(count ORDER BY bin) AS counts";

const ALL_MEASURES = [...MEASURE_NAMES, ...BILLING_NAMES];
const USAGE_SUMS = [...ALL_MEASURES, BLOCKS];

const DIMENSIONS = "organization_id, workspace_id, key_id, user_id, status, api_type, model, provider_slug, preset_id";

/** Selects a generation `g` with its measures. */
const GENERATION = `g.created_at, g.id, g.organization_id, g.workspace_id, g.key_id, g.user_id, g.status, g.api_type, g.model,
    coalesce(g.provider_slug, '') AS provider_slug, g.preset_id, g.latency_ms, g.generation_time_ms, g.recorded_in, ${measuresOfRows(ALL_MEASURES)}`;

const startOf = (grain: string) => `date_trunc(${grain}, g.created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
const AT = startOf("grain::text");

/**
 * The sums of a batch of generations by hour and everything that rollups tell apart, and the same counts of their latencies: rollups
 * add up these few rows instead of generations.
 */
const COUNTED = `counted AS MATERIALIZED (
    SELECT ${startOf("'hour'")} AS created_at, ${DIMENSIONS}, ${summed(ALL_MEASURES)} FROM batch g GROUP BY 1, ${DIMENSIONS}
  ), timed AS MATERIALIZED (
    SELECT ${startOf("'hour'")} AS created_at, ${DIMENSIONS}, latency.measure, latency.bin, count(*) AS count FROM batch g
      CROSS JOIN LATERAL (
        VALUES ('time_to_first_token'::latency_measure, g.latency_ms, ${binOf("g.latency_ms")}), ('duration', g.generation_time_ms, ${binOf("g.generation_time_ms")})
      ) AS latency(measure, ms, bin)
    WHERE latency.ms IS NOT NULL GROUP BY 1, ${DIMENSIONS}, latency.measure, latency.bin
  )`;

/** Their decisions, found one generation after the other; `is_first` for one decision of each guardrail, with `blocks` for whether it blocked. */
const DECIDED = `decided AS MATERIALIZED (
    SELECT batch.*, d.* FROM batch CROSS JOIN LATERAL (
      SELECT scope, guardrail_id, guardrail_name, field, rule, action,
        guardrail_id IS NOT NULL AND row_number() OVER (PARTITION BY guardrail_id ORDER BY position) = 1 AS is_first,
        (batch.status = 'blocked' AND (bool_or(action = 'block') OVER of_guardrail
          OR bool_or(action = 'exclude') OVER of_guardrail AND NOT bool_or(action = 'block') OVER ()))::int AS ${BLOCKS}
      FROM decisions WHERE created_at = batch.created_at AND generation_id = batch.id
      WINDOW of_guardrail AS (PARTITION BY guardrail_id)
    ) d
  )`;

/** What the rollups read of a \`batch\`. */
const OF_BATCH = raw(`${COUNTED}, ${DECIDED}`);

/** The keys in whose generations a guardrail made a decision: the log looks for a guardrail and a tag or member by them. */
const GUARDRAIL_KEYS = `guardrail_keys_of_batch AS (
    INSERT INTO guardrail_keys (organization_id, guardrail_id, key_id)
    SELECT DISTINCT organization_id, guardrail_id, ${KEY_OF_ROW} FROM decided g WHERE is_first ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING
  )`;

/** Joins each row with some grains. */
const inGrains = (grains: readonly Grain[]) =>
  `CROSS JOIN (VALUES ${grains.map((grain) => `('${grain}'::rollup_grain)`).join(", ")}) AS grains(grain)`;
/**
 * Sums of all generations by hour and day, and those of decisions by day and week: once for each guardrail, and once more for any other of
 * `values`, which has hours too.
 */
const perGuardrail = (grains: string, values = "(decided.guardrail_id)") => `
          SELECT created_at, ${DIMENSIONS}, ${ALL_MEASURES.join(", ")}, '${NO_ID}'::uuid AS guardrail_id, 0 AS ${BLOCKS}, grain
          FROM counted ${grains} WHERE grain <> 'week'
          UNION ALL SELECT created_at, ${DIMENSIONS}, ${ALL_MEASURES.join(", ")}, each.guardrail_id, ${BLOCKS}, grain
          FROM decided ${grains} CROSS JOIN LATERAL (VALUES ${values}) AS each(guardrail_id)
          WHERE is_first AND (grain <> 'hour' OR each.guardrail_id = '${EACH_GUARDRAIL}')`;

/** Models and providers of rows, but for those in which all of them are together. */
const MODELS = ["model", "provider_slug"] as const;
const modelsUnless = (areTogether: string) =>
  MODELS.map((name) => `CASE WHEN ${areTogether} THEN '' ELSE g.${name} END AS ${name}`).join(", ");

/** Days are kept everywhere, hours where many generations share a row, weeks where a range without buckets has many rows of days. */
export const ROLLUPS: readonly Rollup[] = [
  {
    table: "usage_rollups",
    key: ["organization_id", "grain", "guardrail_id", "at", "workspace_id", "model", "provider_slug", "status"],
    sums: USAGE_SUMS,
    others: [],
    grains: ["hour", "day", "week"],
    weeks: { of: `guardrail_id <> '${NO_ID}'`, without: MODELS },
    rows: (grains) => `
      SELECT g.organization_id, grain, g.guardrail_id, ${AT} AS at, g.workspace_id, ${modelsUnless(`grain = 'week' OR grain = 'hour' AND g.guardrail_id <> '${NO_ID}'`)}, g.status, ${summed(USAGE_SUMS)}
      FROM (${perGuardrail(grains, `(decided.guardrail_id), ('${EACH_GUARDRAIL}')`)}) g
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
  },
  {
    table: "preset_rollups",
    key: [
      "organization_id",
      "grain",
      "at",
      "workspace_id",
      "model",
      "provider_slug",
      "status",
      "api_type",
      "preset_id",
    ],
    sums: MEASURE_NAMES,
    others: [],
    grains: ["hour", "day", "week"],
    rows: (grains) => `
      SELECT g.organization_id, grain, ${AT} AS at, g.workspace_id, ${modelsUnless("grain = 'hour'")}, g.status, g.api_type,
        coalesce(g.preset_id, '${NO_ID}') AS preset_id, ${summed(MEASURE_NAMES)}
      FROM counted g ${grains} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  },
  {
    table: "member_rollups",
    key: ["organization_id", "grain", "at", "workspace_id", "user_id", "status"],
    sums: MEASURE_NAMES,
    others: [],
    grains: ["day", "week"],
    rows: (grains) => `
      SELECT g.organization_id, grain, ${AT} AS at, g.workspace_id, ${MEMBER_OF_ROW} AS user_id, g.status, ${summed(MEASURE_NAMES)}
      FROM counted g ${grains} GROUP BY 1, 2, 3, 4, 5, 6`,
  },
  {
    table: "key_rollups",
    key: ["organization_id", "grain", "at", "workspace_id", "key_id", "user_id", "status"],
    sums: MEASURE_NAMES,
    others: [],
    grains: ["day", "week"],
    rows: (grains) => `
      SELECT g.organization_id, grain, ${AT} AS at, g.workspace_id, ${KEY_OF_ROW} AS key_id, ${MEMBER_OF_ROW} AS user_id, g.status, ${summed(MEASURE_NAMES)}
      FROM counted g ${grains} GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  },
  {
    table: "tag_rollups",
    key: ["organization_id", "grain", "at", "workspace_id", "tag_set_id", "status"],
    sums: MEASURE_NAMES,
    others: [],
    grains: ["day", "week"],
    rows: (grains) => `
      SELECT g.organization_id, grain, ${AT} AS at, g.workspace_id, placed.tag_set_id, g.status, ${summed(MEASURE_NAMES)}
      FROM counted g JOIN placed ON placed.key_id = ${KEY_OF_ROW} AND placed.user_id = ${MEMBER_OF_ROW} ${grains}
      GROUP BY 1, 2, 3, 4, 5, 6`,
  },
  {
    table: "latency_rollups",
    key: ["organization_id", "grain", "measure", "model", "at", "provider_slug", "workspace_id", "status"],
    sums: ["bins", "counts"],
    others: [],
    grains: ["hour", "day", "week"],
    isHistogram: true,
    rows: (grains) => `
      SELECT organization_id, grain, measure, model, at, provider_slug, workspace_id, status, ${HISTOGRAM}
      FROM (
        SELECT g.organization_id, grain, g.measure, shown.model, ${AT} AS at, shown.provider_slug, g.workspace_id, g.status, g.bin, sum(g.count)::bigint AS count
        FROM timed g ${grains} CROSS JOIN LATERAL (VALUES ('', ''), (g.model, g.provider_slug)) AS shown(model, provider_slug)
        WHERE grain <> 'hour' OR shown.model = '' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
      ) bins GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
  },
  {
    table: "rule_rollups",
    key: ["organization_id", "grain", "at", "workspace_id", "user_id", "guardrail_id", "field", "rule_hash", "action"],
    sums: ["requests"],
    others: ["rule", "guardrail_name"],
    grains: ["day", "week"],
    rows: (grains) => `
      SELECT g.organization_id, grain, ${AT} AS at, g.workspace_id, coalesce(g.user_id, '') AS user_id, coalesce(g.guardrail_id, '${NO_ID}') AS guardrail_id,
        g.field, coalesce(md5(g.rule), '') AS rule_hash, g.action, count(DISTINCT g.id) AS requests, max(g.rule) AS rule, max(g.guardrail_name) AS guardrail_name
      FROM decided g ${grains}
      WHERE g.scope <> 'request' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  },
  {
    table: "subject_rollups",
    key: [
      "organization_id",
      "grain",
      "subject_id",
      "guardrail_id",
      "at",
      "workspace_id",
      "model",
      "provider_slug",
      "status",
      "api_type",
      "preset_id",
    ],
    sums: USAGE_SUMS,
    others: [],
    grains: ["day"],
    rows: (grains) => `
      SELECT g.organization_id, grain, busy.subject_id, g.guardrail_id, ${AT} AS at, g.workspace_id, g.model, g.provider_slug, g.status, g.api_type,
        coalesce(g.preset_id, '${NO_ID}') AS preset_id, ${summed(USAGE_SUMS)}
      FROM (${perGuardrail(grains)}) g ${OF_BUSY} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`,
  },
  {
    table: "subject_latency_rollups",
    key: ["organization_id", "grain", "subject_id", "measure", "at", "workspace_id", "status"],
    sums: ["bins", "counts"],
    others: [],
    grains: ["day", "week"],
    isHistogram: true,
    rows: (grains) => `
      SELECT organization_id, grain, subject_id, measure, at, workspace_id, status, ${HISTOGRAM}
      FROM (
        SELECT g.organization_id, grain, busy.subject_id, g.measure, ${AT} AS at, g.workspace_id, g.status, g.bin, sum(g.count)::bigint AS count
        FROM timed g ${OF_BUSY} ${grains} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
      ) bins GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  },
];
const OF_SUBJECTS = ROLLUPS.filter(({ table }) => table.startsWith("subject_"));

/** Position by order of recording. */
export interface Progress {
  recorded_in: bigint;
  generation_id: string;
}

const added = (rollup: Rollup) => {
  const { table, key, sums, others, grains, rows, isHistogram } = rollup;
  const columns = [...key, ...sums, ...others].join(", ");
  const both = `SELECT true AS is_same, ${table}.bins, ${table}.counts UNION ALL SELECT true, excluded.bins, excluded.counts`;
  const updates = [
    ...(isHistogram
      ? [`(bins, counts) = (SELECT bins, counts FROM (${sumsOf(rollup, ["is_same"], both)}) merged)`]
      : sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`)),
    // A guardrail's name may change; the greater one is the same in whichever order batches are added.
    ...others.map((name) => `${name} = greatest(${table}.${name}, excluded.${name})`),
  ].join(", ");
  return raw(
    `added_to_${table} AS (INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (${rows(inGrains(grains))} ORDER BY ${key.map((_, index) => index + 1).join(", ")}) new
     ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${updates})`,
  );
};

/** Generations after a position by order of recording. Those of transactions that may still be open are left: an earlier one may follow them. */
const recordedAfter = (organizationId: string, { recorded_in, generation_id }: Progress) => sql`
    FROM generations g WHERE organization_id = ${organizationId}::uuid AND (recorded_in, id) > (${recorded_in}::bigint, ${generation_id})
      AND recorded_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** The position of the last of the next generations. */
export const endOfBatch = (organizationId: string, after: Progress, limit: number): Prisma.Sql => sql`
  SELECT recorded_in, generation_id FROM (
    SELECT recorded_in, id AS generation_id ${recordedAfter(organizationId, after)} ORDER BY recorded_in, id LIMIT ${limit}
  ) batch ORDER BY recorded_in DESC, generation_id DESC LIMIT 1`;

/** Adds the next generations up to a position, and moves the progress there, in one statement. The order makes the planner use its index. */
export const advance = (organizationId: string, after: Progress, last: Progress, limit: number): Prisma.Sql => sql`
  WITH batch AS MATERIALIZED (
    SELECT ${raw(GENERATION)} ${recordedAfter(organizationId, after)} AND (recorded_in, id) <= (${last.recorded_in}::bigint, ${last.generation_id})
    ORDER BY recorded_in, id LIMIT ${limit}
  ), ${OF_BATCH}, ${raw(PLACED)}, ${raw(STORED_PLACEMENTS)}, ${raw(GUARDRAIL_KEYS)}, ${raw(BUSY)}, ${join(ROLLUPS.map(added))}, moved AS (
    UPDATE rollup_progress SET recorded_in = ${last.recorded_in}, generation_id = ${last.generation_id},
      subjects_up_to = CASE WHEN subjects_up_to = generation_id THEN ${last.generation_id} ELSE subjects_up_to END
    WHERE organization_id = ${organizationId}::uuid
  )
  SELECT count(*)::int AS added FROM batch`;

/** Adds the generations of a busy key or member that were created within a time, of those that the other sums have. */
export const addOfSubject = (
  organizationId: string,
  { recorded_in, generation_id }: Progress,
  { subject_id, is_member }: Subject,
  { from, to }: Span,
): Prisma.Sql => sql`
  WITH batch AS MATERIALIZED (
    SELECT ${raw(GENERATION)} FROM generations g
    WHERE organization_id = ${organizationId}::uuid AND ${is_member ? sql`user_id = ${subject_id}` : sql`key_id = ${subject_id}::uuid`}
      AND created_at >= ${from} AND created_at < ${to} AND (recorded_in, id) <= (${recorded_in}::bigint, ${generation_id})
  ), ${OF_BATCH}, busy AS (
    SELECT ${subject_id}::text AS subject_id, '-infinity'::timestamptz AS since
  ), ${join(OF_SUBJECTS.map(added))}
  SELECT count(*)::int AS added FROM batch`;

/** Counts rows by hour and day that differ from the sums of all generations up to the progress, on a day. */
export const differences = (
  organizationId: string,
  { recorded_in, generation_id }: Progress,
  { from, to }: Span,
): Prisma.Sql => sql`
  WITH batch AS MATERIALIZED (
    SELECT ${raw(GENERATION)} FROM generations g
    WHERE organization_id = ${organizationId}::uuid AND (recorded_in, id) <= (${recorded_in}::bigint, ${generation_id}) AND created_at >= ${from} AND created_at < ${to}
  ), ${OF_BATCH}, ${raw(PLACED)}, ${raw(BUSY)}, ${join(
    ROLLUPS.flatMap(({ table, key, sums, grains, rows }) => {
      const compared = inGrains(grains.filter((grain) => grain !== "week"));
      const columns = raw([...key, ...sums].join(", "));
      const name = raw(table);
      return [
        sql`expected_${name} AS (SELECT ${columns} FROM (${raw(rows(compared))}) computed)`,
        sql`stored_${name} AS (SELECT ${columns} FROM ${name} WHERE organization_id = ${organizationId}::uuid AND grain <> 'week' AND at >= ${from} AND at < ${to})`,
      ];
    }),
  )}
  ${join(
    ROLLUPS.map(({ table }) => {
      const name = raw(table);
      return sql`SELECT ${table}::text AS "table", (SELECT count(*)::int FROM expected_${name}) AS rows,
        (SELECT count(*)::int FROM (SELECT * FROM expected_${name} EXCEPT ALL SELECT * FROM stored_${name}) missing) AS missing,
        (SELECT count(*)::int FROM (SELECT * FROM stored_${name} EXCEPT ALL SELECT * FROM expected_${name}) wrong) AS wrong`;
    }),
    " UNION ALL ",
  )}`;

/** Counts rows by week that differ from the sums of those by day, in whole weeks. */
export const weekDifferences = (organizationId: string, { from, to }: Span): Prisma.Sql =>
  join(
    ROLLUPS.filter(({ grains }) => grains.includes("week")).map((rollup) => {
      const { table, key, sums, weeks = { of: "true", without: [] } } = rollup;
      const keys = key.filter((name) => name !== "grain");
      const ofWeek = (name: string) => {
        if (name === "at") return "date_trunc('week', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS at";
        return weeks.without.includes(name) ? `'' AS ${name}` : name;
      };
      const of = (grain: Grain, columns: readonly string[], where: string) => sql`
        SELECT ${raw(columns.join(", "))} FROM ${raw(table)}
        WHERE organization_id = ${organizationId}::uuid AND grain = ${grain}::rollup_grain AND at >= ${from} AND at < ${to} AND ${raw(where)}`;
      const stored = of("week", [...keys, ...sums], "true");
      const days = of("day", [...keys.map(ofWeek), ...sums], weeks.of);
      const expected = sql`(WITH days AS (${days}) ${raw(sumsOf(rollup, keys, "SELECT * FROM days"))})`;
      return sql`SELECT ${table}::text AS "table", (SELECT count(*)::int FROM (${expected}) expected) AS rows,
        (SELECT count(*)::int FROM (${expected} EXCEPT ALL ${stored}) missing) AS missing,
        (SELECT count(*)::int FROM (${stored} EXCEPT ALL ${expected}) wrong) AS wrong`;
    }),
    " UNION ALL ",
  );
