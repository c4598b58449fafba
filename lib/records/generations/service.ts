import "server-only";
import { reachOf, type Caller, type Context, type Reach } from "../../platform/context";
import { lacksPermission, notFound } from "../../platform/api-error";
import { onReplica } from "../../platform/database/replica";
import { holdsSomewhere, inBoth, workspacesWith } from "../../platform/grants";
import { encodeCursor } from "../../platform/http/cursor";
import { sortOrder } from "../../platform/http/pagination";
import type { Input, Result } from "../../platform/http/operation";
import { generationSecond } from "../../platform/ids";
import type * as contract from "./contract";
import type { GenerationFilters, ListGenerationsQuery } from "./contract";
import { neighbourQuery, pageQuery, tailQuery, type Direction, type Found, type Scope } from "./page-store";
import { withRange } from "./range";
import { readLog } from "./read-store";
import { decodeTailCursor, encodeTailCursor, openTransactions } from "./recorded-store";
import { toGeneration, withRelations } from "./rows";
import { isWords } from "./search-store";
import { decodeSortCursor, encodeSortCursor, type SortedPlace } from "./sort-cursor";
import { placeQuery, readSorted, type SortValue } from "./sort-store";
import type { GenerationSort } from "./vocabulary";

type Search = Pick<GenerationFilters, "q" | "workspace_id">;

/** Returns the visible generations: those of workspaces where the caller may see everybody's, and those of keys that a member created. */
export const logScope = ({ caller }: Context, search: Search = {}): Scope =>
  searchScope(caller, reachOf(caller, "generations:read"), search);

/** A search of content finds only content that the caller may read, because a match would reveal a word. */
function searchScope(caller: Caller, reach: Reach, { q, workspace_id }: Search): Scope {
  if (!isWords(q)) return scopeOf(caller, reach);
  const readable = inBoth(reach.workspaces, workspacesWith(caller, "contents:read"));
  const workspaces = inBoth(readable, workspace_id === undefined ? "all" : [workspace_id].flat());
  if (workspaces.length === 0)
    throw lacksPermission("contents:read", " that searching content requires. Search by generation ID instead");
  return scopeOf(caller, { workspaces, userId: null });
}

/** Returns the generations of an organization that a caller reaches. */
export function scopeOf({ organizationId }: Pick<Caller, "organizationId">, { workspaces, userId }: Reach): Scope {
  if (workspaces === "all" || (workspaces.length === 0 && userId !== null)) return { organizationId, userId };
  return { organizationId, userId, workspaceIds: workspaces };
}

/** Returns the generations whose contents the caller may read or delete. */
export const contentScope = (
  { caller }: Context,
  permission: "contents:read" | "contents:delete",
  search: Search = {},
): Scope => searchScope(caller, { workspaces: workspacesWith(caller, permission), userId: null }, search);

/** Returns the only key whose generations an inference key may read. */
const ownKeyId = (caller: Caller): string | null =>
  caller.kind === "key" && caller.keyKind === "inference" ? caller.keyId : null;

/** Returns the filter for an id with the time that it contains, so that the query reads one partition. */
export function byId(context: Context, id: string, scope = logScope(context)) {
  const createdAt = generationSecond(id);
  if (!createdAt) throw notFound();
  const { organizationId, userId, workspaceIds } = scope;
  const keyId = ownKeyId(context.caller);
  const own = { id, createdAt, organizationId };
  if (keyId !== null) return { ...own, keyId };
  if (workspaceIds === undefined) return { ...own, ...(userId !== null && { userId }) };
  const workspaces = { workspaceId: { in: [...workspaceIds] } };
  return { ...own, ...(userId === null ? workspaces : { OR: [workspaces, { userId }] }) };
}

export async function get(
  context: Context,
  { query }: Input<typeof contract.getGeneration>,
): Promise<Result<typeof contract.getGeneration>> {
  const { caller, db } = context;
  if (caller.kind === "key" && caller.keyKind === "management" && !holdsSomewhere(caller, "generations:read"))
    throw lacksPermission("generations:read");
  const row = await db.generation.findFirst({ where: byId(context, query.id), include: withRelations });
  if (!row) throw notFound();
  return { data: toGeneration(row) };
}

