import "server-only";
import { isOrdinaryMember, type Context } from "../context";
import { notFound } from "../http/api-error";
import { encodeCursor } from "../http/cursor";
import type { Input, Result } from "../http/operation";
import { generationSecond } from "../ids";
import type * as contract from "./contract";
import { pageQuery, type Found, type Scope } from "./page-query";
import { toGeneration, withRelations } from "./rows";

/** A member sees the generations of the keys they created; a management caller all of the organization. */
const scopeOf = ({ caller }: Context): Scope => ({
  organizationId: caller.organizationId,
  userId: isOrdinaryMember(caller) ? caller.userId : null,
});

/** Which rows an id may name for a caller: always with the time that the id carries, by which the table can be partitioned. */
export function byId(context: Context, id: string) {
  const createdAt = generationSecond(id);
  if (!createdAt) throw notFound();
  const { organizationId, userId } = scopeOf(context);
  return { id, createdAt, organizationId, ...(userId !== null && { userId }) };
}

export async function get(context: Context, { query }: Input<typeof contract.getGeneration>): Promise<Result<typeof contract.getGeneration>> {
  const row = await context.db.generation.findFirst({ where: byId(context, query.id), include: withRelations });
  if (!row) throw notFound();
  return { data: toGeneration(row) };
}

export async function list(context: Context, { query }: Input<typeof contract.listGenerations>): Promise<Result<typeof contract.listGenerations>> {
  const found = await context.db.$queryRaw<Found[]>(pageQuery(scopeOf(context), query));
  const shown = found.slice(0, query.limit);
  const rows = await context.db.generation.findMany({
    where: { OR: shown.map(({ created_at, id }) => ({ createdAt: created_at, id })) },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    include: withRelations,
  });
  const last = shown.at(-1);
  return { data: rows.map(toGeneration), next_cursor: found.length > query.limit && last ? encodeCursor([last.created_at, last.id]) : null };
}
