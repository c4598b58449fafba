import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { allConditions, IS_BLOCKING, isTagged, presetsOf } from "../../records/generations/page-store";
import { BUCKET_ORIGIN } from "./buckets-policy";
import {
  binOf,
  BLOCKS,
  EACH_GUARDRAIL,
  MEASURE_NAMES,
  measuresOfRows,
  NO_ID,
  type BillingName,
  type MeasureName,
} from "./measure-columns";
import {
  DIMENSIONS,
  filteredBy,
  grainsOf,
  isOfSubjects,
  isRolledUp,
  tableOf,
  type Counted,
  type Table,
} from "./tables-policy";
import { joinBoth, tagRows, TAGS_OF_BOTH, withTagSets } from "./tag-sets-store";
import { GRAIN_MS, GRAINS, spansOf, type Grain, type Span, type Spans } from "./spans-policy";
import type { Group } from "./vocabulary";

const { sql, empty, join, raw } = Prisma;

/** Sums to compute, the columns to group by, and the groups to keep. */
export interface Sought {
  by?: readonly Group[];
  byStatus?: boolean;
  /** Billing sums are only available by dimensions that are all in `usage_rollups` or `subject_rollups`, or in no rollup table. */
  measures?: readonly (MeasureName | BillingName)[];
  /** Counts a generation once for each guardrail that made a decision, with the sum of `blocks`. */
  isPerGuardrail?: boolean;
  /** Values of the first group. */
  only?: readonly string[];
}

interface Column {
  /** Value of generations. */
  value: string;
  /** Column of rollups, and its type. */
  column: string;
  type: string;
  /** Value of rollups that are added up by `column`, as `rolled`: ids become text once. */
  ofRollup: (rolled: string) => string;
}

/** A column that is alike in generations and rollups. */
const alike = (value: string, column: string, type = "text"): Column => ({
  value,
  column,
  type,
  ofRollup: (rolled) => `${rolled}::text`,
});

/** A value that is joined to generations and to rollups that are added up by `column`. */
const joinedTo = (column: string, type: string, value: string): Column => ({
  value,
  column,
  type,
  ofRollup: () => value,
});

const COLUMNS: Record<Group, Column> = {
  model: alike("g.model", "r.model"),
  provider: alike("coalesce(g.provider_slug, '')", "r.provider_slug"),
  key: {
    ...alike("coalesce(g.key_id::text, '')", "r.key_id", "uuid"),
    ofRollup: (rolled) => `replace(${rolled}::text, '${NO_ID}', '')`,
  },
  tag: joinedTo("ARRAY[r.key_id::text, r.user_id]", "text[]", TAGS_OF_BOTH),
  member: alike("coalesce(g.user_id, '')", "r.user_id"),
  guardrail: alike("decided.guardrail_id::text", "r.guardrail_id", "uuid"),
  preset: joinedTo("r.preset_id", "uuid", "coalesce(presets.slug, '')"),
  workspace: alike("g.workspace_id::text", "r.workspace_id", "uuid"),
  status: alike("g.status::text", "r.status", "generation_status"),
  protocol: alike("g.api_type::text", "r.api_type", "protocol"),
};

/** The bucket of times in a part, which is in one period. Null in the previous one. */
function bucketOf({ from, bucketSeconds }: Counted, part: Span, at: string): Prisma.Sql {
  if (part.from < from) return sql`NULL::timestamptz`;
  return bucketSeconds === null
    ? sql`${from}::timestamptz`
    : sql`date_bin(${bucketSeconds}::int * interval '1 second', ${raw(at)}, ${BUCKET_ORIGIN}::timestamptz)`;
}

/** The same for rows of a grain, whose times are buckets of this length. */
const bucketOfRolled = (of: Counted, grain: Grain, part: Span): Prisma.Sql =>
  part.from >= of.from && of.bucketSeconds !== null && of.bucketSeconds * 1000 === GRAIN_MS[grain]
    ? sql`r.at`
    : bucketOf(of, part, "r.at");

/** The same for generations of both periods. */
const bucketOfRow = (of: Counted) =>
  sql`CASE WHEN g.created_at >= ${of.from} THEN ${bucketOf(of, of, "g.created_at")} END`;

const anyOf = (column: string, type: string, given: string | readonly string[] | undefined) =>
  given === undefined ? empty : sql`AND ${raw(column)} = ANY(${[given].flat()}::text[]::${raw(type)}[])`;

