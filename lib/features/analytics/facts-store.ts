import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { allConditions, IS_BLOCKING, isTagged, withinScope } from "../../records/generations/page-store";
import { BUCKET_ORIGIN } from "./buckets";
import {
  LATENCIES_OF_ROW,
  MEASURE_NAMES,
  measuresOfRows,
  NO_ID,
  type BillingName,
  type MeasureName,
} from "./measure-columns";
import { spansOf, type Span, type Spans } from "./spans";
import { hasDimensions, tableOf, unitOf, type Counted, type Table } from "./tables";
import type { Group } from "./vocabulary";

const { sql, empty, join, raw } = Prisma;

interface Column {
  /** Value of a generation `g`, as text. */
  ofRow: string;
  /** Value of a rollup row `r`, as text. */
  ofSums: string;
}

const tagsIn = (table: "keys" | "members") => `coalesce(${table}.tags, '{}')`;
/** The distinct tags of a key and its member. */
const TAGS = `CASE WHEN ${tagsIn("members")} = '{}' THEN ${tagsIn("keys")}
    ELSE ARRAY(SELECT DISTINCT tag COLLATE "C" FROM unnest(${tagsIn("keys")} || ${tagsIn("members")}) tag ORDER BY 1) END`;

const COLUMNS: Record<Group, Column> = {
  model: { ofRow: "g.model", ofSums: "r.model" },
  provider: { ofRow: "coalesce(g.provider_slug, '')", ofSums: "r.provider_slug" },
  key: { ofRow: "coalesce(g.key_id::text, '')", ofSums: `replace(r.key_id::text, '${NO_ID}', '')` },
  tag: { ofRow: TAGS, ofSums: TAGS },
  member: { ofRow: "coalesce(g.user_id, '')", ofSums: "r.user_id" },
  end_user: { ofRow: "coalesce(g.external_user, '')", ofSums: "''" },
  app: { ofRow: "coalesce(g.app_title, g.http_referer, '')", ofSums: "''" },
  guardrail: { ofRow: "decided.guardrail_id::text", ofSums: "r.guardrail_id::text" },
  preset: { ofRow: "coalesce(presets.slug, '')", ofSums: "''" },
  workspace: { ofRow: "g.workspace_id::text", ofSums: "r.workspace_id::text" },
  status: { ofRow: "g.status::text", ofSums: "r.status::text" },
  protocol: { ofRow: "g.api_type::text", ofSums: "''" },
};

const list = (columns: readonly string[]) => raw(columns.join(", "));

/** SQL for the bucket of a time; null in the previous period. */
const bucketOf = ({ from, bucketSeconds }: Counted, at: string): Prisma.Sql =>
  sql`CASE WHEN ${raw(at)} >= ${from} THEN ${
    bucketSeconds === null
      ? sql`${from}::timestamptz`
      : sql`date_bin(${bucketSeconds}::int * interval '1 second', ${raw(at)}, ${BUCKET_ORIGIN}::timestamptz)`
  } END`;

/** SQL for times within a span. */
const within = (at: string, { from, to }: Span) => sql`${raw(at)} >= ${from} AND ${raw(at)} < ${to}`;

const among = (column: string, type: string, given: string | readonly string[] | undefined) =>
  given === undefined ? empty : sql`AND ${raw(column)} = ANY(${[given].flat()}::text[]::${raw(type)}[])`;

/** SQL for the log's filters on rollup rows `r`. */
const sumConditions = ({ scope, filters }: Counted): Prisma.Sql => sql`r.organization_id = ${scope.organizationId}::uuid
  ${withinScope("r", scope)}
  ${among("r.workspace_id", "uuid", filters.workspace_id)}
  ${among("r.status", "generation_status", filters.status)}
  ${among("r.model", "text", filters.model)}
  ${among("r.provider_slug", "text", filters.provider)}
  ${among("r.user_id", "text", filters.user_id)}
  ${among("r.guardrail_id", "uuid", filters.guardrail_id)}
  ${filters.key_hash === undefined ? empty : sql`AND r.key_id = ANY(ARRAY(SELECT id FROM keys WHERE organization_id = ${scope.organizationId}::uuid AND hash = ANY(${[filters.key_hash].flat()}::text[])))`}
  ${filters.tag === undefined ? empty : sql`AND ${isTagged("r", scope.organizationId, filters.tag)}`}`;

