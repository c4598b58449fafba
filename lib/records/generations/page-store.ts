import "server-only";
import { createHash } from "node:crypto";
import { decodeCursor } from "../../platform/http/cursor";
import { generationSecond } from "../../platform/ids";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationFilters } from "./contract";
import { hasText, isGeneration, isOfRequest, isWords } from "./search-store";
import { GENERATION_STATUSES, type GenerationStatus } from "./vocabulary";

export interface Found {
  created_at: Date;
  id: string;
}

/** Restricts a list to the organization, or to one member; with `workspaceIds` to these workspaces and the member. */
export interface Scope {
  organizationId: string;
  userId: string | null;
  workspaceIds?: readonly string[];
}

/** A position in the log by order of recording: the writing transaction and the generation. */
export type Recorded = readonly [transaction: bigint, id: string];

/** Start and maximum length of a page. */
export interface Place {
  cursor?: string | undefined;
  limit: number;
}

/** Filters, with a start for most lists, see `withRange`. */
type Query = Partial<GenerationFilters>;

/** Time range of a list: `from` and `to` (exclusive) of its filters, `notBefore` or `until` of its cursor (inclusive). */
interface Bounds {
  from?: string | undefined;
  to?: string | undefined;
  notBefore?: Date;
  until?: Date;
}

type OneOrMany = string | readonly string[] | undefined;

const { sql, empty, raw } = Prisma;

/**
 * SQL for a time within bounds. Each table needs this condition, because the planner doesn't know that a decision has
 * its generation's time.
 */
const within = (column: Prisma.Sql, { from, to, notBefore, until }: Bounds): Prisma.Sql => sql`
  ${from ? sql`AND ${column} >= ${from}::timestamptz` : empty}
  ${notBefore ? sql`AND ${column} >= ${notBefore}::timestamptz` : empty}
  ${to ? sql`AND ${column} < ${to}::timestamptz` : empty}
  ${until ? sql`AND ${column} <= ${until}::timestamptz` : empty}`;

/** SQL for `column = value`, which can use an ordered index, or for any of several values. */
function among(column: Prisma.Sql, given: OneOrMany): Prisma.Sql {
  if (given === undefined) return empty;
  const values = [given].flat();
  return values.length === 1 ? sql`AND ${column} = ${values[0]}` : sql`AND ${column} = ANY(${values}::text[])`;
}

/** SQL for a column with a key's id, by the key's hash. */
function amongKeys(column: Prisma.Sql, { organizationId }: Scope, given: OneOrMany): Prisma.Sql {
  if (given === undefined) return empty;
  const keys = sql`SELECT id FROM keys WHERE organization_id = ${organizationId}::uuid AND hash = ANY(${[given].flat()}::text[])`;
  return typeof given === "string" ? sql`AND ${column} = (${keys} LIMIT 1)` : sql`AND ${column} = ANY(ARRAY(${keys}))`;
}

/** SQL for a column of an enum or id type, with values cast to the column's type. */
function amongTyped(column: Prisma.Sql, type: "protocol" | "uuid", given: OneOrMany): Prisma.Sql {
  if (given === undefined) return empty;
  const cast = raw(type);
  return typeof given === "string"
    ? sql`AND ${column} = ${given}::${cast}`
    : sql`AND ${column} = ANY(${given}::text[]::${cast}[])`;
}

/** SQL for statuses as literals, so that the planner can use the partial index without the most frequent status. */
const amongStatuses = (statuses: readonly GenerationStatus[]) =>
  sql`AND g.status IN (${raw(
    GENERATION_STATUSES.filter((status) => statuses.includes(status))
      .map((status) => `'${status}'`)
      .join(", "),
  )})`;

/** Hash of a rule for the index, which limits the length of entries. */
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** SQL for a decision `d` that blocked its generation. Excluded endpoints count only if no rule blocked it. */
export const IS_BLOCKING = `(d.action = 'block' OR d.action = 'exclude' AND NOT EXISTS (
      SELECT FROM decisions other WHERE other.created_at = d.created_at AND other.generation_id = d.generation_id AND other.action = 'block'
    ))`;

