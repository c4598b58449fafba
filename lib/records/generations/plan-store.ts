import "server-only";
import type { Database } from "../../platform/database/transaction";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationFilters } from "./contract";
import { decisionMatches, hasDecision, ownMatches, type LogPlan, type LogQuery } from "./page-store";
import { rowsExpected, searchPlan } from "./search-store";

/** Reading the decisions or contents of so many generations takes about as long as a page may. */
const MOST_LOOKED_UP = 12_000;

/** Adds to filters how to find their generations. The planner would choose by averages: it doesn't see which key a hash is, nor the decisions of a generation. */
export async function withPlan<T extends Partial<GenerationFilters>>(
  db: Database,
  organizationId: string,
  filters: T,
): Promise<T & LogPlan> {
  const searched = { ...filters, ...(await searchPlan(db, filters.q)) };
  const planned: T & LogPlan = { ...searched, ...(await keyPlan(db, organizationId, filters)) };
  return { ...planned, ...(await orderPlan(db, organizationId, planned)) };
}

/** The ids of keys. A tag is then one of the keys, unless members have it. */
async function keyPlan(
  db: Database,
  organizationId: string,
  { key_hash, tag }: Partial<GenerationFilters>,
): Promise<LogPlan & { tag?: undefined }> {
  if (key_hash === undefined) return {};
  const tags = [tag ?? []].flat();
  const keys = await db.$queryRaw<{ id: string; is_tagged: boolean; has_tagged_members: boolean }[]>(Prisma.sql`
    SELECT id::text, tags && ${tags}::text[] AS is_tagged,
      (SELECT EXISTS (SELECT FROM members WHERE organization_id = ${organizationId}::uuid AND tags && ${tags}::text[])) AS has_tagged_members
    FROM keys WHERE organization_id = ${organizationId}::uuid AND hash = ANY(${[key_hash].flat()}::text[])`);
  if (tag === undefined || keys.some(({ has_tagged_members }) => has_tagged_members))
    return { keyIds: keys.map(({ id }) => id) };
  return { keyIds: keys.filter(({ is_tagged }) => is_tagged).map(({ id }) => id), tag: undefined };
}

/** Few generations are found first, and others' tables are read for them, newest first. */
async function orderPlan(db: Database, organizationId: string, query: LogQuery): Promise<LogPlan> {
  const isSorted = query.min_cost === undefined;
  if (query.searchBy === "index" || !(hasDecision(query) || (query.searchBy === "contents" && !isSorted))) return {};
  const own = await rowsExpected(db, ownMatches({ organizationId, userId: null }, query));
  if (own > MOST_LOOKED_UP) return {};
  const decidesLast = hasDecision(query) && own < (await rowsExpected(db, decisionMatches(query)));
  return { decidesLast, sortsFirst: !isSorted };
}