/** Returns the parts of both periods that a rollup table covers, and the rest. */
function partsOf(of: Counted, table: Table | null): Spans {
  const periods: Span[] = of.previousFrom === null ? [of] : [of, { from: of.previousFrom, to: of.from }];
  if (table === null || of.progress === null) return { whole: [], rest: periods };
  const unit = unitOf(table);
  const parts = periods.map((period) => spansOf(period, period === of ? of.bucketSeconds : null, unit));
  return { whole: parts.flatMap(({ whole }) => whole), rest: parts.flatMap(({ rest }) => rest) };
}

/**
 * Returns conditions for generations that the rollups lack, one per query: generations outside whole buckets, and
 * generations recorded since. `also` adds a condition on times.
 */
function rowConditions(
  of: Counted,
  { whole, rest }: Spans,
  also: (at: Span) => Prisma.Sql = () => empty,
): Prisma.Sql[] {
  const { scope, filters, progress } = of;
  const inSpan = (span: Span) => {
    const [from, to] = [span.from.toISOString(), span.to.toISOString()];
    return sql`${allConditions(scope, { ...filters, from, to })} ${also(span)}`;
  };
  if (whole.length === 0 || progress === null) return rest.map(inSpan);
  const isWhole = join(
    whole.map((span) => sql`(${within("g.created_at", span)})`),
    " OR ",
  );
  const late = sql`${allConditions(scope, filters)} AND (${isWhole})
    AND (g.recorded_in, g.id) > (${progress.recorded_in}::bigint, ${progress.generation_id})`;
  return [...rest.map(inSpan), late];
}

/** SQL for the times of decisions, because the planner doesn't know that a decision has its generation's time. */
const decidedIn = (decisions: string) => (span: Span) => sql`AND ${within(`${decisions}.created_at`, span)}`;

/** SQL for the joins that a group of generations needs. A request counts once per guardrail with a decision. */
function joinedTo(row: "g" | "r", by: readonly Group[]): Prisma.Sql {
  const joins = [
    by.includes("tag")
      ? `LEFT JOIN keys ON keys.id = ${row}.key_id LEFT JOIN members ON members.id = ${row}.user_id`
      : "",
    row === "g" && by.includes("preset") ? "LEFT JOIN presets ON presets.id = g.preset_id" : "",
    row === "g" && by.includes("guardrail")
      ? `JOIN decisions decided ON decided.created_at = g.created_at AND decided.generation_id = g.id AND decided.guardrail_id IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM decisions earlier WHERE earlier.created_at = decided.created_at AND earlier.generation_id = decided.generation_id
          AND earlier.guardrail_id = decided.guardrail_id AND earlier.position < decided.position
      )`
      : "",
  ];
  return raw(joins.join(" "));
}

/** SQL condition: the joined decision's guardrail blocked the generation. */
const BLOCKS_OF_ROW = `(g.status = 'blocked' AND EXISTS (
      SELECT FROM decisions d WHERE d.created_at = g.created_at AND d.generation_id = g.id AND d.guardrail_id = decided.guardrail_id AND ${IS_BLOCKING}
    ))::int AS blocks`;

/**
 * Returns a subquery of measures by bucket, status and group values, to be summed. `by_model` is '' without a model;
 * `by_tag` is a list.
 */
export function facts(
  of: Counted,
  by: readonly Group[] = [],
  measures: readonly (MeasureName | BillingName)[] = MEASURE_NAMES,
): Prisma.Sql {
  const table = tableOf(of, by);
  const parts = partsOf(of, table);
  const isPerGuardrail = by.includes("guardrail");
  const groups = (from: keyof Column) => by.map((group) => `${COLUMNS[group][from]} AS by_${group}`);
  const ofSums = [
    ...groups("ofSums"),
    "r.status",
    ...measures.map((name) => `r.${name}`),
    ...(isPerGuardrail ? ["r.blocks"] : []),
  ];
  const ofRows = [...groups("ofRow"), "g.status", measuresOfRows(measures), ...(isPerGuardrail ? [BLOCKS_OF_ROW] : [])];
  const summed = parts.whole.map(
    (span) => sql`
    SELECT ${bucketOf(of, "r.at")} AS bucket, ${list(ofSums)} FROM ${raw(table ?? "")} r ${joinedTo("r", by)}
    WHERE ${sumConditions(of)} AND ${within("r.at", span)}`,
  );
  const counted = rowConditions(of, parts, isPerGuardrail ? decidedIn("decided") : undefined).map(
    (condition) => sql`
    SELECT ${bucketOf(of, "g.created_at")} AS bucket, ${list(ofRows)} FROM generations g ${joinedTo("g", by)} WHERE ${condition}`,
  );
  return join([...summed, ...counted], " UNION ALL ");
}

export type Latency = "time_to_first_token" | "duration";

