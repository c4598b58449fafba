import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { isOrdinaryMember } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import { conflict, fieldConflict, invalid, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import type * as contract from "./contract";
import { toSavedView, withOwner } from "./rows";

/** Maximum number of views per person and page. */
const MOST_VIEWS = 100;

/** Returns the caller's own and shared views. A key without a member owns none. */
const visibleTo = ({ caller }: Context) => ({
  organizationId: caller.organizationId,
  OR: [{ isShared: true }, ...(caller.userId === null ? [] : [{ ownerId: caller.userId }])],
});

export async function list(
  context: Context,
  { query }: Input<typeof contract.listSavedViews>,
): Promise<Result<typeof contract.listSavedViews>> {
  const where = { ...visibleTo(context), ...(query.page && { page: query.page }) };
  const rows = await context.db.savedView.findMany({
    where,
    include: withOwner,
    orderBy: [{ name: "asc" }, { id: "asc" }],
    ...skipTake(query),
  });
  return {
    data: rows.map((row) => toSavedView(row, context.caller)),
    total_count: await context.db.savedView.count({ where }),
  };
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createSavedView>,
): Promise<Result<typeof contract.createSavedView>> {
  const { caller, now } = context;
  const { organizationId, userId: ownerId } = caller;
  const { page, name, query, is_shared: isShared } = body;
  if (ownerId === null && !isShared)
    throw invalid([{ path: ["is_shared"], message: "must be true for a key without a member" }]);
  return inTransaction(context.db, async (db) => {
    const own = { organizationId, ownerId, page };
    if (await db.savedView.findFirst({ where: { ...own, name }, select: { id: true } }))
      throw fieldConflict("name", `You already have a view named ${name}`);
    if ((await db.savedView.count({ where: own })) >= MOST_VIEWS)
      throw conflict(`You already have ${MOST_VIEWS} views of this page. Delete one first`);
    const row = await db.savedView.create({
      data: { ...own, id: uuidv7(now), name, query, isShared, createdAt: now },
      include: withOwner,
    });
    await recordChange(db, context, {
      action: "saved_view.create",
      target: { type: "saved_view", id: row.id, name },
      after: { ...body },
    });
    return { data: toSavedView(row, caller) };
  });
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteSavedView>,
): Promise<Result<typeof contract.deleteSavedView>> {
  const { caller } = context;
  return inTransaction(context.db, async (db) => {
    const own = isOrdinaryMember(caller) ? { ownerId: caller.userId } : {};
    const row = await db.savedView.findFirst({ where: { AND: [visibleTo(context), own], id: params.id } });
    if (!row) throw notFound();
    await db.savedView.delete({ where: { id: row.id } });
    const { page, name, query, isShared } = row;
    await recordChange(db, context, {
      action: "saved_view.delete",
      target: { type: "saved_view", id: row.id, name },
      before: { page, name, query, is_shared: isShared },
    });
    return { deleted: true as const };
  });
}