/** SQL for the rule of a decision `d`. `rule` may also be a field name. */
const ruled = (rule: OneOrMany): Prisma.Sql =>
  rule === undefined
    ? empty
    : sql`AND (md5(d.rule) = ANY(${[rule].flat().map(md5)}::text[]) OR d.field = ANY(${[rule].flat()}::text[]))`;

const hasDecision = ({ guardrail_id, rule, action, blocked_by }: Query): boolean =>
  [guardrail_id, rule, action, blocked_by].some((filter) => filter !== undefined);

/** SQL for decisions `d` that match all filters on decisions. */
const decided = ({ guardrail_id, rule, action, blocked_by }: Query): Prisma.Sql => sql`
  ${ruled(rule)} ${amongTyped(sql`d.guardrail_id`, "uuid", guardrail_id)} ${among(sql`d.action`, action)}
  ${blocked_by === undefined ? empty : sql`${amongTyped(sql`d.guardrail_id`, "uuid", blocked_by)} AND ${raw(IS_BLOCKING)}`}`;

const microUsd = (usd: string) => sql`round(${usd}::numeric * 1000000)::bigint`;

/** Additional condition: content is stored. */
export const WITH_CONTENT = sql`AND g.content_stored AND g.content_deleted_at IS NULL
    AND EXISTS (SELECT FROM generation_contents c WHERE c.created_at = g.created_at AND c.generation_id = g.id OFFSET 0)`;

/** SQL for rows whose key or member has one of the tags. */
export function isTagged(row: "g" | "r", organizationId: string, tag: OneOrMany): Prisma.Sql {
  const ids = (table: "keys" | "members") =>
    sql`SELECT id FROM ${raw(table)} WHERE organization_id = ${organizationId}::uuid AND tags && ${[tag].flat()}::text[]`;
  return sql`(${raw(row)}.key_id IN (${ids("keys")}) OR ${raw(row)}.user_id IN (${ids("members")}))`;
}

/** SQL for the ids of presets with the slugs of a query, in every workspace that has one. */
export const presetsOf = ({ organizationId }: Scope, preset: OneOrMany) => sql`
  SELECT presets.id FROM presets JOIN workspaces ON workspaces.id = presets.workspace_id
  WHERE workspaces.organization_id = ${organizationId}::uuid AND presets.slug = ANY(${[preset ?? []].flat()}::text[])`;

/** SQL for the rows of a scope's workspaces and member: generations `g` or sums `r`. */
export function withinScope(row: "g" | "r", { userId, workspaceIds }: Scope): Prisma.Sql {
  const own = userId === null ? empty : sql`${raw(row)}.user_id = ${userId}`;
  if (workspaceIds === undefined) return userId === null ? empty : sql`AND ${own}`;
  const there = sql`${raw(row)}.workspace_id = ANY(${workspaceIds}::uuid[])`;
  return sql`AND (${there} ${userId === null ? empty : sql`OR ${own}`})`;
}

