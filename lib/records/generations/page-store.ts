import "server-only";
import { createHash } from "node:crypto";
import { decodeCursor } from "../../platform/http/cursor";
import { generationSecond } from "../../platform/ids";
import { Prisma } from "../../../prisma/generated/client";
import { within, type Bounds } from "./bounds-store";
import type { GenerationFilters } from "./contract";
import { foundByIndex, searched, type SearchBy } from "./search-store";
import { GENERATION_STATUSES, type GenerationStatus } from "./vocabulary";

export interface Found {
  created_at: Date;
  id: string;
}

/** Restricts a list to the organization, or to one member. */
export interface Scope {
  organizationId: string;
  userId: string | null;
}

/** A position in the log by order of recording: the writing transaction and the generation. */
export type Recorded = readonly [transaction: bigint, id: string];

/** A time range; `to` is exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

/** Start and maximum length of a page. */
export interface Place {
  cursor?: string | undefined;
  limit: number;
}

/**
 * What is read first, and in order of time; what the other filters need is looked up for each row.
 * `words`: the index of words, for rare ones; `decisions`: an index of decisions; `generations`: an index of generations;
 * `sorted_generations`: all generations that match the filters of their own table, if these are few and no index has their order.
 */
export type Strategy = "words" | "decisions" | "generations" | "sorted_generations";

/** Filters on the table of generations, with the keys that stand for some of them. */
export type KeyedFilters = GenerationFilters & {
  /** The keys of `key_hash`. */
  keyIds?: string[];
  /** True if the tag has so many keys that its generations are read in order of time. */
  hasFrequentTag?: boolean;
  /** Keys to which all generations of a page belong, besides other filters. */
  metKeyIds?: string[];
};

/** Strategy for finding the generations that match the filters. */
export type LogPlan = Pick<KeyedFilters, "keyIds" | "hasFrequentTag"> & { strategy: Strategy };

/** Filters of the log, with the way to find them. */
export type LogQuery = KeyedFilters &
  LogPlan & {
    /** Times of all generations of a page, newest first. */
    spans?: readonly Span[];
  };

type OneOrMany = string | readonly string[] | undefined;

const { sql, empty, raw } = Prisma;

/** SQL for `column = value`, which can use an ordered index, or for any of several values. */
function among(column: Prisma.Sql, given: OneOrMany): Prisma.Sql {
  if (given === undefined) return empty;
  const values = [given].flat();
  return values.length === 1 ? sql`AND ${column} = ${values[0]}` : sql`AND ${column} = ANY(${values}::text[])`;
}

/** SQL for a column with ids of objects that the caller identifies otherwise. */
function amongIdsOf(column: Prisma.Sql, given: OneOrMany, ids: (values: string[]) => Prisma.Sql): Prisma.Sql {
  if (given === undefined) return empty;
  const values = [given].flat();
  return typeof given === "string"
    ? sql`AND ${column} = (${ids(values)} LIMIT 1)`
    : sql`AND ${column} = ANY(ARRAY(${ids(values)}))`;
}

const oneOrMany = (values: readonly string[]): OneOrMany => (values.length === 1 ? values[0] : values);

/** SQL for a column of an enum or id type, with values cast to the column's type. */
function amongTyped(column: Prisma.Sql, type: "protocol" | "uuid", given: OneOrMany): Prisma.Sql {
  if (given === undefined) return empty;
  const cast = Prisma.raw(type);
  return typeof given === "string"
    ? sql`AND ${column} = ${given}::${cast}`
    : sql`AND ${column} = ANY(${given}::text[]::${cast}[])`;
}

/** SQL for statuses in the statement's text: the index leaves out the frequent one, and parameters wouldn't tell the planner that they aren't it. */
const amongStatuses = (statuses: readonly GenerationStatus[]) =>
  sql`AND g.status IN (${Prisma.raw(
    GENERATION_STATUSES.filter((status) => statuses.includes(status))
      .map((status) => `'${status}'`)
      .join(", "),
  )})`;

/** Hash of a rule for the index, whose entries have a maximum length. */
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** True if a query has conditions on a decision. */
export const hasDecision = ({ guardrail_id, rule, action, blocked_by }: Partial<GenerationFilters>): boolean =>
  guardrail_id !== undefined || rule !== undefined || action !== undefined || blocked_by !== undefined;

/** SQL for a decision `d` that blocked its generation, if that is blocked: endpoints are left out in vain unless a rule decided to block. */
export const IS_BLOCKING = `(d.action = 'block' OR d.action = 'exclude' AND NOT EXISTS (
      SELECT FROM decisions other WHERE other.created_at = d.created_at AND other.generation_id = d.generation_id AND other.action = 'block' OFFSET 0
    ))`;

