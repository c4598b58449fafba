import "server-only";
import { createHash } from "node:crypto";
import { decodeCursor } from "../../platform/http/cursor";
import { generationSecond } from "../../platform/ids";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationFilters } from "./contract";

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

/** SQL for conditions on one decision; includes the page's time range so that the index scan ends. */
function decided(query: GenerationFilters, until: Date | null): Prisma.Sql {
  const { guardrail_id, rule, action } = query;
  if (guardrail_id === undefined && rule === undefined && action === undefined) return empty;
  return sql`AND (g.created_at, g.id) IN (
    SELECT created_at, generation_id FROM decisions WHERE true
    ${guardrail_id === undefined ? empty : sql`AND guardrail_id = ANY(${[guardrail_id].flat()}::uuid[])`}
    ${among(sql`action`, action)}
    ${rule === undefined ? empty : sql`AND (md5(rule) = ANY(${[rule].flat().map(md5)}::text[]) OR field = ANY(${[rule].flat()}::text[]))`}
    ${until ? sql`AND created_at <= ${until}::timestamptz` : empty}
    ${query.from ? sql`AND created_at >= ${query.from}::timestamptz` : empty}
    ${query.to ? sql`AND created_at < ${query.to}::timestamptz` : empty})`;
}

/** SQL for search words in prompt and completion, or a generation's id. */
function searched(q: string | undefined): Prisma.Sql {
  if (q === undefined) return empty;
  const second = generationSecond(q);
  if (second)
    return sql`AND g.id = ${q} AND g.created_at >= ${second.gte}::timestamptz AND g.created_at < ${second.lt}::timestamptz`;
  const query = sql`websearch_to_tsquery('simple', ${q})`;
  const hasPhrase = sql`${query}::text ~ ${PHRASE}`;
  return sql`AND (g.created_at, g.id) IN (
    SELECT created_at, generation_id FROM generation_contents
    WHERE (
      (${hasPhrase} AND querytree(${query}) IN ('T', ''))
      OR to_tsvector('simple', left(search_text, 200000)) @@
        CASE WHEN ${hasPhrase} THEN regexp_replace(querytree(${query}), ${PHRASE}, '&', 'g')::tsquery ELSE ${query} END
    ) AND (NOT ${hasPhrase} OR to_tsvector('simple', left(${CONTENT_TEXT}, 200000)) @@ ${query}))`;
}

/** Operators of words that follow each other. The words are found by the index, their order in the content. */
const PHRASE = "<(-|[0-9]+)>";

/** The text of prompt and completion, in order. */
const CONTENT_TEXT = sql`concat_ws(E'\n', (
    SELECT string_agg(text, E'\n' ORDER BY message.place, part.place)
    FROM jsonb_array_elements(input -> 'messages') WITH ORDINALITY AS message(value, place), LATERAL (
      SELECT message.value ->> 'content', 0 WHERE jsonb_typeof(message.value -> 'content') = 'string'
      UNION ALL
      SELECT parts.value ->> 'text', parts.place
      FROM jsonb_array_elements(
        CASE jsonb_typeof(message.value -> 'content') WHEN 'array' THEN message.value -> 'content' ELSE '[]' END
      ) WITH ORDINALITY AS parts(value, place)
      WHERE jsonb_typeof(parts.value -> 'text') = 'string'
    ) AS part(text, place)
  ), completion)`;

const microUsd = (usd: string) => sql`round(${usd}::numeric * 1000000)::bigint`;

/** Additional condition: content is stored and not expired. */
export const WITH_CONTENT = sql`AND g.content_stored AND g.content_deleted_at IS NULL`;

/** SQL for the scope and filters, on the table `generations g`. */
function conditions({ organizationId, userId }: Scope, query: GenerationFilters, until: Date | null): Prisma.Sql {
  return sql`g.organization_id = ${organizationId}::uuid
    ${query.from ? sql`AND g.created_at >= ${query.from}::timestamptz` : empty}
    ${query.to ? sql`AND g.created_at < ${query.to}::timestamptz` : empty}
    ${userId === null ? empty : sql`AND g.user_id = ${userId}`}
    ${amongTyped(sql`g.workspace_id`, "uuid", query.workspace_id)}
    ${amongTyped(sql`g.status`, "generation_status", query.status)}
    ${amongTyped(sql`g.api_type`, "protocol", query.protocol)}
    ${among(sql`g.model`, query.model)}
    ${among(sql`g.provider_slug`, query.provider)}
    ${among(sql`g.user_id`, query.user_id)}
    ${among(sql`g.session_id`, query.session_id)}
    ${amongIdsOf(sql`g.key_id`, query.key_hash, (hashes) => sql`SELECT id FROM keys WHERE organization_id = ${organizationId}::uuid AND hash = ANY(${hashes}::text[])`)}
    ${
      query.preset === undefined
        ? empty
        : sql`AND g.preset_id = ANY(ARRAY(
            SELECT presets.id FROM presets JOIN workspaces ON workspaces.id = presets.workspace_id
            WHERE workspaces.organization_id = ${organizationId}::uuid AND presets.slug = ANY(${[query.preset].flat()}::text[])))`
    }
    ${query.preset_version === undefined ? empty : sql`AND g.preset_version = ${query.preset_version}`}
    ${decided(query, until)}
    ${query.min_cost === undefined ? empty : sql`AND g.cost_micro_usd >= ${microUsd(query.min_cost)}`}
    ${query.max_cost === undefined ? empty : sql`AND g.cost_micro_usd <= ${microUsd(query.max_cost)}`}
    ${searched(query.q)}`;
}

/**
 * Query for a page of generations, newest first, plus one when another page follows. Raw SQL, because this list grows
 * without limit: it scans an index from the cursor and reads no more than the page.
 */
export function pageQuery(scope: Scope, query: GenerationFilters & Place, besides = empty): Prisma.Sql {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, (id) => generationSecond(id) !== null);
  return sql`
    SELECT g.created_at, g.id FROM generations g
    WHERE ${conditions(scope, query, after?.[0] ?? null)} ${besides}
    ${after ? sql`AND (g.created_at, g.id) < (${after[0]}::timestamptz, ${after[1]})` : empty}
    ORDER BY g.created_at DESC, g.id DESC
    LIMIT ${query.limit + 1}`;
}

/** Query for the next newer or older generation. */
export function neighbourQuery(
  scope: Scope,
  query: GenerationFilters,
  { created_at, id }: Found,
  side: "newer" | "older",
): Prisma.Sql {
  const [beyond, order] = side === "newer" ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`];
  return sql`
    SELECT g.created_at, g.id FROM generations g
    WHERE ${conditions(scope, query, side === "older" ? created_at : null)} AND (g.created_at, g.id) ${beyond} (${created_at}::timestamptz, ${id})
    ORDER BY g.created_at ${order}, g.id ${order}
    LIMIT 1`;
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
    WHERE ${conditions(scope, query, null)}
    AND (g.recorded_in, g.id) > (${transaction}::bigint, ${id}) AND g.recorded_in < ${until}::bigint
    ORDER BY g.recorded_in, g.id
    LIMIT ${query.limit + 1}`;
}

/** Query for the number of matching generations, counting up to `most` plus one. */
export const countQuery = (scope: Scope, query: GenerationFilters, most: number, besides = empty): Prisma.Sql =>
  sql`SELECT count(*)::int AS total FROM (SELECT 1 FROM generations g WHERE ${conditions(scope, query, null)} ${besides} LIMIT ${most + 1}) AS counted`;
