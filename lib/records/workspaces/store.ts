import "server-only";
import { workspacesOf, type Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { includesWorkspace } from "../../platform/grants";
import { invalid, lacksPermission, notFound } from "../../platform/api-error";

/** Resolves a request's workspace: the given one in the caller's organization (404 otherwise), or the caller's own. */
export async function resolveWorkspaceId(context: Context, workspaceId: string | undefined): Promise<string> {
  const found = await findWorkspaceId(context, workspaceId);
  if (found === null) throw notFound({ workspace_id: workspaceId });
  return found;
}

/** Resolves and locks the workspace of a preset to be written: 404 if it is missing, foreign or deleted. */
export async function lockedWorkspaceId(
  db: Database,
  context: Context,
  workspaceId: string | undefined,
): Promise<string> {
  const found = await lockWorkspaceAgainstDeletion(db, context, workspaceId);
  if (found === null) throw notFound({ workspace_id: workspaceId });
  return found;
}

/** Resolves and locks the workspace in the body of a new object; an unknown one is an invalid field (400). */
export async function lockedWorkspaceIdOfBody(
  db: Database,
  context: Context,
  workspaceId: string | undefined,
): Promise<string> {
  const found = await lockWorkspaceAgainstDeletion(db, context, workspaceId);
  if (found === null) throw invalid([{ path: ["workspace_id"], message: "is not a workspace of the organization" }]);
  return found;
}

/**
 * Locks a workspace until the transaction ends, so that a concurrent deletion sees the objects created in it; null once
 * it is deleted. The lock of a foreign key isn't enough, because a deleted workspace stays in the table until its
 * history is purged.
 */
export async function lockWorkspaceAgainstDeletion(
  db: Database,
  context: Context,
  given: string | undefined,
): Promise<string | null> {
  const { caller } = context;
  const workspaceId = given ?? defaultWorkspaceId(context);
  if (!includesWorkspace(workspacesOf(context), workspaceId)) return null;
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM workspaces
    WHERE id = ${workspaceId}::uuid AND organization_id = ${caller.organizationId}::uuid AND deleted_at IS NULL FOR KEY SHARE`;
  return found[0]?.id ?? null;
}

/** The caller's own workspace, for a request that names none; 403 if the caller's permission is for others only. */
function defaultWorkspaceId(context: Context): string {
  const { caller, narrowedBy } = context;
  if (narrowedBy !== undefined && !includesWorkspace(workspacesOf(context), caller.workspaceId))
    throw lacksPermission(narrowedBy, " in the default workspace. Name another one with workspace_id");
  return caller.workspaceId;
}

async function findWorkspaceId(context: Context, workspaceId: string | undefined): Promise<string | null> {
  const { caller, db } = context;
  if (workspaceId === undefined) return defaultWorkspaceId(context);
  if (!includesWorkspace(workspacesOf(context), workspaceId)) return null;
  if (workspaceId === caller.workspaceId) return workspaceId;
  const found = await db.workspace.findFirst({
    where: { id: workspaceId, organizationId: caller.organizationId, deletedAt: null },
    select: { id: true },
  });
  return found?.id ?? null;
}