/** SQL for the filters on columns of the table `generations g`, or a search for an id. */
function ownConditions(scope: Scope, query: Query, bounds: Bounds = query): Prisma.Sql {
  const { organizationId } = scope;
  return sql`g.organization_id = ${organizationId}::uuid
    ${within(sql`g.created_at`, bounds)}
    ${withinScope("g", scope)}
    ${amongTyped(sql`g.workspace_id`, "uuid", query.workspace_id)}
    ${query.status === undefined ? empty : amongStatuses([query.status].flat())}
    ${query.blocked_by === undefined ? empty : amongStatuses(["blocked"])}
    ${amongTyped(sql`g.api_type`, "protocol", query.protocol)}
    ${among(sql`g.model`, query.model)}
    ${among(sql`g.provider_slug`, query.provider)}
    ${among(sql`g.user_id`, query.user_id)}
    ${among(sql`g.session_id`, query.session_id)}
    ${among(sql`g.trace_id`, query.trace_id)}
    ${among(sql`g.external_user`, query.end_user)}
    ${among(sql`coalesce(g.app_title, g.http_referer)`, query.app)}
    ${amongKeys(sql`g.key_id`, scope, query.key_hash)}
    ${query.tag === undefined ? empty : sql`AND ${isTagged("g", organizationId, query.tag)}`}
    ${query.preset === undefined ? empty : sql`AND g.preset_id = ANY(ARRAY(${presetsOf(scope, query.preset)}))`}
    ${query.preset_version === undefined ? empty : sql`AND g.preset_version = ${query.preset_version}`}
    ${query.min_cost === undefined ? empty : sql`AND g.cost_micro_usd >= ${microUsd(query.min_cost)}`}
    ${query.max_cost === undefined ? empty : sql`AND g.cost_micro_usd <= ${microUsd(query.max_cost)}`}
    ${query.request_id === undefined ? empty : isOfRequest(query.request_id)}
    ${query.q === undefined ? empty : isGeneration(query.q)}`;
}

/** SQL for all filters on the table `generations g` except words. */
export const allConditions = (scope: Scope, query: Query): Prisma.Sql => sql`${ownConditions(scope, query)}
  ${
    hasDecision(query)
      ? sql`AND (g.created_at, g.id) IN (
    SELECT d.created_at, d.generation_id FROM decisions d WHERE true ${within(sql`d.created_at`, query)} ${decided(query)}
  )`
      : empty
  }`;

/**
 * SQL that looks up the decisions of each generation `g`. `OFFSET 0` prevents the planner from joining whole tables,
 * see `matching`.
 */
const isDecided = (query: Query): Prisma.Sql =>
  hasDecision(query)
    ? sql`AND EXISTS (SELECT FROM decisions d WHERE d.created_at = g.created_at AND d.generation_id = g.id ${decided(query)} OFFSET 0)`
    : empty;

/** SQL that reads the content of each generation `g`. */
const isInContent = ({ q }: Query): Prisma.Sql =>
  isWords(q)
    ? sql`AND EXISTS (SELECT FROM generation_contents c WHERE c.created_at = g.created_at AND c.generation_id = g.id AND ${hasText(q)} OFFSET 0)`
    : empty;

/** Returns the table to read in order of time, by an index of its filter. Other tables are looked up for each row. */
function leadingTable(scope: Scope, query: Query): "generations" | "decisions" | "contents" {
  const ofFew = [
    query.request_id,
    query.session_id,
    query.trace_id,
    query.end_user,
    query.key_hash,
    query.user_id,
    scope.workspaceIds === undefined ? (scope.userId ?? undefined) : undefined,
  ];
  if (ofFew.some((filter) => filter !== undefined)) return "generations";
  return hasDecision(query) ? "decisions" : isWords(query.q) ? "contents" : "generations";
}

/**
 * Query for matching generations. Uses a lateral lookup instead of a join: for a join, the planner multiplies the
 * chances of an equal time and an equal id, expects almost no match, and reads both tables as a whole.
 */
