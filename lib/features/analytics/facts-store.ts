import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationFilters } from "../../records/generations/contract";
import { allConditions, presetsOf, type Scope } from "../../records/generations/page-store";
import { BUCKET_ORIGIN } from "./buckets-policy";
import { binOf, MEASURE_NAMES, MEASURES_OF_ROWS, NO_ID, SUMMED } from "./measure-columns";
import type { Progress } from "./rollup-store";
import { spansOf, type Span, type Spans } from "./spans-policy";
import type { Group } from "./vocabulary";

const { sql, empty, join, raw } = Prisma;

/** Generations that are added up. */
export interface Counted extends Span {
  scope: Scope;
  filters: Omit<GenerationFilters, "q" | "from" | "to">;
  /** Generations since then and before `from` are of the previous period; null without one. */
  previousFrom: Date | null;
  /** Null for a single bucket. */
  bucketSeconds: number | null;
  /** Position up to which the rollups are complete. Later generations are counted one by one. */
  progress: Progress;
}

type Table = "usage_rollups" | "key_rollups" | "latency_rollups";
type Dimension = Group | "other";

/** Dimensions of each table. A guardrail is one in which a generation may have several values: see `isRolledUp`. */
const DIMENSIONS: Record<Table, readonly Dimension[]> = {
  usage_rollups: ["workspace", "status", "model", "provider", "protocol", "preset", "guardrail"],
  key_rollups: ["workspace", "status", "key", "member"],
  latency_rollups: ["workspace", "status", "model", "provider"],
};

const DIMENSION_OF_FILTER: Record<keyof Counted["filters"], Dimension> = {
  workspace_id: "workspace",
  status: "status",
  model: "model",
  provider: "provider",
  key_hash: "key",
  user_id: "member",
  protocol: "protocol",
  guardrail_id: "guardrail",
  preset: "preset",
  rule: "other",
  action: "other",
  preset_version: "other",
  session_id: "other",
  min_cost: "other",
  max_cost: "other",
};

function filteredBy({ scope, filters }: Counted): Set<Dimension> {
  const names = Object.keys(DIMENSION_OF_FILTER) as (keyof Counted["filters"])[];
  return new Set([
    ...names.filter((name) => filters[name] !== undefined).map((name) => DIMENSION_OF_FILTER[name]),
    ...(scope.userId === null ? [] : (["member"] as const)),
  ]);
}

/** True if a table has all dimensions that filters and group need. */
export function isRolledUp(table: Table, of: Counted, group: Group | null): boolean {
  const filters = filteredBy(of);
  // Rows of several guardrails count the same request more than once.
  const guardrails = [of.filters.guardrail_id ?? []].flat().length + (group === "guardrail" ? 1 : 0);
  const needed = [...filters, ...(group === null ? [] : [group])];
  return guardrails <= 1 && needed.every((dimension) => DIMENSIONS[table].includes(dimension));
}

/** Value of each dimension of generations, column of rollups, and its value. Rollups are added up before their ids become text. */
const COLUMNS: Record<Group, { value: string; column: string; ofRollup: string }> = {
  model: { value: "g.model", column: "r.model", ofRollup: "r.dimension" },
  provider: { value: "coalesce(g.provider_slug, '')", column: "r.provider_slug", ofRollup: "r.dimension" },
  key: {
    value: "coalesce(g.key_id::text, '')",
    column: "r.key_id",
    ofRollup: `replace(r.dimension::text, '${NO_ID}', '')`,
  },
  member: { value: "coalesce(g.user_id, '')", column: "r.user_id", ofRollup: "r.dimension" },
  guardrail: { value: "decided.guardrail_id::text", column: "r.guardrail_id", ofRollup: "r.dimension::text" },
  preset: { value: "coalesce(presets.slug, '')", column: "r.preset_id", ofRollup: "coalesce(presets.slug, '')" },
  workspace: { value: "g.workspace_id::text", column: "r.workspace_id", ofRollup: "r.dimension::text" },
  status: { value: "g.status::text", column: "r.status", ofRollup: "r.dimension::text" },
  protocol: { value: "g.api_type::text", column: "r.api_type", ofRollup: "r.dimension::text" },
};
const NONE = { value: "''::text", column: "''::text", ofRollup: "r.dimension" };
const columnOf = (group: Group | null) => (group === null ? NONE : COLUMNS[group]);

/** The bucket of times in a part, which is in one period. Null in the previous one. */
function bucketOf({ from, bucketSeconds }: Counted, part: Span, at: string): Prisma.Sql {
  if (part.from < from) return sql`NULL::timestamptz`;
  return bucketSeconds === null
    ? sql`${from}::timestamptz`
    : sql`date_bin(${bucketSeconds}::int * interval '1 second', ${raw(at)}, ${BUCKET_ORIGIN}::timestamptz)`;
}