/** The log's filters on rows of rollups. */
function rolledConditions(of: Counted, table?: Table): Prisma.Sql {
  const busy = isOfSubjects(table) ? of.busy : null;
  const ofSubject = sql`AND r.subject_id = ${busy?.id}`;
  const [ofKey, ofMember] = [busy?.dimension === "key", busy?.dimension === "member"];
  const { scope, filters } = of;
  return sql`r.organization_id = ${scope.organizationId}::uuid ${busy ? ofSubject : empty}
  ${scope.userId === null || ofMember ? empty : sql`AND r.user_id = ${scope.userId}`}
  ${anyOf("r.workspace_id", "uuid", filters.workspace_id)}
  ${anyOf("r.status", "generation_status", filters.status)}
  ${anyOf("r.model", "text", filters.model)}
  ${anyOf("r.provider_slug", "text", filters.provider)}
  ${ofMember ? empty : anyOf("r.user_id", "text", filters.user_id)}
  ${anyOf("r.api_type", "protocol", filters.protocol)}
  ${filters.key_hash === undefined || ofKey ? empty : sql`AND r.key_id = ANY(ARRAY(SELECT id FROM keys WHERE organization_id = ${scope.organizationId}::uuid AND hash = ANY(${[filters.key_hash].flat()}::text[])))`}
  ${filters.tag === undefined ? empty : sql`AND ${table === "tag_rollups" ? sql`r.tag_set_id IN (SELECT id FROM sets WHERE tags && ${[filters.tag].flat()}::text[])` : isTagged("r", scope.organizationId, filters.tag)}`}
  ${filters.preset === undefined ? empty : sql`AND r.preset_id = ANY(ARRAY(${presetsOf(scope, filters.preset)}))`}`;
}

/** The parts of both periods, of the grains that a table has. */
function spans(of: Counted, grains: readonly Grain[]): Spans {
  const periods = [
    spansOf(of, of.bucketSeconds, grains),
    ...(of.previousFrom === null ? [] : [spansOf({ from: of.previousFrom, to: of.from }, null, grains)]),
  ];
  const all = (name: keyof Spans) => periods.flatMap((parts) => parts[name]);
  return { week: all("week"), day: all("day"), hour: all("hour"), rows: all("rows") };
}

/** Conditions for generations that rollups of `parts` don't contain, one for each query, and what follows from each one's range. */
function rowConditions(
  of: Counted,
  parts: Spans | null,
  also: (range: Span) => Prisma.Sql = () => empty,
): Prisma.Sql[] {
  const within = (range: Span) => {
    const [from, to] = [range.from.toISOString(), range.to.toISOString()];
    return sql`${allConditions(of.scope, { ...of.filters, from, to })} ${also(range)}`;
  };
  const { progress } = of;
  if (parts === null || progress === null) return [within({ from: of.previousFrom ?? of.from, to: of.to })];
  const rolled = GRAINS.flatMap((grain) => parts[grain]);
  if (rolled.length === 0) return parts.rows.map(within);
  const isRolled = join(
    rolled.map(({ from, to }) => sql`(g.created_at >= ${from} AND g.created_at < ${to})`),
    " OR ",
  );
  const late = sql`${allConditions(of.scope, of.filters)} AND (${isRolled})
    AND (g.recorded_in, g.id) > (${progress.recorded_in}::bigint, ${progress.generation_id})`;
  return [...parts.rows.map(within), late];
}

/** The range for decisions: the planner doesn't see that a decision has the time of its generation. */
const decidedIn =
  (decisions: string) =>
  ({ from, to }: Span) =>
    sql`AND ${raw(decisions)}.created_at >= ${from} AND ${raw(decisions)}.created_at < ${to}`;

/** Queries for the rows of a table of rollups, one for each part. */
const rolledRows = (parts: Spans | null, select: (grain: Grain, part: Span) => Prisma.Sql) =>
  parts === null ? [] : GRAINS.flatMap((grain) => parts[grain].map((part) => select(grain, part)));

const inPart = (grain: Grain, { from, to }: Span) =>
  sql`AND r.grain = ${grain}::rollup_grain AND r.at >= ${from} AND r.at < ${to}`;

/** SQL for one of the values of `only`. */
const amongOnly = (value: string, type: string, only: readonly string[] | undefined): Prisma.Sql =>
  only === undefined ? sql`true` : sql`${raw(value)} = ANY(${only}::text[]::${raw(type)}[])`;

/** Groups whose values in rollups are joined: a slug is that of several presets, and tags are those of several keys and members. */
const isJoined = (group: Group): boolean => group === "preset" || group === "tag";

/** The same for a column of rollups; joined values are found later. */
function amongRolled(group: Group, only: readonly string[] | undefined): Prisma.Sql {
  if (isJoined(group)) return sql`true`;
  const { column, type } = COLUMNS[group];
  return amongOnly(column, type, type === "uuid" ? only?.map((value) => value || NO_ID) : only);
}

const list = (columns: readonly string[]) => raw(columns.join(", "));

/**
 * Sums of measures by bucket and values of groups (`by_model`; '' without one; `by_tag` is a list), and status: to be added up, as a subquery.
 */
