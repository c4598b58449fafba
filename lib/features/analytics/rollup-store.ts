import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { IS_BLOCKING } from "../../records/generations/page-store";
import { BILLING_NAMES, LATENCIES_OF_ROW, MEASURE_NAMES, NO_ID, sumsOfRows } from "./measure-columns";
import type { Span } from "./spans";
import type { Progress, Table } from "./tables";

const { sql, join, raw } = Prisma;

/** A rollup table. */
interface Rollup {
  table: Table;
  /** Columns that identify a row. */
  key: readonly string[];
  /** Columns that are summed. */
  sums: readonly string[];
  /** SQL that selects `key` and `sums` of the generations in `batch g`. */
  rows: string;
  /** SQL that merges a new row into an existing one; adds `sums` by default. */
  update?: string;
}

const startOf = (unit: "hour" | "day") =>
  `date_trunc('${unit}', g.created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS at`;

/** The distinct guardrails that decided about a generation. */
const GUARDRAILS_OF_ROW = `CROSS JOIN LATERAL (
        SELECT d.guardrail_id, (g.status = 'blocked' AND bool_or(${IS_BLOCKING}))::int AS blocks
        FROM decisions d WHERE d.created_at = g.created_at AND d.generation_id = g.id AND d.guardrail_id IS NOT NULL GROUP BY d.guardrail_id
      ) decided`;

const HISTOGRAM = "array_agg(bin ORDER BY bin) AS bins, array_agg(count ORDER BY bin) AS counts";

export const ROLLUPS: readonly Rollup[] = [
  {
    table: "usage_hours",
    key: ["organization_id", "at", "workspace_id", "model", "provider_slug", "status"],
    sums: [...MEASURE_NAMES, ...BILLING_NAMES],
    rows: `
      SELECT g.organization_id, ${startOf("hour")}, g.workspace_id, g.model, coalesce(g.provider_slug, '') AS provider_slug, g.status,
        ${sumsOfRows([...MEASURE_NAMES, ...BILLING_NAMES])}
      FROM batch g GROUP BY 1, 2, 3, 4, 5, 6`,
  },
  {
    table: "latency_days",
    key: ["organization_id", "at", "measure", "workspace_id", "model", "provider_slug", "status"],
    sums: ["bins", "counts"],
    rows: `
      SELECT organization_id, at, measure, workspace_id, model, provider_slug, status, ${HISTOGRAM}
      FROM (
        SELECT g.organization_id, ${startOf("day")}, latency.measure, g.workspace_id, g.model, coalesce(g.provider_slug, '') AS provider_slug, g.status,
          latency.bin, count(*) AS count
        FROM batch g ${LATENCIES_OF_ROW} WHERE latency.ms IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
      ) bins GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    update: `(bins, counts) = (
        SELECT ${HISTOGRAM} FROM (
          SELECT bin, sum(count)::bigint AS count FROM (
            SELECT unnest(latency_days.bins), unnest(latency_days.counts) UNION ALL SELECT unnest(excluded.bins), unnest(excluded.counts)
          ) both_histograms(bin, count) GROUP BY bin
        ) bins
      )`,
  },
  {
    table: "key_days",
    key: ["organization_id", "at", "workspace_id", "key_id", "user_id", "status"],
    sums: MEASURE_NAMES,
    rows: `
      SELECT g.organization_id, ${startOf("day")}, g.workspace_id, coalesce(g.key_id, '${NO_ID}') AS key_id, coalesce(g.user_id, '') AS user_id, g.status,
        ${sumsOfRows(MEASURE_NAMES)}
      FROM batch g GROUP BY 1, 2, 3, 4, 5, 6`,
  },
  {
    table: "guardrail_days",
    key: ["organization_id", "at", "workspace_id", "guardrail_id", "status"],
    sums: [...MEASURE_NAMES, "blocks"],
    rows: `
      SELECT g.organization_id, ${startOf("day")}, g.workspace_id, decided.guardrail_id, g.status, ${sumsOfRows(MEASURE_NAMES)}, sum(decided.blocks) AS blocks
      FROM batch g ${GUARDRAILS_OF_ROW} GROUP BY 1, 2, 3, 4, 5`,
  },
  {
    table: "rule_days",
    key: ["organization_id", "at", "workspace_id", "user_id", "guardrail_id", "field", "rule_hash", "action"],
    sums: ["requests", "rule", "guardrail_name"],
    rows: `
      SELECT g.organization_id, ${startOf("day")}, g.workspace_id, coalesce(g.user_id, '') AS user_id, coalesce(d.guardrail_id, '${NO_ID}') AS guardrail_id,
        d.field, coalesce(md5(d.rule), '') AS rule_hash, d.action, count(DISTINCT g.id) AS requests, max(d.rule) AS rule, max(d.guardrail_name) AS guardrail_name
      FROM batch g CROSS JOIN LATERAL (
        SELECT * FROM decisions WHERE created_at = g.created_at AND generation_id = g.id AND scope <> 'request' OFFSET 0
      ) d GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
    // A guardrail's name may change. Taking the greater one gives the same result in any order of batches.
    update:
      "requests = rule_days.requests + excluded.requests, guardrail_name = greatest(rule_days.guardrail_name, excluded.guardrail_name)",
  },
];

