import "server-only";
import type { Context } from "../../platform/context";
import { notFound } from "../../platform/api-error";

/** Resolves a request's workspace: the given one in the caller's organization (404 otherwise), or the caller's own. */
export async function resolveWorkspaceId(context: Context, workspaceId: string | undefined): Promise<string> {
  const { caller, db } = context;
  if (workspaceId === undefined || workspaceId === caller.workspaceId) return caller.workspaceId;
  const found = await db.workspace.findFirst({
    where: { id: workspaceId, organizationId: caller.organizationId },
    select: { id: true },
  });
  if (!found) throw notFound({ workspace_id: workspaceId });
  return found.id;
}