export function facts(
  of: Counted,
  { by = [], byStatus = false, measures = MEASURE_NAMES, isPerGuardrail = by.includes("guardrail"), only }: Sought,
): Prisma.Sql {
  const dimensions = isPerGuardrail ? [...by, "guardrail" as const] : by;
  const table = tableOf(of, dimensions);
  const [first] = by;
  const status = (from: string) => (byStatus ? [`${from}.status`] : []);
  const guardrail = [of.filters.guardrail_id ?? (isPerGuardrail ? EACH_GUARDRAIL : NO_ID)].flat()[0];
  // Rows of a busy key or member are few enough to add up those of all guardrails.
  const readsEach = by.includes("guardrail") || (guardrail === EACH_GUARDRAIL && table === "subject_rollups");
  const isOfEachGuardrail = guardrail === EACH_GUARDRAIL && !readsEach;
  const parts = table ? spans(of, grainsOf(table, of, dimensions, { isOfEachGuardrail })) : null;
  const guardrails = readsEach
    ? sql`AND r.guardrail_id > ${NO_ID}::uuid AND r.guardrail_id < ${EACH_GUARDRAIL}::uuid`
    : sql`AND r.guardrail_id = ${guardrail}::uuid`;
  const summable = isPerGuardrail ? [...measures, BLOCKS] : measures;
  const sums = summable.map((name) => `sum(r.${name})::bigint AS ${name}`);
  const isOfSets = table === "tag_rollups";
  const source = (part: Prisma.Sql) => (isOfSets ? tagRows(of.scope.organizationId, part) : raw(table ?? ""));
  const column = (group: Group) => (isOfSets && group === "tag" ? "r.tag_set_id" : COLUMNS[group].column);
  const keys = ["r.bucket", ...by.map((group) => `r.by_${group}`), ...status("r")];
  const inner = [...by.map((group) => `${column(group)} AS by_${group}`), ...status("r")];
  const outer = [
    ...by.map(
      (group) =>
        `${isOfSets && group === "tag" ? "sets.tags" : COLUMNS[group].ofRollup(`r.by_${group}`)} AS by_${group}`,
    ),
    ...status("r"),
    ...summable.map((name) => `r.${name}`),
  ];
  const rolled = rolledRows(
    parts,
    (grain, part) => sql`
    SELECT r.bucket, ${list(outer)}
    FROM (
      SELECT ${list([...keys, ...sums])}
      FROM (
        SELECT ${bucketOfRolled(of, grain, part)} AS bucket, ${list([...inner, ...summable.map((name) => `r.${name}`)])}
        FROM ${source(inPart(grain, part))} r
        WHERE ${rolledConditions(of, table)} ${table && DIMENSIONS[table].includes("guardrail") ? guardrails : empty} ${inPart(grain, part)} AND ${first ? amongRolled(first, only) : sql`true`}
      ) r
      GROUP BY ${list(keys)}
    ) r ${by.includes("preset") ? sql`LEFT JOIN presets ON presets.id = r.by_preset` : empty}
      ${by.includes("tag") ? (isOfSets ? sql`JOIN sets ON sets.id = r.by_tag` : joinBoth("r.by_tag[1]::uuid", "r.by_tag[2]")) : empty}
    WHERE ${first && isJoined(first) ? amongOnly(COLUMNS[first].value, "text", only) : sql`true`}`,
  );
  const ofRows = [
    ...by.map((group) => `${COLUMNS[group].value} AS by_${group}`),
    ...status("g"),
    measuresOfRows(measures),
    ...(isPerGuardrail ? [BLOCKS_OF_ROW] : []),
  ];
  const rows = rowConditions(of, parts, isPerGuardrail ? decidedIn("decided") : undefined).map(
    (condition) => sql`
    SELECT ${bucketOfRow(of)} AS bucket, ${list(ofRows)}
    FROM generations g ${joined(dimensions)} WHERE ${condition} AND ${first ? amongOnly(COLUMNS[first].value, "text", only) : sql`true`}`,
  );
  return sql`${isOfSets ? withTagSets(of.scope.organizationId) : empty} ${join([...rolled, ...rows], " UNION ALL ")}`;
}

/** Whether a generation was blocked by the guardrail of the decision that is joined. */
const BLOCKS_OF_ROW = `(g.status = 'blocked' AND EXISTS (
      SELECT FROM decisions d WHERE d.created_at = g.created_at AND d.generation_id = g.id AND d.guardrail_id = decided.guardrail_id AND ${IS_BLOCKING}
    ))::int AS ${BLOCKS}`;

