import "server-only";
import { generationSecond, requestTimes } from "../../platform/ids";
import { Prisma } from "../../../prisma/generated/client";

const { sql } = Prisma;

/**
 * Operators of a phrase's words. The index finds the words, the content their order. For contents in objects, the words
 * are enough.
 */
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

const tsquery = (q: string) => sql`websearch_to_tsquery('simple', ${q})`;
const hasPhrase = (q: string) => sql`${tsquery(q)}::text ~ ${PHRASE}`;

/** SQL for contents with the words of a search in any order. */
const hasWords = (q: string) => sql`(
    (${hasPhrase(q)} AND querytree(${tsquery(q)}) IN ('T', ''))
    OR content_words(search_text) @@
      CASE WHEN ${hasPhrase(q)} THEN regexp_replace(querytree(${tsquery(q)}), ${PHRASE}, '&', 'g')::tsquery ELSE ${tsquery(q)} END
  )`;

/** True for a search of words, false for a generation's id. */
export const isWords = (q: string | undefined): q is string => q !== undefined && !generationSecond(q);

/** SQL for the generation `g` with the searched id; empty for words. */
export function isGeneration(q: string): Prisma.Sql {
  const second = generationSecond(q);
  return second
    ? sql`AND g.id = ${q} AND g.created_at >= ${second.gte}::timestamptz AND g.created_at < ${second.lt}::timestamptz`
    : Prisma.empty;
}

/** SQL for the generations `g` of the request with an id. */
export function isOfRequest(id: string): Prisma.Sql {
  const times = requestTimes(id);
  const within = times
    ? sql`AND g.created_at >= ${times.gte}::timestamptz AND g.created_at < ${times.lt}::timestamptz`
    : Prisma.empty;
  return sql`AND g.request_id = ${id} ${within}`;
}

/** SQL for contents with the text of a search. */
export const hasText = (q: string): Prisma.Sql =>
  sql`${hasWords(q)} AND (NOT ${hasPhrase(q)} OR storage_key IS NOT NULL OR to_tsvector('simple', left(${CONTENT_TEXT}, 200000)) @@ ${tsquery(q)})`;
