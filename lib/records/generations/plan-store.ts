import "server-only";
import { noteSearch } from "../../platform/database/pending-lists";
import type { Database } from "../../platform/database/transaction";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationFilters } from "./contract";
import {
  decisionMatches,
  hasDecision,
  ownMatches,
  type KeyedFilters,
  type LogPlan,
  type LogQuery,
  type Scope,
  type Strategy,
} from "./page-store";
import { isWords, monthlyRowsExpected, rowsExpected, searchPlan } from "./search-store";

/** Reading the decisions or contents of so many generations takes about as long as a page may. */
export const MOST_LOOKED_UP = 12_000;

/** Generations that are more than can be read all lead if so many times as many decisions match. */
const MUCH_RARER = 4;

/** Generations of more tagged keys are frequent enough to be found in order of time. */
const MOST_TAGGED = 200;

/** Generations of a page, as long as most lists ask for. */
const PAGE = 50;

/** `months` if a list reads one month after the other, see `readPage`. */
type Reading = "all" | "months";

/** Adds to filters how to find their generations. The planner would choose by averages: it doesn't see which key a hash is, nor the decisions of a generation. */
export async function withPlan<T extends Partial<GenerationFilters>>(
  db: Database,
  organizationId: string,
  filters: T,
  reading: Reading = "all",
): Promise<T & LogPlan> {
  if (filters.q !== undefined) noteSearch(db);
  const isOfRareWords = (await searchPlan(db, filters.q)) === "index";
  const keyed = { ...filters, ...(await keyPlan(db, organizationId, filters)) };
  const strategy = isOfRareWords ? "words" : hasDecision(filters) ? "decisions" : "generations";
  return withStrategy(db, organizationId, { ...keyed, strategy }, reading);
}

/** Chooses the strategy again, unless words are read first. */
export const withStrategy = async <T extends LogQuery>(
  db: Database,
  organizationId: string,
  query: T,
  reading: Reading,
): Promise<T> => ({
  ...query,
  strategy: await strategyFor(db, organizationId, query, reading),
});

/** Returns true if at most a number of generations with some filters are expected. */
export const expectsFew = async (db: Database, scope: Scope, query: KeyedFilters, few: number): Promise<boolean> =>
  (await rowsExpected(db, ownMatches(scope, query))) <= few;

/** IDs that the filters `key_hash` and `tag` refer to. */
type KeyPlan = Pick<KeyedFilters, "keyIds" | "hasFrequentTag"> & { tag?: undefined };

/** The ids of keys, or of those with a tag. A tag is then one of the keys, unless members have it. */
async function keyPlan(
  db: Database,
  organizationId: string,
  { key_hash, tag }: Partial<GenerationFilters>,
): Promise<KeyPlan> {
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
async function taggedPlan(db: Database, organizationId: string, tags: readonly string[]): Promise<KeyPlan> {
  const [row] = await db.$queryRaw<{ ids: string[]; has_tagged_members: boolean }[]>(Prisma.sql`
    SELECT ARRAY(SELECT id::text FROM keys WHERE organization_id = ${organizationId}::uuid AND tags && ${tags}::text[] LIMIT ${MOST_TAGGED + 1}) AS ids,
      EXISTS (SELECT FROM members WHERE organization_id = ${organizationId}::uuid AND tags && ${tags}::text[]) AS has_tagged_members`);
  if (!row || row.ids.length > MOST_TAGGED) return { hasFrequentTag: true };
  if (row.has_tagged_members) return {};
  return { keyIds: row.ids, tag: undefined };
}

/** Few generations are found first, and others' tables are read for them, newest first. */
async function strategyFor(db: Database, organizationId: string, query: LogQuery, reading: Reading): Promise<Strategy> {
  const { strategy } = query;
  const isInOrder = query.min_cost === undefined;
  const readsContents = query.q !== undefined && isWords(query.q);
  if (strategy === "words" || !(hasDecision(query) || (readsContents && !isInOrder))) return strategy;
  const matches = (filters: KeyedFilters) => ownMatches({ organizationId, userId: null }, filters);
  const { all: own, ofMonth } = await monthlyRowsExpected(db, matches(query));
  const areFew = own <= MOST_LOOKED_UP;
  if (!hasDecision(query)) return areFew ? "sorted_generations" : "generations";
  if (!areFew && !isInOrder && reading === "all") return strategy;
  const decided = await rowsExpected(db, decisionMatches(query));
  if (isInOrder) return own < (areFew ? decided : decided / MUCH_RARER) ? "generations" : "decisions";
  if (own >= decided) return "decisions";
  // Sorting reads all generations of the cost, or those of a month, unless they are of few keys: these may need all months for a page. Decisions, and a
  // generation for each, would be read until those of a page have the cost.
  const sorted = reading === "months" && query.metKeyIds === undefined ? ofMonth / 2 : own;
  return sorted * own < PAGE * (await rowsExpected(db, matches({ ...query, min_cost: undefined })))
    ? "sorted_generations"
    : "decisions";
}