/** Joins what a dimension needs. A request counts once for each guardrail that made a decision. */
function joined(by: readonly Group[]): Prisma.Sql {
  if (by.includes("preset")) return sql`LEFT JOIN presets ON presets.id = g.preset_id`;
  if (by.includes("tag")) return joinBoth("g.key_id", "g.user_id");
  if (by.includes("guardrail"))
    return sql`JOIN decisions decided ON decided.created_at = g.created_at AND decided.generation_id = g.id AND decided.guardrail_id IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM decisions earlier WHERE earlier.created_at = decided.created_at AND earlier.generation_id = decided.generation_id
          AND earlier.guardrail_id = decided.guardrail_id AND earlier.position < decided.position
      )`;
  return empty;
}

/** Latencies that are counted. */
export const LATENCIES = { time_to_first_token: "g.latency_ms", duration: "g.generation_time_ms" } as const;
export type Latency = keyof typeof LATENCIES;
const LATENCY_TABLES = ["latency_rollups", "subject_latency_rollups"] as const;

/** Numbers of latencies by bucket, value of a group ('' without one), measure and bin: to be added up. */
export function latencies(
  of: Counted,
  group: Group | null,
  measures: readonly Latency[],
  only?: readonly string[],
): Prisma.Sql {
  const by = group === null ? [] : [group];
  const dimensions = new Set([...filteredBy(of), ...by]);
  const isOfModels = dimensions.has("model") || dimensions.has("provider");
  const table = LATENCY_TABLES.find((name) => isRolledUp(name, of, by));
  const isOfAll = table === "latency_rollups";
  const grains: Grain[] = isOfAll && !isOfModels ? ["hour", "day", "week"] : ["day", "week"];
  const parts = of.progress !== null && table ? spans(of, grains) : null;
  const { column, value, ofRollup } = group === null ? alike("''::text", "''::text") : COLUMNS[group];
  const ofModels = isOfModels ? sql`AND r.model <> ''` : sql`AND r.model = ''`;
  const rolled = rolledRows(
    parts,
    (grain, part) => sql`
    SELECT r.bucket, ${raw(ofRollup("r.value"))} AS value, r.measure, r.bin, r.count
    FROM (
      SELECT bucket, value, measure, bin, sum(count)::bigint AS count
      FROM (
        SELECT ${bucketOfRolled(of, grain, part)} AS bucket, ${raw(column)} AS value, r.measure, unnest(r.bins) AS bin, unnest(r.counts) AS count
        FROM ${raw(table ?? "")} r
        WHERE ${rolledConditions(of, table)} ${isOfAll ? ofModels : empty} ${inPart(grain, part)}
          AND r.measure = ANY(${measures}::text[]::latency_measure[]) AND ${group === null ? sql`true` : amongRolled(group, only)}
      ) bins
      GROUP BY 1, 2, 3, 4
    ) r`,
  );
  // A list of values for each generation would take longer than reading it.
  const rows = rowConditions(of, parts).map((condition) => {
    const bins = measures.map(
      (name) => `CASE WHEN ${LATENCIES[name]} IS NOT NULL THEN ${binOf(LATENCIES[name])} END AS ${name}`,
    );
    const ofEach = measures.map(
      (name) =>
        `SELECT bucket, value, '${name}'::latency_measure AS measure, ${name} AS bin, 1 AS count FROM counted WHERE ${name} IS NOT NULL`,
    );
    return sql`SELECT * FROM (
      WITH counted AS MATERIALIZED (
        SELECT ${bucketOfRow(of)} AS bucket, ${raw(value)} AS value, ${list(bins)}
        FROM generations g ${joined(by)} WHERE ${condition} AND ${group === null ? sql`true` : amongOnly(value, "text", only)}
      ) ${raw(ofEach.join(" UNION ALL "))}
    ) counted`;
  });
  return join([...rolled, ...rows], " UNION ALL ");
}

/** Requests by rule of a guardrail or of a key's limit: to be added up. Exclusions by the request itself aren't rules. */
export function ruleFacts(of: Counted): Prisma.Sql {
  const parts = of.progress === null ? null : spans(of, ["day", "week"]);
  const rolled = rolledRows(
    parts,
    (grain, part) => sql`
    SELECT r.guardrail_id, r.guardrail_name, r.field, r.rule_hash, r.rule, r.action, r.requests
    FROM rule_rollups r WHERE ${rolledConditions(of)} ${inPart(grain, part)}`,
  );
  const rows = rowConditions(of, parts, decidedIn("d")).map(
    (condition) => sql`
    SELECT coalesce(d.guardrail_id, ${NO_ID}::uuid) AS guardrail_id, max(d.guardrail_name) AS guardrail_name, d.field, coalesce(md5(d.rule), '') AS rule_hash,
      max(d.rule) AS rule, d.action, count(DISTINCT g.id) AS requests
    FROM generations g JOIN decisions d ON d.created_at = g.created_at AND d.generation_id = g.id
    WHERE ${condition} AND d.scope <> 'request' GROUP BY d.guardrail_id, d.field, d.rule, d.action`,
  );
  return join([...rolled, ...rows], " UNION ALL ");
}
