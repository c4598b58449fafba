import "server-only";
import { generationSecond } from "../../platform/ids";
import type { Database } from "../../platform/database/transaction";
import { Prisma } from "../../../prisma/generated/client";
import { within, type Bounds } from "./bounds-store";

const { sql } = Prisma;

/**
 * How words are found: rare ones in the index, frequent ones by looking through the log's contents until the page is full. The
 * index would first collect every content with a frequent word, however few are shown.
 */
export type SearchBy = "index" | "contents";

/** Contents that are read for a page from the log, if all have the words. Reading one takes about as long as collecting one from the index. */
const OF_PAGE = 50;
/** The newest contents in which words are looked for whose frequency the planner doesn't know, and the number from which on they are frequent. */
const [SAMPLE, FREQUENT] = [2_000, 4];
/** A word that no content has. */
const ABSENT = "b1f0c5a7e3";

/**
 * Operators of words that follow each other. The words are found by the index, their order in the content; contents in objects
 * are found by the words alone.
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

/** SQL for contents with the words of a search, in any order. */
const hasWords = (q: string) => sql`(
    (${hasPhrase(q)} AND querytree(${tsquery(q)}) IN ('T', ''))
    OR to_tsvector('simple', left(search_text, 200000)) @@
      CASE WHEN ${hasPhrase(q)} THEN regexp_replace(querytree(${tsquery(q)}), ${PHRASE}, '&', 'g')::tsquery ELSE ${tsquery(q)} END
  )`;

/** A step of a plan. */
interface Step {
  "Plan Rows": number;
  "Relation Name"?: string;
  Plans?: Step[];
}

async function planOf(db: Database, query: Prisma.Sql): Promise<Step | undefined> {
  const [row] = await db.$queryRaw<{ "QUERY PLAN": [{ Plan: Step }] }[]>`EXPLAIN (FORMAT JSON) ${query}`;
  return row?.["QUERY PLAN"][0].Plan;
}

/** Number of rows that the planner expects of a query. */
export const rowsExpected = async (db: Database, query: Prisma.Sql): Promise<number> =>
  (await planOf(db, query))?.["Plan Rows"] ?? 0;

/** The number of generations that the planner expects of a query, and of the month with the most of them. */
export async function monthlyRowsExpected(db: Database, query: Prisma.Sql): Promise<{ all: number; ofMonth: number }> {
  const plan = await planOf(db, query);
  const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];
  const ofMonths = (plan ? stepsOf(plan) : [])
    .filter((step) => step["Relation Name"]?.startsWith("generations"))
    .map((step) => step["Plan Rows"]);
  const all = plan?.["Plan Rows"] ?? 0;
  // Parallel steps are expected to have the rows of one process, so that only their ratio counts.
  const ofSteps = ofMonths.reduce((sum, rows) => sum + rows, 0);
  return { all, ofMonth: ofSteps > 0 ? (all * Math.max(...ofMonths)) / ofSteps : all };
}

/** True for a search of words, false for a generation's id. */
export const isWords = (q: string): boolean => !generationSecond(q);

/**
 * How to find the words of a search; null without any: collecting all contents with them from the index, or reading contents until enough have them. The planner knows the
 * frequency of a thousand words and expects each other one as often as half of the rarest of these: in a large log, it is looked for in a sample.
 */
export async function searchPlan(db: Database, q: string | undefined, ofPage = OF_PAGE): Promise<SearchBy | null> {
  if (q === undefined || !isWords(q)) return null;
  const expected = (where: Prisma.Sql) => rowsExpected(db, sql`SELECT 1 FROM generation_contents WHERE ${where}`);
  const [withWords, all] = [await expected(hasWords(q)), await expected(sql`true`)];
  if (withWords ** 2 <= ofPage * all) return "index";
  if (withWords > 1.1 * (await expected(hasWords(ABSENT)))) return "contents";
  const [sample] = await db.$queryRaw<{ found: number }[]>`
    SELECT count(*)::int AS found FROM (SELECT * FROM generation_contents ORDER BY created_at DESC, generation_id DESC LIMIT ${SAMPLE}) newest
    WHERE ${hasWords(q)}`;
  return (sample?.found ?? 0) >= FREQUENT ? "contents" : "index";
}

const matchingContent = (q: string) =>
  sql`${hasWords(q)} AND (NOT ${hasPhrase(q)} OR storage_key IS NOT NULL OR to_tsvector('simple', left(${CONTENT_TEXT}, 200000)) @@ ${tsquery(q)})`;

/** SQL for the generations with the words of a search (`created_at`, `generation_id`), from the index of words. */
export const foundByIndex = (q: string, bounds: Bounds) => sql`
  WITH found AS MATERIALIZED (
    SELECT created_at, generation_id FROM generation_contents WHERE ${matchingContent(q)} ${within(sql`created_at`, bounds)}
  ) SELECT created_at, generation_id FROM found`;

/** SQL for search words in prompt and completion, or a generation's id, on the table `generations g`. */
export function searched(q: string, by: SearchBy, bounds: Bounds): Prisma.Sql {
  const second = generationSecond(q);
  if (second)
    return sql`AND g.id = ${q} AND g.created_at >= ${second.gte}::timestamptz AND g.created_at < ${second.lt}::timestamptz`;
  // Neither form leaves the planner a choice: it underestimates what reading a content costs.
  return by === "index"
    ? sql`AND (g.created_at, g.id) IN (${foundByIndex(q, bounds)})`
    : sql`AND EXISTS (
        SELECT 1 FROM generation_contents c WHERE c.created_at = g.created_at AND c.generation_id = g.id AND ${matchingContent(q)} OFFSET 0)`;
}
