import "server-only";
import { noteSearch } from "../../platform/database/pending-lists";
import type { Database } from "../../platform/database/transaction";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationFilters } from "./contract";
import { decisionMatches, hasDecision, ownMatches, type LogPlan, type LogQuery, type Scope } from "./page-store";
import { rowsExpected, searchPlan } from "./search-store";

/** Reading the decisions or contents of so many generations takes about as long as a page may. */
export const MOST_LOOKED_UP = 12_000;

/** Generations that are more than can be read all lead if so many times as many decisions match. */
const MUCH_RARER = 4;

/** Generations of more tagged keys are frequent enough to be found in order of time. */
const MOST_TAGGED = 200;

/** Generations of a page, as long as most lists ask for. */
const PAGE = 50;

/** Adds to filters how to find their generations. The planner would choose by averages: it doesn't see which key a hash is, nor the decisions of a generation. */
export async function withPlan<T extends Partial<GenerationFilters>>(
  db: Database,
  organizationId: string,
  filters: T,
): Promise<T & LogPlan> {
  if (filters.q !== undefined) noteSearch(db);
  const searched = { ...filters, ...(await searchPlan(db, filters.q)) };
  const planned: T & LogPlan = { ...searched, ...(await keyPlan(db, organizationId, filters)) };
  return withOrder(db, organizationId, planned);
}

/** Adds whether generations or what belongs to them is found first. */
export const withOrder = async <T extends LogQuery>(db: Database, organizationId: string, query: T): Promise<T> => ({
  ...query,
  ...(await orderPlan(db, organizationId, query)),
});

/** Returns true if at most a number of generations with some filters are expected. */
export const expectsFew = async (db: Database, scope: Scope, query: LogQuery, few: number): Promise<boolean> =>
  (await rowsExpected(db, ownMatches(scope, query))) <= few;

/** The ids of keys, or of those with a tag. A tag is then one of the keys, unless members have it. */
async function keyPlan(
  db: Database,
  organizationId: string,
  { key_hash, tag }: Partial<GenerationFilters>,
): Promise<LogPlan & { tag?: undefined }> {
  const tags = [tag ?? []].flat();
  if (key_hash === undefined) return tags.length === 0 ? {} : taggedPlan(db, organizationId, tags);
  const keys = await db.$queryRaw<{ id: string; is_tagged: boolean; has_tagged_members: boolean }[]>(Prisma.sql`
    SELECT id::text, tags && ${tags}::text[] AS is_tagged,
      (SELECT EXISTS (SELECT FROM members WHERE organization_id = ${organizationId}::uuid AND tags && ${tags}::text[])) AS has_tagged_members
    FROM keys WHERE organization_id = ${organizationId}::uuid AND hash = ANY(${[key_hash].flat()}::text[])`);
  if (tag === undefined || keys.some(({ has_tagged_members }) => has_tagged_members))
    return { keyIds: keys.map(({ id }) => id) };
  return { keyIds: keys.filter(({ is_tagged }) => is_tagged).map(({ id }) => id), tag: undefined };
}

/** The keys with a tag, if they are few and no member has it: the planner then knows how frequent they are together. */
async function taggedPlan(
  db: Database,
  organizationId: string,
  tags: readonly string[],
): Promise<LogPlan & { tag?: undefined }> {
  const [row] = await db.$queryRaw<{ ids: string[]; has_tagged_members: boolean }[]>(Prisma.sql`
    SELECT ARRAY(SELECT id::text FROM keys WHERE organization_id = ${organizationId}::uuid AND tags && ${tags}::text[] LIMIT ${MOST_TAGGED + 1}) AS ids,
      EXISTS (SELECT FROM members WHERE organization_id = ${organizationId}::uuid AND tags && ${tags}::text[]) AS has_tagged_members`);
  if (!row || row.ids.length > MOST_TAGGED) return { hasFrequentTag: true };
  if (row.has_tagged_members) return {};
  return { keyIds: row.ids, tag: undefined };
}

/** Few generations are found first, and others' tables are read for them, newest first. */
async function orderPlan(db: Database, organizationId: string, query: LogQuery): Promise<LogPlan> {
  const isSorted = query.min_cost === undefined;
  if (query.searchBy === "index" || !(hasDecision(query) || (query.searchBy === "contents" && !isSorted))) return {};
  const expected = (filters: LogQuery) => rowsExpected(db, ownMatches({ organizationId, userId: null }, filters));
  const own = await expected(query);
  const areFew = own <= MOST_LOOKED_UP;
  if (!hasDecision(query)) return { sortsFirst: areFew };
  if (!areFew && !isSorted) return {};
  const decided = await rowsExpected(db, decisionMatches(query));
  if (isSorted) return { decidesLast: own < (areFew ? decided : decided / MUCH_RARER) };
  // Sorting reads all generations of the cost; decisions would be read until those of a page have it.
  const sortsFirst = own < decided && own ** 2 < PAGE * (await expected({ ...query, min_cost: undefined }));
  return { decidesLast: sortsFirst, sortsFirst };
}