/** SQL for the guardrails and actions of decisions that a query asks for. */
const decided = ({ guardrail_id, action, blocked_by }: GenerationFilters) =>
  sql`${amongTyped(sql`d.guardrail_id`, "uuid", guardrail_id)} ${among(sql`d.action`, action)}
    ${blocked_by === undefined ? empty : sql`${amongTyped(sql`d.guardrail_id`, "uuid", blocked_by)} AND ${raw(IS_BLOCKING)}`}`;

/** SQL for their rules. A rule's name may be that of a field, which has another index. */
const ruled = ({ rule }: GenerationFilters): Prisma.Sql[] =>
  rule === undefined ? [empty] : [among(sql`md5(d.rule)`, [rule].flat().map(md5)), among(sql`d.field`, rule)];

/** SQL for the decisions that a query asks for, in the page's time range: queries, each with an index. */
const decisionsOf = (query: GenerationFilters, bounds: Bounds): Prisma.Sql[] =>
  ruled(query).map(
    (rule) => sql`
    SELECT d.created_at, d.generation_id FROM decisions d WHERE true ${rule} ${decided(query)} ${within(sql`d.created_at`, bounds)}`,
  );

export const decisionMatches = (query: GenerationFilters): Prisma.Sql =>
  Prisma.join(decisionsOf(query, query), " UNION ALL ");

/** SQL for generations with such a decision, each looked up by itself. */
const isDecided = (query: GenerationFilters): Prisma.Sql =>
  sql`AND (${Prisma.join(
    ruled(query).map(
      (rule) =>
        sql`EXISTS (SELECT FROM decisions d WHERE d.created_at = g.created_at AND d.generation_id = g.id ${rule} ${decided(query)} OFFSET 0)`,
    ),
    " OR ",
  )})`;

const microUsd = (usd: string) => sql`round(${usd}::numeric * 1000000)::bigint`;

/** Additional condition: content is stored. */
export const WITH_CONTENT = sql`AND g.content_stored AND g.content_deleted_at IS NULL
    AND EXISTS (SELECT FROM generation_contents c WHERE c.created_at = g.created_at AND c.generation_id = g.id OFFSET 0)`;

/** SQL for the filters on the table `generations g` that need no other table, and for a search unless that is made otherwise. */
function conditions(
  { organizationId, userId }: Scope,
  query: KeyedFilters,
  bounds: Bounds,
  searchBy: SearchBy | null,
): Prisma.Sql {
  return sql`g.organization_id = ${organizationId}::uuid
    ${within(sql`g.created_at`, bounds)}
    ${userId === null ? empty : sql`AND g.user_id = ${userId}`}
    ${amongTyped(sql`g.workspace_id`, "uuid", query.workspace_id)}
    ${query.status === undefined ? empty : amongStatuses([query.status].flat())}
    ${query.blocked_by === undefined ? empty : amongStatuses(["blocked"])}
    ${amongTyped(sql`g.api_type`, "protocol", query.protocol)}
    ${among(sql`g.model`, query.model)}
    ${among(sql`g.provider_slug`, query.provider)}
    ${among(sql`g.user_id`, query.user_id)}
    ${among(sql`g.session_id`, query.session_id)}
    ${among(sql`g.trace_id`, query.trace_id)}
    ${query.keyIds ? amongTyped(sql`g.key_id`, "uuid", oneOrMany(query.keyIds)) : amongIdsOf(sql`g.key_id`, query.key_hash, (hashes) => sql`SELECT id FROM keys WHERE organization_id = ${organizationId}::uuid AND hash = ANY(${hashes}::text[])`)}
    ${query.metKeyIds === undefined ? empty : amongTyped(sql`g.key_id`, "uuid", oneOrMany(query.metKeyIds))}
    ${query.tag === undefined ? empty : sql`AND ${isTagged("g", organizationId, query.tag, query.hasFrequentTag)}`}
    ${query.preset_version === undefined ? empty : sql`AND g.preset_version = ${query.preset_version}`}
    ${query.min_cost === undefined ? empty : sql`AND g.cost_micro_usd >= ${microUsd(query.min_cost)}`}
    ${query.max_cost === undefined ? empty : sql`AND g.cost_micro_usd <= ${microUsd(query.max_cost)}`}
    ${query.q === undefined || searchBy === null ? empty : searched(query.q, searchBy, bounds)}`;
}

/**
 * SQL for rows whose key or member has one of the tags. A list can be looked up in an index; the names of an object are looked up without comparing
 * each row with thousands of keys.
 */