/** The same for generations of both periods. */
const bucketOfRow = (of: Counted) =>
  sql`CASE WHEN g.created_at >= ${of.from} THEN ${bucketOf(of, of, "g.created_at")} END`;

const anyOf = (column: string, type: string, given: string | readonly string[] | undefined) =>
  given === undefined ? empty : sql`AND ${raw(column)} = ANY(${[given].flat()}::text[]::${raw(type)}[])`;

/** The log's filters on rows of rollups. */
const rolledConditions = ({ scope, filters }: Counted) => sql`r.organization_id = ${scope.organizationId}::uuid
  ${scope.userId === null ? empty : sql`AND r.user_id = ${scope.userId}`}
  ${anyOf("r.workspace_id", "uuid", filters.workspace_id)}
  ${anyOf("r.status", "generation_status", filters.status)}
  ${anyOf("r.model", "text", filters.model)}
  ${anyOf("r.provider_slug", "text", filters.provider)}
  ${anyOf("r.user_id", "text", filters.user_id)}
  ${anyOf("r.api_type", "protocol", filters.protocol)}
  ${filters.key_hash === undefined ? empty : sql`AND r.key_id = ANY(ARRAY(SELECT id FROM keys WHERE organization_id = ${scope.organizationId}::uuid AND hash = ANY(${[filters.key_hash].flat()}::text[])))`}
  ${filters.preset === undefined ? empty : sql`AND r.preset_id = ANY(ARRAY(${presetsOf(scope, filters.preset)}))`}`;

/** The parts of both periods, without hours for rollups that have only days. */
function spans(of: Counted, hasHours: boolean): Spans {
  const periods = [
    spansOf(of, of.bucketSeconds),
    ...(of.previousFrom === null ? [] : [spansOf({ from: of.previousFrom, to: of.from }, null)]),
  ];
  return {
    days: periods.flatMap(({ days }) => days),
    hours: hasHours ? periods.flatMap(({ hours }) => hours) : [],
    rows: periods.flatMap(({ rows, hours }) => (hasHours ? rows : [...rows, ...hours])),
  };
}

/** Conditions for generations that rollups of `parts` don't contain, one for each query. */
function rowConditions(of: Counted, parts: Spans | null): Prisma.Sql[] {
  const within = ({ from, to }: Span) =>
    allConditions(of.scope, { ...of.filters, from: from.toISOString(), to: to.toISOString() });
  if (parts === null) return [within({ from: of.previousFrom ?? of.from, to: of.to })];
  const rolled = [...parts.days, ...parts.hours];
  const { progress } = of;
  if (rolled.length === 0) return parts.rows.map(within);
  const isRolled = join(
    rolled.map(({ from, to }) => sql`(g.created_at >= ${from} AND g.created_at < ${to})`),
    " OR ",
  );
  const late = sql`${allConditions(of.scope, of.filters)} AND (${isRolled})
    AND (g.recorded_in, g.id) > (${progress.recorded_in}::bigint, ${progress.generation_id})`;
  return [...parts.rows.map(within), late];
}

/** Queries for the rows of a table of rollups, one for each part. */
const rolledRows = (parts: Spans | null, select: (grain: "hour" | "day", part: Span) => Prisma.Sql) =>
  parts === null
    ? []
    : [...parts.days.map((part) => select("day", part)), ...parts.hours.map((part) => select("hour", part))];

const inPart = (grain: "hour" | "day", { from, to }: Span) =>
  sql`AND r.grain = ${grain}::rollup_grain AND r.at >= ${from} AND r.at < ${to}`;

/** SQL for a value if it is one of `only`, else null. */
const amongOnly = (value: Prisma.Sql, type: string, only: readonly string[] | null) =>
  only === null ? value : sql`CASE WHEN ${value} = ANY(${only}::text[]::${raw(type)}[]) THEN ${value} END`;

/** The column of a rollup, null for values other than `only`. A slug is that of several presets, and found later. */
function dimensionOf(group: Group | null, only: readonly string[] | null): Prisma.Sql {
  const { column } = columnOf(group);
  if (group === null || group === "preset") return raw(column);
  if (group === "key" || group === "guardrail" || group === "workspace")
    return amongOnly(raw(column), "uuid", only?.map((value) => value || NO_ID) ?? null);
  return amongOnly(raw(`${column}::text`), "text", only);
}

/**
 * Sums of measures by bucket, value of a dimension ('' without one) and status: to be added up. With `only`, the value is null for others.
 */