/**
 * SQL for generations after a position, in the order of recording. Transactions that may still be open are excluded,
 * because an earlier generation may follow.
 */
const recordedAfter = (organizationId: string, { recorded_in, generation_id }: Progress) => sql`
    FROM generations g WHERE organization_id = ${organizationId}::uuid AND (recorded_in, id) > (${recorded_in}::bigint, ${generation_id})
      AND recorded_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** SQL for the position of the last of the next generations, and their number. */
export const endOfBatch = (organizationId: string, after: Progress, limit: number): Prisma.Sql => sql`
  SELECT recorded_in, generation_id, (count(*) OVER ())::int AS added FROM (
    SELECT recorded_in, id AS generation_id ${recordedAfter(organizationId, after)} ORDER BY recorded_in, id LIMIT ${limit}
  ) batch ORDER BY recorded_in DESC, generation_id DESC LIMIT 1`;

/** SQL that adds the generations between two positions to a table. The order makes the planner use its index. */
export const addBatch = (
  { table, key, sums, rows, update }: Rollup,
  { organizationId, after, last, limit }: { organizationId: string; after: Progress; last: Progress; limit: number },
): Prisma.Sql => {
  const columns = raw([...key, ...sums].join(", "));
  const added = sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ");
  return sql`
  WITH batch AS MATERIALIZED (
    SELECT g.* ${recordedAfter(organizationId, after)} AND (recorded_in, id) <= (${last.recorded_in}::bigint, ${last.generation_id})
    ORDER BY recorded_in, id LIMIT ${limit}
  )
  INSERT INTO ${raw(table)} (${columns}) SELECT ${columns} FROM (${raw(rows)}) new ORDER BY ${raw(key.join(", "))}
  ON CONFLICT (${raw(key.join(", "))}) DO UPDATE SET ${raw(update ?? added)}`;
};

/**
 * SQL that counts the rows of a table in a span of whole days that differ from the sums of the generations up to a
 * position.
 */
const differences = (
  { table, key, sums, rows }: Rollup,
  organizationId: string,
  { recorded_in, generation_id }: Progress,
  { from, to }: Span,
): Prisma.Sql => {
  const compared = raw([...key, ...sums.filter((name) => name !== "guardrail_name")].join(", "));
  return sql`
  WITH batch AS MATERIALIZED (
    SELECT * FROM generations g
    WHERE organization_id = ${organizationId}::uuid AND (recorded_in, id) <= (${recorded_in}::bigint, ${generation_id}) AND created_at >= ${from} AND created_at < ${to}
  ), expected AS MATERIALIZED (SELECT ${compared} FROM (${raw(rows)}) computed),
  stored AS MATERIALIZED (SELECT ${compared} FROM ${raw(table)} WHERE organization_id = ${organizationId}::uuid AND at >= ${from} AND at < ${to})
  SELECT ${table}::text AS "table", (SELECT count(*)::int FROM expected) AS rows,
    (SELECT count(*)::int FROM (SELECT * FROM expected EXCEPT ALL SELECT * FROM stored) missing) AS missing,
    (SELECT count(*)::int FROM (SELECT * FROM stored EXCEPT ALL SELECT * FROM expected) wrong) AS wrong`;
};

/** SQL that counts the differences of all tables. */
export const allDifferences = (organizationId: string, progress: Progress, day: Span): Prisma.Sql =>
  join(
    ROLLUPS.map((rollup) => sql`(${differences(rollup, organizationId, progress, day)})`),
    " UNION ALL ",
  );
