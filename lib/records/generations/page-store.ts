import "server-only";
import { createHash } from "node:crypto";
import { decodeCursor } from "../../platform/http/cursor";
import { generationSecond } from "../../platform/ids";
import { Prisma } from "../../../prisma/generated/client";
import { within, type Bounds } from "./bounds-store";
import type { GenerationFilters } from "./contract";
import { searched, type SearchBy } from "./search-store";

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

/** Start and maximum length of a page. */
interface Place {
  cursor?: string | undefined;
  limit: number;
}

/** Filters of the log, with the way to find the words of a search (`searchBy`). */
export type LogQuery = GenerationFilters & { searchBy?: SearchBy };

type OneOrMany = string | readonly string[] | undefined;

const { sql, empty } = Prisma;

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

/** SQL for a column of an enum or id type, with values cast to the column's type. */
function amongTyped(column: Prisma.Sql, type: "generation_status" | "protocol" | "uuid", given: OneOrMany): Prisma.Sql {
  if (given === undefined) return empty;
  const cast = Prisma.raw(type);
  return typeof given === "string"
    ? sql`AND ${column} = ${given}::${cast}`
    : sql`AND ${column} = ANY(${given}::text[]::${cast}[])`;
}

/** Hash of a rule for the index, whose entries have a maximum length. */
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** True if a query has conditions on a decision. */
const hasDecision = ({ guardrail_id, rule, action }: GenerationFilters): boolean =>
  guardrail_id !== undefined || rule !== undefined || action !== undefined;

/** SQL for the decisions that a query asks for, in the page's time range. A rule's name may be that of a field: two indexes, merged in order. */
function decisionsOf(query: GenerationFilters, bounds: Bounds): Prisma.Sql {
  const { guardrail_id, rule, action } = query;
  const matching = (condition: Prisma.Sql) => sql`
    SELECT created_at, generation_id FROM decisions WHERE true ${condition}
    ${amongTyped(sql`guardrail_id`, "uuid", guardrail_id)}
    ${among(sql`action`, action)}
    ${within(sql`created_at`, bounds)}`;
  return rule === undefined
    ? matching(empty)
    : sql`${matching(among(sql`md5(rule)`, [rule].flat().map(md5)))} UNION ALL ${matching(among(sql`field`, rule))}`;
}

const microUsd = (usd: string) => sql`round(${usd}::numeric * 1000000)::bigint`;

/** Additional condition: content is stored and not expired. */
export const WITH_CONTENT = sql`AND g.content_stored AND g.content_deleted_at IS NULL`;

/** SQL for the filters on the table `generations g` that need no other table, and for a search. */
function conditions({ organizationId, userId }: Scope, query: LogQuery, bounds: Bounds): Prisma.Sql {
  return sql`g.organization_id = ${organizationId}::uuid
    ${within(sql`g.created_at`, bounds)}
    ${userId === null ? empty : sql`AND g.user_id = ${userId}`}
    ${amongTyped(sql`g.workspace_id`, "uuid", query.workspace_id)}
    ${amongTyped(sql`g.status`, "generation_status", query.status)}
    ${amongTyped(sql`g.api_type`, "protocol", query.protocol)}
    ${among(sql`g.model`, query.model)}
    ${among(sql`g.provider_slug`, query.provider)}
    ${among(sql`g.user_id`, query.user_id)}
    ${among(sql`g.session_id`, query.session_id)}
    ${among(sql`g.trace_id`, query.trace_id)}
    ${amongIdsOf(sql`g.key_id`, query.key_hash, (hashes) => sql`SELECT id FROM keys WHERE organization_id = ${organizationId}::uuid AND hash = ANY(${hashes}::text[])`)}
    ${query.tag === undefined ? empty : sql`AND g.key_id = ANY(ARRAY(${keysWithTags(organizationId, [query.tag].flat())}))`}
    ${query.preset_version === undefined ? empty : sql`AND g.preset_version = ${query.preset_version}`}
    ${query.min_cost === undefined ? empty : sql`AND g.cost_micro_usd >= ${microUsd(query.min_cost)}`}
    ${query.max_cost === undefined ? empty : sql`AND g.cost_micro_usd <= ${microUsd(query.max_cost)}`}
    ${query.q === undefined ? empty : searched(query.q, query.searchBy ?? "index", bounds)}`;
}

/** SQL for the ids of the keys that have one of the tags. */
export const keysWithTags = (organizationId: string, tags: readonly string[]) => sql`
  SELECT id FROM keys WHERE organization_id = ${organizationId}::uuid AND tags && ${tags}::text[]`;

/** SQL for the ids of the presets with the slugs of a query, of each workspace that has one. */
export const presetsOf = ({ organizationId }: Scope, preset: OneOrMany) => sql`
  SELECT presets.id FROM presets JOIN workspaces ON workspaces.id = presets.workspace_id
  WHERE workspaces.organization_id = ${organizationId}::uuid AND presets.slug = ANY(${[preset ?? []].flat()}::text[])`;

/** SQL for all filters on the table `generations g`, in no order. */
export const allConditions = (scope: Scope, query: LogQuery) => sql`${conditions(scope, query, query)}
  ${query.preset === undefined ? empty : sql`AND g.preset_id = ANY(ARRAY(${presetsOf(scope, query.preset)}))`}
  ${hasDecision(query) ? sql`AND (g.created_at, g.id) IN (${decisionsOf(query, query)})` : empty}`;

/**
 * Query for the newest or oldest matching generations. It follows an index in this order and ends when it has enough: that of the decisions or of
 * each preset, if there are such conditions.
 */
function inOrder(
  scope: Scope,
  query: LogQuery,
  { order, bounds, limit, besides }: { order: "ASC" | "DESC"; bounds: Bounds; limit: number; besides: Prisma.Sql },
): Prisma.Sql {
  const by = Prisma.raw(order);
  const ordered = (more: Prisma.Sql) => {
    const matching = sql`${conditions(scope, query, bounds)} ${besides} ${more}`;
    return hasDecision(query)
      ? sql`
    SELECT DISTINCT decided.created_at, decided.generation_id AS id
    FROM (${decisionsOf(query, bounds)}) decided CROSS JOIN LATERAL (
      SELECT FROM generations g WHERE g.created_at = decided.created_at AND g.id = decided.generation_id AND ${matching} OFFSET 0
    ) matching
    ORDER BY decided.created_at ${by}, decided.generation_id ${by}
    LIMIT ${limit}`
      : sql`
    SELECT g.created_at, g.id FROM generations g
    WHERE ${matching}
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
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, (id) => generationSecond(id) !== null);
  return inOrder(scope, query, {
    order: "DESC",
    bounds: { ...query, until: after?.[0] ?? null },
    limit: query.limit + 1,
    besides: sql`${besides} ${after ? sql`AND (g.created_at, g.id) < (${after[0]}::timestamptz, ${after[1]})` : empty}`,
  });
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
    WHERE ${allConditions(scope, { ...query, searchBy: "contents" })}
    AND (g.recorded_in, g.id) > (${transaction}::bigint, ${id}) AND g.recorded_in < ${until}::bigint
    ORDER BY g.recorded_in, g.id
    LIMIT ${query.limit + 1}`;
}

/** Query for the number of matching generations, counting up to `most` plus one. */
export const countQuery = (scope: Scope, query: LogQuery, most: number, besides = empty): Prisma.Sql =>
  sql`SELECT count(*)::int AS total FROM (SELECT 1 FROM generations g WHERE ${allConditions(scope, query)} ${besides} LIMIT ${most + 1}) AS counted`;