export function facts(of: Counted, group: Group | null, only: readonly string[] | null = null): Prisma.Sql {
  const table = (["usage_rollups", "key_rollups"] as const).find((name) => isRolledUp(name, of, group));
  const isOfGuardrail = group === "guardrail" || of.filters.guardrail_id !== undefined;
  const parts = table ? spans(of, table === "usage_rollups" && !isOfGuardrail) : null;
  const column = columnOf(group);
  const guardrail = [of.filters.guardrail_id ?? NO_ID].flat()[0];
  const guardrails =
    group === "guardrail" ? sql`AND r.guardrail_id > ${NO_ID}::uuid` : sql`AND r.guardrail_id = ${guardrail}::uuid`;
  const rolled = rolledRows(
    parts,
    (grain, part) => sql`
    SELECT r.bucket, ${amongOnly(raw(column.ofRollup), "text", only)} AS value, r.status, ${raw(MEASURE_NAMES.map((name) => `r.${name}`).join(", "))}
    FROM (
      SELECT ${bucketOf(of, part, "r.at")} AS bucket, ${dimensionOf(group, only)} AS dimension, r.status, ${raw(SUMMED)} FROM ${raw(table ?? "")} r
      WHERE ${rolledConditions(of)} ${table === "usage_rollups" ? guardrails : empty} ${inPart(grain, part)}
      GROUP BY 1, 2, 3
    ) r ${group === "preset" ? sql`LEFT JOIN presets ON presets.id = r.dimension` : empty}`,
  );
  const rows = rowConditions(of, parts).map(
    (condition) => sql`
    SELECT ${bucketOfRow(of)} AS bucket, ${amongOnly(raw(column.value), "text", only)} AS value, g.status, ${raw(MEASURES_OF_ROWS)}
    FROM generations g ${joined(group)} WHERE ${condition}`,
  );
  return join([...rolled, ...rows], " UNION ALL ");
}

/** Joins what a dimension needs. A request counts once for each guardrail that made a decision. */
function joined(group: Group | null): Prisma.Sql {
  if (group === "preset") return sql`LEFT JOIN presets ON presets.id = g.preset_id`;
  if (group === "guardrail")
    return sql`JOIN LATERAL (
      SELECT DISTINCT d.guardrail_id FROM decisions d
      WHERE d.created_at = g.created_at AND d.generation_id = g.id AND d.guardrail_id IS NOT NULL
    ) decided ON true`;
  return empty;
}

/** Numbers of latencies by bucket, value of a dimension, measure and bin: to be added up. */
export function latencies(of: Counted, group: Group | null): Prisma.Sql {
  const dimensions = filteredBy(of).add(group ?? "workspace");
  const isOfModels = dimensions.has("model") || dimensions.has("provider");
  const parts = isRolledUp("latency_rollups", of, group) ? spans(of, !isOfModels) : null;
  const column = columnOf(group);
  const rolled = rolledRows(
    parts,
    (grain, part) => sql`
    SELECT r.bucket, ${raw(column.ofRollup)} AS value, r.measure::text AS measure, r.bin, r.count
    FROM (
      SELECT ${bucketOf(of, part, "r.at")} AS bucket, ${raw(column.column)} AS dimension, r.measure, r.bin, sum(r.count) AS count FROM latency_rollups r
      WHERE ${rolledConditions(of)} ${isOfModels ? sql`AND r.model <> ''` : sql`AND r.model = ''`} ${inPart(grain, part)}
      GROUP BY 1, 2, 3, 4
    ) r`,
  );
  const rows = rowConditions(of, parts).map(
    (condition) => sql`
    SELECT ${bucketOfRow(of)} AS bucket, ${raw(column.value)} AS value, latency.measure, latency.bin, 1 AS count
    FROM generations g ${joined(group)}
      CROSS JOIN LATERAL (VALUES
        ('time_to_first_token', g.latency_ms, ${raw(binOf("g.latency_ms"))}), ('duration', g.generation_time_ms, ${raw(binOf("g.generation_time_ms"))})
      ) AS latency(measure, ms, bin)
    WHERE ${condition} AND latency.ms IS NOT NULL`,
  );
  return join([...rolled, ...rows], " UNION ALL ");
}

/** Requests by rule of a guardrail or of a key's limit: to be added up. Exclusions by the request itself aren't rules. */
export function ruleFacts(of: Counted): Prisma.Sql {
  const parts = spans(of, false);
  const rolled = rolledRows(
    parts,
    (grain, part) => sql`
    SELECT r.guardrail_id, r.guardrail_name, r.field, r.rule_hash, r.rule, r.action, r.requests
    FROM rule_rollups r WHERE ${rolledConditions(of)} ${inPart(grain, part)}`,
  );
  const rows = rowConditions(of, parts).map(
    (condition) => sql`
    SELECT coalesce(d.guardrail_id, ${NO_ID}::uuid) AS guardrail_id, max(d.guardrail_name) AS guardrail_name, d.field, coalesce(md5(d.rule), '') AS rule_hash,
      max(d.rule) AS rule, d.action, count(DISTINCT g.id) AS requests
    FROM generations g JOIN decisions d ON d.created_at = g.created_at AND d.generation_id = g.id
    WHERE ${condition} AND d.scope <> 'request' GROUP BY d.guardrail_id, d.field, d.rule, d.action`,
  );
  return join([...rolled, ...rows], " UNION ALL ");
}