function matching(scope: Scope, query: Query, part: Part): Prisma.Sql {
  const { bounds = query, besides = empty, value } = part;
  const own = sql`${ownConditions(scope, query, bounds)} ${besides}`;
  const selected = value ? sql`${value}::bigint AS value` : empty;
  const and = (column: Prisma.Sql) => (value ? sql`, ${column}` : empty);
  const lookedUp = (row: "c" | "d", conditions: Prisma.Sql) => sql`CROSS JOIN LATERAL (
      SELECT ${selected} FROM generations g WHERE g.created_at = ${raw(row)}.created_at AND g.id = ${raw(row)}.generation_id AND ${own} ${conditions} OFFSET 0
    ) matching`;
  switch (leadingTable(scope, query)) {
    case "generations": {
      const all = sql`SELECT g.created_at, g.id ${and(selected)} FROM generations g WHERE ${own}`;
      if (!hasDecision(query) && !isWords(query.q)) return all;
      // Sorted first, so that other tables are looked up only for the rows of a page.
      const sorted = sql`${all} ${orderOf(part)} OFFSET 0`;
      return sql`SELECT g.created_at, g.id ${and(sql`g.value`)} FROM (${sorted}) g WHERE true ${isDecided(query)} ${isInContent(query)}`;
    }
    case "decisions":
      return sql`
    SELECT DISTINCT d.created_at, d.generation_id AS id ${and(sql`matching.value`)} FROM decisions d ${lookedUp("d", isInContent(query))}
    WHERE true ${within(sql`d.created_at`, bounds)} ${decided(query)}`;
    case "contents":
      return sql`
    SELECT c.created_at, c.generation_id AS id ${and(sql`matching.value`)} FROM generation_contents c ${lookedUp("c", empty)}
    WHERE ${hasText(query.q ?? "")} ${within(sql`c.created_at`, bounds)}`;
  }
}

export type Direction = "ASC" | "DESC";

interface Part {
  bounds?: Bounds;
  besides?: Prisma.Sql;
  order?: Direction;
  /** SQL for a value of the generation `g` that precedes the time in the order. */
  value?: Prisma.Sql;
}

const orderOf = ({ order = "DESC", value }: Part): Prisma.Sql =>
  raw(`ORDER BY ${[...(value ? ["value"] : []), "created_at", "id"].map((column) => `${column} ${order}`).join(", ")}`);

/** Query for the first or last matching generations of an order. */
export const inOrder = (scope: Scope, query: Query, part: Part & { order: Direction }, limit: number): Prisma.Sql =>
  sql`${matching(scope, query, part)} ${orderOf(part)} LIMIT ${limit}`;

/** Query for a page of generations, newest first unless `order` says otherwise, plus one row when another page follows. */
export function pageQuery(scope: Scope, query: Query & Place, besides = empty, order: Direction = "DESC"): Prisma.Sql {
  const { cursor, limit } = query;
  if (cursor === undefined) return inOrder(scope, query, { besides, order }, limit + 1);
  const [at, id] = decodeCursor(cursor, (text) => generationSecond(text) !== null);
  return inOrder(scope, query, beyond(query, besides, order, { created_at: at, id }), limit + 1);
}

/** The part of a list in order of time that follows a generation. */
function beyond(query: Query, besides: Prisma.Sql, order: Direction, { created_at, id }: Found) {
  const bounds = order === "DESC" ? { ...query, until: created_at } : { ...query, notBefore: created_at };
  const after = sql`AND (g.created_at, g.id) ${raw(order === "DESC" ? "<" : ">")} (${created_at}::timestamptz, ${id})`;
  return { bounds, besides: sql`${besides} ${after}`, order };
}

/** Query for the next newer or older generation. */
export function neighbourQuery(scope: Scope, query: Query, found: Found, side: "newer" | "older"): Prisma.Sql {
  return inOrder(scope, query, beyond(query, empty, side === "older" ? "DESC" : "ASC", found), 1);
}

/** Query for generations recorded after a position and before `until`, in order of recording. */
export function tailQuery(
  scope: Scope,
  query: Query & { limit: number },
  [transaction, id]: Recorded,
  until: bigint,
): Prisma.Sql {
  return sql`
    SELECT g.created_at, g.id, g.recorded_in FROM generations g
    WHERE ${ownConditions(scope, query)} ${isDecided(query)} ${isInContent(query)}
    AND (g.recorded_in, g.id) > (${transaction}::bigint, ${id}) AND g.recorded_in < ${until}::bigint
    ORDER BY g.recorded_in, g.id
    LIMIT ${query.limit + 1}`;
}

/** Query for the number of matching generations, up to `most` plus one. */
export const countQuery = (scope: Scope, query: Query, most: number, besides = empty): Prisma.Sql =>
  sql`SELECT count(*)::int AS total FROM (${matching(scope, query, { besides })} LIMIT ${most + 1}) AS counted`;
