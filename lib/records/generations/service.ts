import "server-only";
import { isOrdinaryMember, type Caller, type Context } from "../../platform/context";
import { forbidden, notFound } from "../../platform/api-error";
import { onReplica } from "../../platform/database/replica";
import { encodeCursor } from "../../platform/http/cursor";
import type { Input, Result } from "../../platform/http/operation";
import { generationSecond } from "../../platform/ids";
import type * as contract from "./contract";
import type { GenerationFilters } from "./contract";
import { neighbourQuery, pageQuery, tailQuery, type Found, type Scope } from "./page-store";
import { withRange } from "./range";
import { readLog } from "./read-store";
import { decodeTailCursor, encodeTailCursor, openTransactions } from "./recorded-store";
import { toGeneration, withRelations } from "./rows";

/**
 * Returns the visible generations: those of keys that a member created, or all of the organization for management
 * callers. Members can't read content, so they can't search it either, because a match would reveal a word.
 */
export function scopeOf({ caller }: Context, filters: Pick<GenerationFilters, "q"> = {}): Scope {
  const isMember = isOrdinaryMember(caller);
  if (isMember && filters.q !== undefined && !generationSecond(filters.q))
    throw forbidden("Only admins can search content. Search by generation ID instead");
  return { organizationId: caller.organizationId, userId: isMember ? caller.userId : null };
}

/** Returns the only key whose generations an inference key may read. */
const ownKeyId = (caller: Caller): string | null =>
  caller.kind === "key" && caller.keyKind === "inference" ? caller.keyId : null;

/** Returns the filter for an id with the time that it contains, so that the query reads one partition. */
export function byId(context: Context, id: string) {
  const createdAt = generationSecond(id);
  if (!createdAt) throw notFound();
  const { organizationId, userId } = scopeOf(context);
  const keyId = ownKeyId(context.caller);
  return { id, createdAt, organizationId, ...(userId !== null && { userId }), ...(keyId !== null && { keyId }) };
}

export async function get(
  context: Context,
  { query }: Input<typeof contract.getGeneration>,
): Promise<Result<typeof contract.getGeneration>> {
  const row = await context.db.generation.findFirst({ where: byId(context, query.id), include: withRelations });
  if (!row) throw notFound();
  return { data: toGeneration(row) };
}

export async function neighbours(
  context: Context,
  { query }: Input<typeof contract.getGenerationNeighbours>,
): Promise<Result<typeof contract.getGenerationNeighbours>> {
  const { id, ...given } = query;
  const scope = scopeOf(context, given);
  const row = await context.db.generation.findFirst({ where: byId(context, id), select: { createdAt: true } });
  if (!row) throw notFound();
  const filters = withRange(given, row.createdAt);
  const beside = async (side: "newer" | "older") => {
    const statement = neighbourQuery(scope, filters, { created_at: row.createdAt, id }, side);
    const [found] = await readLog(context.db, filters, (db) => db.$queryRaw<Found[]>(statement));
    return found?.id ?? null;
  };
  return { data: { newer: await beside("newer"), older: await beside("older") } };
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listGenerations>,
): Promise<Result<typeof contract.listGenerations>> {
  const statement = pageQuery(scopeOf(context, query), withRange(query, context.now));
  const found = await readLog(context.db, query, (db) => db.$queryRaw<Found[]>(statement));
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    data: await recordsOf(context, shown),
    next_cursor: found.length > query.limit && last ? encodeCursor([last.created_at, last.id]) : null,
  };
}

/**
 * Lists new generations without gaps or duplicates, in any order of requests, by reading only finished transactions.
 */
export async function tail(
  context: Context,
  { query }: Input<typeof contract.tailGenerations>,
): Promise<Result<typeof contract.tailGenerations>> {
  const scope = scopeOf(context, query);
  // The standby's position, so that a list read there contains everything before it.
  if (query.since === undefined)
    return { data: [], next_cursor: encodeTailCursor([await onReplica(context.db, openTransactions), ""]) };
  const until = await openTransactions(context.db);
  const end = encodeTailCursor([until, ""]);
  const statement = tailQuery(scope, query, decodeTailCursor(query.since), until);
  const found = await readLog(context.db, query, (db) => db.$queryRaw<(Found & { recorded_in: bigint })[]>(statement));
  const shown = found.slice(0, query.limit);
  const records = new Map((await recordsOf(context, shown)).map((record) => [record.id, record]));
  const last = shown.at(-1);
  return {
    data: shown.flatMap(({ id }) => records.get(id) ?? []),
    next_cursor: found.length > query.limit && last ? encodeTailCursor([last.recorded_in, last.id]) : end,
  };
}

/** Loads the records of a query's result, newest first. */
export async function recordsOf({ db, caller }: Context, found: readonly Found[]): Promise<contract.Generation[]> {
  if (found.length === 0) return [];
  const rows = await db.generation.findMany({
    where: {
      organizationId: caller.organizationId,
      OR: found.map(({ created_at, id }) => ({ createdAt: created_at, id })),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    include: withRelations,
  });
  return rows.map(toGeneration);
}
