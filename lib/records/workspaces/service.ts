import "server-only";
import { Prisma, type Workspace as WorkspaceRow } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import { workspacesOf, type Context } from "../../platform/context";
import { literal } from "../../platform/database/literal";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { conflict, fieldConflict, invalid, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake, sortOrder } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { makeDue } from "../../platform/jobs/recurring-store";
import type * as contract from "./contract";
import { slugOf } from "./slug";
import { toResponse, toColumns, toWorkspace } from "./rows";

/** Filters the workspaces that the caller may see or change. */
function visibleTo(context: Context) {
  const workspaces = workspacesOf(context);
  return {
    organizationId: context.caller.organizationId,
    deletedAt: null,
    ...(workspaces !== "all" && { id: { in: [...workspaces] } }),
  };
}

async function findWorkspace(db: Database, context: Context, id: string): Promise<WorkspaceRow> {
  const row = await db.workspace.findFirst({ where: { AND: [visibleTo(context), { id }] } });
  if (!row) throw notFound();
  return row;
}

/** Locks the workspace against changes, or also against new objects and generations in it. */
async function lockWorkspace(
  db: Database,
  context: Context,
  id: string,
  strength: "NO KEY UPDATE" | "UPDATE",
): Promise<WorkspaceRow> {
  await db.$queryRaw`SELECT 1 AS locked FROM workspaces WHERE id = ${id}::uuid FOR ${Prisma.raw(strength)}`;
  return findWorkspace(db, context, id);
}

async function assertSlugFree(db: Database, { caller }: Context, slug: string, ownId: string): Promise<void> {
  const where = { organizationId: caller.organizationId, slug, id: { not: ownId } };
  if (await db.workspace.findFirst({ where, select: { id: true } }))
    throw fieldConflict("slug", `A workspace with the slug ${slug} already exists`);
}

/** Locks the guardrail, so that a concurrent deletion sees that it is in use. */
async function assertOwnGuardrail(db: Database, workspaceId: string, guardrailId: string): Promise<void> {
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM guardrails
    WHERE id = ${guardrailId}::uuid AND workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL FOR SHARE`;
  if (found.length === 0) {
    throw invalid([
      { path: ["default_guardrail_id"], message: "is not a guardrail of this workspace", code: "custom" },
    ]);
  }
}

export async function list(
  context: Context,
  { query: { q, sort = "-created_at", ...place } }: Input<typeof contract.listWorkspaces>,
): Promise<Result<typeof contract.listWorkspaces>> {
  const contains = { contains: literal(q ?? ""), mode: "insensitive" } as const;
  const where = {
    ...visibleTo(context),
    ...(q && { OR: [{ name: contains }, { slug: contains }] }),
  };
  const { field, direction } = sortOrder(sort);
  const orderBy = [{ [field === "created_at" ? "createdAt" : field]: direction }, { id: direction }];
  const rows = await context.db.workspace.findMany({ where, orderBy, ...skipTake(place) });
  return {
    data: rows.map((row) => toResponse(row, context.client)),
    total_count: await context.db.workspace.count({ where }),
  };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getWorkspace>,
): Promise<Result<typeof contract.getWorkspace>> {
  return { data: toResponse(await findWorkspace(context.db, context, params.id), context.client) };
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createWorkspace>,
): Promise<Result<typeof contract.createWorkspace>> {
  const { caller, now, settings } = context;
  return inTransaction(context.db, async (db) => {
    const id = uuidv7(now);
    const slug = body.slug ?? (slugOf(body.name) || id);
    await assertSlugFree(db, context, slug, id);
    if (body.default_guardrail_id) await assertOwnGuardrail(db, id, body.default_guardrail_id);
    const row = await db.workspace.create({
      data: {
        ...toColumns(body),
        id,
        organizationId: caller.organizationId,
        name: body.name,
        slug,
        contentLogging: body.content_logging ?? !settings.databaseUrl,
        createdBy: caller.userId,
        createdAt: now,
      },
    });
    await recordChange(db, context, {
      action: "workspace.create",
      target: target(row),
      workspaceId: id,
      after: toWorkspace(row),
    });
    return { data: toResponse(row, context.client) };
  });
}

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateWorkspace>,
): Promise<Result<typeof contract.updateWorkspace>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockWorkspace(db, context, params.id, "NO KEY UPDATE");
    if (body.slug) await assertSlugFree(db, context, body.slug, before.id);
    if (body.default_guardrail_id) await assertOwnGuardrail(db, before.id, body.default_guardrail_id);
    const row = await db.workspace.update({
      where: { id: before.id },
      data: { ...toColumns(body), updatedAt: context.now },
    });
    await recordChange(db, context, {
      action: "workspace.update",
      target: target(row),
      workspaceId: row.id,
      before: toWorkspace(before),
      after: toWorkspace(row),
    });
    return { data: toResponse(row, context.client) };
  });
}

/**
 * Deletes a workspace without keys, guardrails and unarchived presets. Its history is deleted in the background, and
 * then its row. Once that has begun, nothing may reject the deletion.
 */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteWorkspace>,
): Promise<Result<typeof contract.deleteWorkspace>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockWorkspace(db, context, params.id, "UPDATE");
    await assertDeletable(db, before);
    await db.alertRule.deleteMany({ where: { workspaceId: before.id } });
    await db.limit.deleteMany({ where: { workspaceId: before.id } });
    // The slug can be used again.
    await db.workspace.update({ where: { id: before.id }, data: { deletedAt: context.now, slug: before.id } });
    await makeDue(db, "purge");
    await recordChange(db, context, {
      action: "workspace.delete",
      target: target(before),
      workspaceId: before.id,
      before: toWorkspace(before),
    });
    return { deleted: true as const };
  });
}

async function assertDeletable(db: Database, { id, isDefault }: WorkspaceRow): Promise<void> {
  if (isDefault) throw conflict("The default workspace can't be deleted");
  const holds = {
    keys: await db.key.count({ where: { workspaceId: id, deletedAt: null } }),
    guardrails: await db.guardrail.count({ where: { workspaceId: id, deletedAt: null } }),
    presets: await db.preset.count({ where: { workspaceId: id, status: { not: "archived" } } }),
  };
  if (holds.keys + holds.guardrails + holds.presets > 0) {
    throw conflict(
      `The workspace isn't empty (keys: ${holds.keys}, guardrails: ${holds.guardrails}, presets not archived: ${holds.presets}). Delete or archive its contents first`,
      { holds },
    );
  }
}

const target = ({ id, name }: WorkspaceRow) => ({ type: "workspace", id, name });
