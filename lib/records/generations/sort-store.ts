import "server-only";
import type { Database } from "../../platform/database/transaction";
import { Prisma } from "../../../prisma/generated/client";
import type { GenerationFilters } from "./contract";
import { inOrder, type Direction, type Scope } from "./page-store";
import { readLog } from "./read-store";
import type { SortedPlace } from "./sort-cursor";
import type { GenerationSort } from "./vocabulary";

const { sql, empty, raw } = Prisma;

export type SortValue = Exclude<GenerationSort, "created_at">;

/** The value of a generation `g` that sorts the log, and the condition that it is known. */
const VALUES: Readonly<Record<SortValue, { value: Prisma.Sql; isKnown: Prisma.Sql }>> = {
  cost: { value: sql`g.cost_micro_usd`, isKnown: sql`g.cost_known` },
  tokens: {
    value: sql`(coalesce(g.tokens_prompt, 0) + coalesce(g.tokens_completion, 0))`,
    isKnown: sql`(g.tokens_prompt IS NOT NULL OR g.tokens_completion IS NOT NULL)`,
  },
  duration: { value: sql`g.generation_time_ms`, isKnown: sql`g.generation_time_ms IS NOT NULL` },
};

interface Sorted {
  by: SortValue;
  direction: Direction;
  after?: SortedPlace | undefined;
  /** Reads towards the start of the log. */
  isBackward?: boolean;
  limit: number;
}

/**
 * Query for generations with a known value in order, or for those without in order of time. One query for both couldn't
 * use the index of costs.
 */
function partQuery(
  scope: Scope,
  query: Partial<GenerationFilters>,
  isKnown: boolean,
  { by, direction, after, limit }: Sorted,
): Prisma.Sql {
  const { value, isKnown: known } = VALUES[by];
  const beyond = raw(direction === "DESC" ? "<" : ">");
  const place = after && sql`${after.created_at}::timestamptz, ${after.id}`;
  const rest = !place
    ? empty
    : isKnown
      ? sql`AND (${value}, g.created_at, g.id) ${beyond} (${after.value}::bigint, ${place})`
      : sql`AND (g.created_at, g.id) ${beyond} (${place})`;
  const besides = sql`AND ${isKnown ? known : sql`NOT ${known}`} ${rest}`;
  return inOrder(scope, query, { besides, order: direction, value: isKnown ? value : sql`NULL` }, limit);
}

const OPPOSITE = { ASC: "DESC", DESC: "ASC" } as const;

/** Reads the log in order of a value. Generations whose value is unknown come last in both directions. */
export async function readSorted(
  db: Database,
  scope: Scope,
  query: Partial<GenerationFilters>,
  sorted: Sorted,
): Promise<SortedPlace[]> {
  const { after, isBackward = false, limit } = sorted;
  const direction = isBackward ? OPPOSITE[sorted.direction] : sorted.direction;
  const start = after ? after.value !== null : !isBackward;
  const found: SortedPlace[] = [];
  for (const isKnown of start === isBackward ? [start] : [start, !start]) {
    const rest = { ...sorted, direction, after: isKnown === start ? after : undefined, limit: limit - found.length };
    const statement = partQuery(scope, query, isKnown, rest);
    const rows = await readLog(db, query, (limited) => limited.$queryRaw<SortedPlace[]>(statement));
    found.push(...rows);
    if (found.length >= limit) break;
  }
  return found;
}

/** Query for the place of the generation with an id. */
export const placeQuery = (organizationId: string, by: SortValue, created_at: Date, id: string): Prisma.Sql => sql`
  SELECT g.created_at, g.id, CASE WHEN ${VALUES[by].isKnown} THEN ${VALUES[by].value}::bigint END AS value
  FROM generations g WHERE g.organization_id = ${organizationId}::uuid AND g.created_at = ${created_at}::timestamptz AND g.id = ${id}`;