export function isTagged(row: "g" | "r", organizationId: string, tag: OneOrMany, isFrequent = false): Prisma.Sql {
  const tagged = (table: "keys" | "members") =>
    sql`FROM ${raw(table)} WHERE organization_id = ${organizationId}::uuid AND tags && ${[tag].flat()}::text[]`;
  const isNamed = (id: string, table: "keys" | "members") =>
    sql`coalesce(jsonb_exists((SELECT jsonb_object_agg(id, true) ${tagged(table)}), ${raw(id)}::text), false)`;
  const isListed = (id: string, table: "keys" | "members") => sql`${raw(id)} = ANY(ARRAY(SELECT id ${tagged(table)}))`;
  const [keyId, userId] = [`${row}.key_id`, `${row}.user_id`];
  const named = sql`(${isNamed(keyId, "keys")} OR ${isNamed(userId, "members")})`;
  return isFrequent ? named : sql`${named} AND (${isListed(keyId, "keys")} OR ${isListed(userId, "members")})`;
}

/** SQL for the ids of the presets with the slugs of a query, of each workspace that has one. */
export const presetsOf = ({ organizationId }: Scope, preset: OneOrMany) => sql`
  SELECT presets.id FROM presets JOIN workspaces ON workspaces.id = presets.workspace_id
  WHERE workspaces.organization_id = ${organizationId}::uuid AND presets.slug = ANY(${[preset ?? []].flat()}::text[])`;

/** SQL for a column with ids of presets, by their slugs. */
export const amongPresets = (column: Prisma.Sql, scope: Scope, preset: OneOrMany): Prisma.Sql =>
  preset === undefined ? empty : sql`AND ${column} = ANY(ARRAY(${presetsOf(scope, preset)}))`;

/** Queries to estimate how many generations match the filters of their own table, and how many decisions the others. */
export const ownMatches = (scope: Scope, query: KeyedFilters): Prisma.Sql => sql`
  SELECT 1 FROM generations g WHERE ${conditions(scope, query, query, null)}
  ${query.preset === undefined ? empty : sql`AND g.preset_id = (${presetsOf(scope, query.preset)} LIMIT 1)`}`;

/** SQL for all filters on the table `generations g`, in no order. */
export const allConditions = (
  scope: Scope,
  query: KeyedFilters,
  searchBy: SearchBy | null,
) => sql`${conditions(scope, query, query, searchBy)}
  ${amongPresets(sql`g.preset_id`, scope, query.preset)}
  ${hasDecision(query) ? sql`AND (g.created_at, g.id) IN (${Prisma.join(decisionsOf(query, query), " UNION ALL ")})` : empty}`;

/** Query for the newest or oldest matching generations. It follows an index in this order, for each preset if there are some, and ends when it has enough. */
function inOrder(
  scope: Scope,
  query: LogQuery,
  { order, bounds, limit, besides }: { order: "ASC" | "DESC"; bounds: Bounds; limit: number; besides: Prisma.Sql },
): Prisma.Sql {
  const by = Prisma.raw(order);
  const { q, strategy } = query;
  const places =
    strategy === "words" ? [foundByIndex(q ?? "", bounds)] : strategy === "decisions" ? decisionsOf(query, bounds) : [];
  const ordered = (more: Prisma.Sql) => {
    const isSearched = strategy === "decisions" || strategy === "generations";
    const own = sql`${conditions(scope, query, bounds, isSearched ? "contents" : null)} ${besides} ${more}`;
    const ofDecisions = strategy !== "decisions" && hasDecision(query) ? isDecided(query) : empty;
    // The planner can't know that one place is in one partition, and would rather read all of them once.
    const found = places.map(
      (some) => sql`(
    SELECT ${strategy === "words" ? empty : sql`DISTINCT`} placed.created_at, placed.generation_id AS id
    FROM (${some}) placed CROSS JOIN LATERAL (
      SELECT FROM generations g WHERE g.created_at = placed.created_at AND g.id = placed.generation_id AND ${own} ${ofDecisions} OFFSET 0
    ) matching
    ORDER BY placed.created_at ${by}, placed.generation_id ${by}
    LIMIT ${limit})`,
    );
    if (found.length > 0)
      return sql`SELECT created_at, id FROM (${Prisma.join(found, " UNION ")}) found ORDER BY created_at ${by}, id ${by} LIMIT ${limit}`;
    if (strategy === "sorted_generations")
      return sql`
    SELECT g.created_at, g.id FROM (
      SELECT g.created_at, g.id FROM generations g WHERE ${own} ORDER BY g.created_at ${by}, g.id ${by} OFFSET 0
    ) g
    WHERE true ${ofDecisions} ${q === undefined ? empty : searched(q, "contents", bounds)}
    ORDER BY g.created_at ${by}, g.id ${by}
    LIMIT ${limit}`;
    return sql`
    SELECT g.created_at, g.id FROM generations g
    WHERE ${own} ${ofDecisions}
    ORDER BY g.created_at ${by}, g.id ${by}
    LIMIT ${limit}`;
  };
  return query.preset === undefined
    ? ordered(empty)
    : sql`
    SELECT page.created_at, page.id
    FROM (${presetsOf(scope, query.preset)}) AS chosen(id) CROSS JOIN LATERAL (${ordered(sql`AND g.preset_id = chosen.id`)}) AS page
    ORDER BY page.created_at ${by}, page.id ${by}
    LIMIT ${limit}`;
}