/** Returns latency counts by bucket, group value ('' without one), measure and bin, to be summed. */
export function latencies(of: Counted, group: Group | null, measures: readonly Latency[]): Prisma.Sql {
  const by = group === null ? [] : [group];
  const { ofRow, ofSums } = group === null ? { ofRow: "''::text", ofSums: "''::text" } : COLUMNS[group];
  const parts = partsOf(of, hasDimensions("latency_days", of, by) ? "latency_days" : null);
  const summed = parts.whole.map(
    (span) => sql`
    SELECT ${bucketOf(of, "r.at")} AS bucket, ${raw(ofSums)} AS value, r.measure, unnest(r.bins) AS bin, unnest(r.counts) AS count
    FROM latency_days r
    WHERE ${sumConditions(of)} AND ${within("r.at", span)} AND r.measure = ANY(${measures}::text[]::latency_measure[])`,
  );
  const counted = rowConditions(of, parts).map(
    (condition) => sql`
    SELECT ${bucketOf(of, "g.created_at")} AS bucket, ${raw(ofRow)} AS value, latency.measure, latency.bin, 1 AS count
    FROM generations g ${joinedTo("g", by)} ${raw(LATENCIES_OF_ROW)}
    WHERE ${condition} AND latency.ms IS NOT NULL AND latency.measure = ANY(${measures}::text[]::latency_measure[])`,
  );
  return join([...summed, ...counted], " UNION ALL ");
}

/** Number of latest generations whose latencies count, for each key or member, and for other groups together. */
const SAMPLE_OF_EACH = 2_000;
const SAMPLE = 20_000;

/** Columns of generations by whose index a group's latest generations are read. */
const INDEXED = { key: "g.key_id", member: "g.user_id" } as const;
export const isSampledEach = (group: Group): group is keyof typeof INDEXED => group in INDEXED;

/**
 * Returns latency counts like `latencies`, of the latest generations only, because no table of sums has these groups or
 * filters. Each of the keys or members in `values` has a sample of its own.
 */
export function sampledLatencies(of: Counted, group: Group, measures: readonly Latency[], values: readonly string[]) {
  const { from, to } = of;
  const matching = allConditions(of.scope, { ...of.filters, from: from.toISOString(), to: to.toISOString() });
  const latest = (limit: number) => sql`ORDER BY g.created_at DESC LIMIT ${limit}`;
  const rows = isSampledEach(group)
    ? sql`
    SELECT wanted.value, g.* FROM unnest(${values}::text[]) wanted(value) CROSS JOIN LATERAL (
      SELECT g.latency_ms, g.generation_time_ms FROM generations g
      WHERE ${matching} AND ${raw(INDEXED[group])} = wanted.value::${raw(group === "key" ? "uuid" : "text")} ${latest(SAMPLE_OF_EACH)}
    ) g`
    : sql`
    SELECT ${raw(COLUMNS[group].ofRow)} AS value, g.latency_ms, g.generation_time_ms FROM generations g WHERE ${matching} ${latest(SAMPLE)}`;
  return sql`
    SELECT ${from}::timestamptz AS bucket, g.value, latency.measure, latency.bin, 1 AS count FROM (${rows}) g ${raw(LATENCIES_OF_ROW)}
    WHERE latency.ms IS NOT NULL AND latency.measure = ANY(${measures}::text[]::latency_measure[])`;
}

/**
 * Returns requests by rule of a guardrail or of a key's limit, to be summed. Exclusions by the request aren't rules.
 */
export function ruleFacts(of: Counted): Prisma.Sql {
  const parts = partsOf({ ...of, bucketSeconds: null }, hasDimensions("rule_days", of, []) ? "rule_days" : null);
  const summed = parts.whole.map(
    (span) => sql`
    SELECT r.guardrail_id, r.guardrail_name, r.field, r.rule_hash, r.rule, r.action, r.requests
    FROM rule_days r WHERE ${sumConditions(of)} AND ${within("r.at", span)}`,
  );
  const counted = rowConditions(of, parts, decidedIn("d")).map(
    (condition) => sql`
    SELECT coalesce(d.guardrail_id, ${NO_ID}::uuid) AS guardrail_id, max(d.guardrail_name) AS guardrail_name, d.field, coalesce(md5(d.rule), '') AS rule_hash,
      max(d.rule) AS rule, d.action, count(DISTINCT g.id) AS requests
    FROM generations g JOIN decisions d ON d.created_at = g.created_at AND d.generation_id = g.id
    WHERE ${condition} AND d.scope <> 'request' GROUP BY d.guardrail_id, d.field, d.rule, d.action`,
  );
  return join([...summed, ...counted], " UNION ALL ");
}