export async function neighbours(
  context: Context,
  { query }: Input<typeof contract.getGenerationNeighbours>,
): Promise<Result<typeof contract.getGenerationNeighbours>> {
  const { id, sort, ...given } = query;
  const { db } = context;
  const scope = logScope(context, given);
  const row = await db.generation.findFirst({ where: byId(context, id), select: { createdAt: true } });
  if (!row) throw notFound();
  const filters = withRange(given, row.createdAt);
  const { by, direction } = orderOf(sort);
  const place = { created_at: row.createdAt, id };
  const byTime = async (isBackward: boolean) => {
    const statement = neighbourQuery(scope, filters, place, isBackward === (direction === "ASC") ? "older" : "newer");
    return readLog(db, filters, (limited) => limited.$queryRaw<Found[]>(statement));
  };
  const byValue = async (value: SortValue, isBackward: boolean) => {
    const [after] = await db.$queryRaw<SortedPlace[]>(placeQuery(scope.organizationId, value, row.createdAt, id));
    return readSorted(db, scope, filters, { by: value, direction, after, isBackward, limit: 1 });
  };
  const beside = async (isBackward: boolean) => {
    const [found] = await (by === "created_at" ? byTime(isBackward) : byValue(by, isBackward));
    return found?.id ?? null;
  };
  return { data: { newer: await beside(true), older: await beside(false) } };
}

/** The order of a list; without `sort`, newest first. */
function orderOf(sort: ListGenerationsQuery["sort"]): { by: GenerationSort; direction: Direction } {
  const { field, direction } = sortOrder<GenerationSort>(sort ?? "-created_at");
  return { by: field, direction: direction === "asc" ? "ASC" : "DESC" };
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listGenerations>,
): Promise<Result<typeof contract.listGenerations>> {
  const { shown, next } = await pageOf(context, query);
  return { data: await recordsOf(context, shown), next_cursor: next };
}

/** Reads a page in its order, and the cursor of the next one. */
async function pageOf(
  context: Context,
  { sort, cursor, ...query }: ListGenerationsQuery,
): Promise<{ shown: Found[]; next: string | null }> {
  const { db, now } = context;
  const scope = logScope(context, query);
  const cut = <Row extends Found>(found: readonly Row[], cursorOf: (last: Row) => string) => {
    const shown = found.slice(0, query.limit);
    const last = shown.at(-1);
    return { shown, next: found.length > query.limit && last ? cursorOf(last) : null };
  };
  const filters = withRange(query, now);
  const { by, direction } = orderOf(sort);
  if (by === "created_at") {
    const statement = pageQuery(scope, { ...filters, cursor }, undefined, direction);
    const found = await readLog(db, query, (limited) => limited.$queryRaw<Found[]>(statement));
    return cut(found, ({ created_at, id }) => encodeCursor([created_at, id]));
  }
  const after = cursor === undefined ? undefined : decodeSortCursor(by, cursor);
  const found = await readSorted(db, scope, filters, { by, direction, after, limit: query.limit + 1 });
  return cut(found, (last) => encodeSortCursor(by, last));
}

/**
 * Lists new generations without gaps or duplicates, in any order of requests, by reading only finished transactions.
 */
export async function tail(
  context: Context,
  { query }: Input<typeof contract.tailGenerations>,
): Promise<Result<typeof contract.tailGenerations>> {
  const scope = logScope(context, query);
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

/** Loads the records of a query's result, in its order. */
export async function recordsOf({ db, caller }: Context, found: readonly Found[]): Promise<contract.Generation[]> {
  if (found.length === 0) return [];
  const rows = await db.generation.findMany({
    where: {
      organizationId: caller.organizationId,
      OR: found.map(({ created_at, id }) => ({ createdAt: created_at, id })),
    },
    include: withRelations,
  });
  const loaded = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ id }) => loaded.get(id) ?? []).map(toGeneration);
}
