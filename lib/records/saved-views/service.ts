import "server-only";
import { recordChange } from "../../platform/audit/store";
import { ownOnly, type Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { conflict, fieldConflict, invalid, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import type { SavedView as SavedViewRow } from "../../../prisma/generated/client";
import type * as contract from "./contract";
import { toSavedView, withOwner } from "./rows";

/** Maximum number of views per person and page. */
export const MOST_VIEWS = 100;

/** Filters the caller's own and shared views. A key without a member owns none. */
const visibleTo = ({ caller }: Context) => ({
  organizationId: caller.organizationId,
  OR: [{ isShared: true }, ...(caller.userId === null ? [] : [{ ownerId: caller.userId }])],
});

/** Finds a view that the caller may change: their own, or with the permission a shared one. */
async function findChangeable(db: Database, context: Context, id: string): Promise<SavedViewRow> {
  const own = ownOnly(context.caller, "organization:write") ? { ownerId: context.caller.userId } : {};
  const row = await db.savedView.findFirst({ where: { AND: [visibleTo(context), own], id } });
  if (!row) throw notFound();
  return row;
}

function assertVisibleToOwner(ownerId: string | null, isShared: boolean): void {
  if (ownerId === null && !isShared)
    throw invalid([{ path: ["is_shared"], message: "must be true for a key without a member" }]);
}

const toAuditedView = ({ page, name, query, isShared }: SavedViewRow) => ({ page, name, query, is_shared: isShared });

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
  assertVisibleToOwner(ownerId, isShared);
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

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateSavedView>,
): Promise<Result<typeof contract.updateSavedView>> {
  return inTransaction(context.db, async (db) => {
    const row = await findChangeable(db, context, params.id);
    const { id, organizationId, ownerId, page } = row;
    const { name = row.name, query = row.query, is_shared: isShared = row.isShared } = body;
    assertVisibleToOwner(ownerId, isShared);
    const taken = { organizationId, ownerId, page, name, id: { not: id } };
    if (await db.savedView.findFirst({ where: taken, select: { id: true } }))
      throw fieldConflict(
        "name",
        ownerId === context.caller.userId
          ? `You already have a view named ${name}`
          : `The view's owner already has a view named ${name}`,
      );
    const changed = await db.savedView.update({ where: { id }, data: { name, query, isShared }, include: withOwner });
    await recordChange(db, context, {
      action: "saved_view.update",
      target: { type: "saved_view", id, name },
      before: toAuditedView(row),
      after: toAuditedView(changed),
    });
    return { data: toSavedView(changed, context.caller) };
  });
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteSavedView>,
): Promise<Result<typeof contract.deleteSavedView>> {
  return inTransaction(context.db, async (db) => {
    const row = await findChangeable(db, context, params.id);
    await db.savedView.delete({ where: { id: row.id } });
    await recordChange(db, context, {
      action: "saved_view.delete",
      target: { type: "saved_view", id: row.id, name: row.name },
      before: toAuditedView(row),
    });
    return { deleted: true as const };
  });
}