/**
 * Query for a page of generations, newest first, plus one when another page follows. Raw SQL, because this list grows
 * without limit: it scans an index from the cursor and reads no more than the page.
 */
export function pageQuery(scope: Scope, query: LogQuery & Place, besides = empty): Prisma.Sql {
  const after = afterCursor(query);
  const part = (bounds: Bounds) =>
    inOrder(scope, query, {
      order: "DESC",
      bounds: { ...bounds, until: after.until },
      limit: query.limit + 1,
      besides: sql`${besides} ${after.condition}`,
    });
  if (query.spans === undefined) return part(query);
  const parts = query.spans.map((span) => sql`(${part(intersection(query, span))})`);
  return sql`SELECT created_at, id FROM (${Prisma.join(parts, " UNION ALL ")}) parts ORDER BY created_at DESC, id DESC LIMIT ${query.limit + 1}`;
}

/** Times of a list within a span. */
const intersection = ({ from, to }: Bounds, span: Span): Bounds => ({
  from: from !== undefined && new Date(from) > span.from ? from : span.from.toISOString(),
  to: to !== undefined && new Date(to) < span.to ? to : span.to.toISOString(),
});

/** Position of a cursor. */
export function afterCursor({ cursor }: Place): { until: Date | null; condition: Prisma.Sql } {
  if (cursor === undefined) return { until: null, condition: empty };
  const after = decodeCursor(cursor, (id) => generationSecond(id) !== null);
  return {
    until: after[0],
    condition: sql`AND (g.created_at, g.id) < (${after[0]}::timestamptz, ${after[1]})`,
  };
}

/** Query for those of a page that were recorded after a position: few, so that they are read first. */
export function lateQuery(scope: Scope, query: KeyedFilters & Place, [recordedIn, id]: Recorded): Prisma.Sql {
  const after = afterCursor(query);
  return sql`
    SELECT g.created_at, g.id FROM (
      SELECT * FROM generations WHERE organization_id = ${scope.organizationId}::uuid AND (recorded_in, id) > (${recordedIn}::bigint, ${id}) OFFSET 0
    ) g
    WHERE ${conditions(scope, query, { ...query, until: after.until }, "contents")} ${amongPresets(sql`g.preset_id`, scope, query.preset)}
      ${hasDecision(query) ? isDecided(query) : empty} ${after.condition}
    ORDER BY g.created_at DESC, g.id DESC LIMIT ${query.limit + 1}`;
}

/** Query for the next newer or older generation. */
export function neighbourQuery(
  scope: Scope,
  query: LogQuery,
  { created_at, id }: Found,
  side: "newer" | "older",
): Prisma.Sql {
  const isOlder = side === "older";
  return inOrder(scope, query, {
    order: isOlder ? "DESC" : "ASC",
    bounds: isOlder ? { ...query, until: created_at } : query,
    limit: 1,
    besides: sql`AND (g.created_at, g.id) ${isOlder ? sql`<` : sql`>`} (${created_at}::timestamptz, ${id})`,
  });
}

/** Query for generations recorded after a position and before `until`, in order of recording. */
export function tailQuery(
  scope: Scope,
  query: GenerationFilters & { limit: number },
  [transaction, id]: Recorded,
  until: bigint,
): Prisma.Sql {
  return sql`
    SELECT g.created_at, g.id, g.recorded_in FROM generations g
    WHERE ${allConditions(scope, query, "contents")}
    AND (g.recorded_in, g.id) > (${transaction}::bigint, ${id}) AND g.recorded_in < ${until}::bigint
    ORDER BY g.recorded_in, g.id
    LIMIT ${query.limit + 1}`;
}

/** Query for the number of matching generations, counting up to `most` plus one. */
export const countQuery = (scope: Scope, query: LogQuery, most: number, besides = empty): Prisma.Sql =>
  sql`SELECT count(*)::int AS total FROM (SELECT 1 FROM generations g WHERE ${allConditions(scope, query, query.strategy === "words" ? "index" : "contents")} ${besides} LIMIT ${most + 1}) AS counted`;
