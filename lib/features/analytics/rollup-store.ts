import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { binOf, MEASURE_NAMES, MEASURES_OF_ROWS, NO_ID, SUMMED } from "./measure-columns";
import type { Grain, Span } from "./spans-policy";

const { sql, raw, join } = Prisma;

/** A table of rollups: what identifies a row, what is added up, and the rows of a batch of generations by hour and day. */
interface Rollup {
  table: string;
  key: readonly string[];
  sums: readonly string[];
  /** Columns that every row with the same key has alike. */
  others: readonly string[];
  grains: readonly Grain[];
  /** Selects `key`, `sums` and `others` of the generations in `batch`, for each of some grains (`inGrains`). */
  rows: (grains: string) => string;
}

const BATCH_COLUMNS = `created_at, id, organization_id, workspace_id, key_id, user_id, status, api_type, model, provider_slug, preset_id,
    tokens_prompt, tokens_completion, tokens_cached, cost_micro_usd, latency_ms, generation_time_ms, recorded_in`;

/** Their decisions, found one generation after the other; `is_first` for one decision of each guardrail. */
const DECIDED = raw(`decided AS MATERIALIZED (
    SELECT batch.*, d.* FROM batch CROSS JOIN LATERAL (
      SELECT scope, guardrail_id, guardrail_name, field, rule, action,
        guardrail_id IS NOT NULL AND row_number() OVER (PARTITION BY guardrail_id ORDER BY position) = 1 AS is_first
      FROM decisions WHERE created_at = batch.created_at AND generation_id = batch.id
    ) d
  )`);

/** Joins each row with some grains. */
const inGrains = (grains: readonly Grain[]) =>
  `CROSS JOIN (VALUES ${grains.map((grain) => `('${grain}'::rollup_grain)`).join(", ")}) AS grains(grain)`;
const AT = `date_trunc(grain::text, g.created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

/** Hours are kept where many generations share a row, weeks where few share a day's; days everywhere. */
export const ROLLUPS: readonly Rollup[] = [
  {
    table: "usage_rollups",
    key: ["organization_id", "grain", "guardrail_id", "at", "workspace_id", "model", "provider_slug", "status"],
    sums: MEASURE_NAMES,
    others: [],
    grains: ["hour", "day"],
    rows: (grains) => `
      SELECT organization_id, grain, guardrail_id, at, workspace_id, model, provider_slug, status, ${SUMMED}
      FROM (
        SELECT g.organization_id, grain, g.guardrail_id, ${AT} AS at, g.workspace_id, g.model, coalesce(g.provider_slug, '') AS provider_slug,
          g.status, ${MEASURES_OF_ROWS}
        FROM (
          SELECT ${BATCH_COLUMNS}, '${NO_ID}'::uuid AS guardrail_id, grain FROM batch ${grains}
          UNION ALL SELECT ${BATCH_COLUMNS}, guardrail_id, grain FROM decided ${grains} WHERE is_first AND grain = 'day'
        ) g
      ) counted GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
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
    grains: ["day"],
    rows: (grains) => `
      SELECT organization_id, grain, at, workspace_id, model, provider_slug, status, api_type, preset_id, ${SUMMED}
      FROM (
        SELECT g.organization_id, grain, ${AT} AS at, g.workspace_id, g.model, coalesce(g.provider_slug, '') AS provider_slug, g.status, g.api_type,
          coalesce(g.preset_id, '${NO_ID}') AS preset_id, ${MEASURES_OF_ROWS}
        FROM batch g ${grains}
      ) counted GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  },
  {
    table: "member_rollups",
    key: ["organization_id", "grain", "at", "workspace_id", "user_id", "status"],
    sums: MEASURE_NAMES,
    others: [],
    grains: ["day"],
    rows: (grains) => `
      SELECT organization_id, grain, at, workspace_id, user_id, status, ${SUMMED}
      FROM (
        SELECT g.organization_id, grain, ${AT} AS at, g.workspace_id, coalesce(g.user_id, '') AS user_id, g.status, ${MEASURES_OF_ROWS}
        FROM batch g ${grains}
      ) counted GROUP BY 1, 2, 3, 4, 5, 6`,
  },
  {
    table: "key_rollups",
    key: ["organization_id", "grain", "at", "workspace_id", "key_id", "user_id", "status"],
    sums: MEASURE_NAMES,
    others: [],
    grains: ["day", "week"],
    rows: (grains) => `
      SELECT organization_id, grain, at, workspace_id, key_id, user_id, status, ${SUMMED}
      FROM (
        SELECT g.organization_id, grain, ${AT} AS at, g.workspace_id, coalesce(g.key_id, '${NO_ID}') AS key_id, coalesce(g.user_id, '') AS user_id,
          g.status, ${MEASURES_OF_ROWS}
        FROM batch g ${grains}
      ) counted GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  },
  {
    table: "latency_rollups",
    key: ["organization_id", "grain", "measure", "model", "at", "provider_slug", "workspace_id", "status", "bin"],
    sums: ["count"],
    others: [],
    grains: ["hour", "day"],
    rows: (grains) => `
      SELECT organization_id, grain, measure, model, at, provider_slug, workspace_id, status, bin, count(*) AS count
      FROM (
        SELECT g.organization_id, grain, latency.measure, shown.model, ${AT} AS at, shown.provider_slug, g.workspace_id, g.status, latency.bin
        FROM batch g ${grains}
          CROSS JOIN LATERAL (VALUES ('', ''), (g.model, coalesce(g.provider_slug, ''))) AS shown(model, provider_slug)
          CROSS JOIN LATERAL (VALUES
            ('time_to_first_token'::latency_measure, g.latency_ms, ${binOf("g.latency_ms")}), ('duration', g.generation_time_ms, ${binOf("g.generation_time_ms")})
          ) AS latency(measure, ms, bin)
        WHERE latency.ms IS NOT NULL AND (grain = 'day' OR shown.model = '')
      ) counted GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
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
];

/** Position by order of recording. */
export interface Progress {
  recorded_in: bigint;
  generation_id: string;
}

const added = ({ table, key, sums, others, grains, rows }: Rollup) => {
  const columns = [...key, ...sums, ...others].join(", ");
  const updates = [
    ...sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`),
    // A guardrail's name may change; the greater one is the same in whichever order batches are added.
    ...others.map((name) => `${name} = greatest(${table}.${name}, excluded.${name})`),
  ].join(", ");
  return raw(
    `added_to_${table} AS (INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (${rows(inGrains(grains))} ORDER BY ${key.map((_, index) => index + 1).join(", ")}) new
     ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${updates})`,
  );
};

/**
 * Adds the next generations by order of recording, and moves the progress to the last of them, in one statement. Generations of
 * transactions that may still be open are left: an earlier one may follow them.
 */
export const advance = (organizationId: string, after: Progress, limit: number): Prisma.Sql => sql`
  WITH batch AS MATERIALIZED (
    SELECT ${raw(BATCH_COLUMNS)} FROM generations
    WHERE organization_id = ${organizationId}::uuid AND (recorded_in, id) > (${after.recorded_in}::bigint, ${after.generation_id})
      AND recorded_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    ORDER BY recorded_in, id LIMIT ${limit}
  ), ${DECIDED}, ${join(ROLLUPS.map(added))}, moved AS (
    UPDATE rollup_progress SET recorded_in = last.recorded_in, generation_id = last.id
    FROM (SELECT recorded_in, id FROM batch ORDER BY recorded_in DESC, id DESC LIMIT 1) last
    WHERE rollup_progress.organization_id = ${organizationId}::uuid
  )
  SELECT count(*)::int AS added FROM batch`;

/** Counts rows by hour and day that differ from the sums of all generations up to the progress, on a day. */
export const differences = (
  organizationId: string,
  { recorded_in, generation_id }: Progress,
  { from, to }: Span,
): Prisma.Sql => sql`
  WITH batch AS MATERIALIZED (
    SELECT ${raw(BATCH_COLUMNS)} FROM generations
    WHERE organization_id = ${organizationId}::uuid AND (recorded_in, id) <= (${recorded_in}::bigint, ${generation_id}) AND created_at >= ${from} AND created_at < ${to}
  ), ${DECIDED}, ${join(
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
    ROLLUPS.filter(({ grains }) => grains.includes("week")).map(({ table, key, sums }) => {
      const keys = key.filter((name) => name !== "grain");
      const week = "date_trunc('week', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS at";
      const summed = sums.map((name) => `sum(${name})::bigint AS ${name}`);
      const of = (grain: Grain) =>
        sql`FROM ${raw(table)} WHERE organization_id = ${organizationId}::uuid AND grain = ${grain}::rollup_grain AND at >= ${from} AND at < ${to}`;
      const stored = sql`SELECT ${raw([...keys, ...sums].join(", "))} ${of("week")}`;
      const expected = sql`
        SELECT ${raw([...keys.map((name) => (name === "at" ? week : name)), ...summed].join(", "))} ${of("day")}
        GROUP BY ${raw(keys.map((_, index) => String(index + 1)).join(", "))}`;
      return sql`SELECT ${table}::text AS "table", (SELECT count(*)::int FROM (${expected}) expected) AS rows,
        (SELECT count(*)::int FROM (${expected} EXCEPT ALL ${stored}) missing) AS missing,
        (SELECT count(*)::int FROM (${stored} EXCEPT ALL ${expected}) wrong) AS wrong`;
    }),
    " UNION ALL ",
  );
