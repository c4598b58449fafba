import "server-only";
import type { Context } from "../../platform/context";
import { invalid, notFound } from "../../platform/api-error";

/** Resolves a request's workspace: the given one in the caller's organization (404 otherwise), or the caller's own. */
export async function resolveWorkspaceId(context: Context, workspaceId: string | undefined): Promise<string> {
  const found = await findWorkspaceId(context, workspaceId);
  if (found === null) throw notFound({ workspace_id: workspaceId });
  return found;
}

/** Resolves the workspace that a body names for a new object: an unknown one is an invalid field (400). */
export async function resolveWorkspaceIdOfBody(context: Context, workspaceId: string | undefined): Promise<string> {
  const found = await findWorkspaceId(context, workspaceId);
  if (found === null) throw invalid([{ path: ["workspace_id"], message: "is not a workspace of the organization" }]);
  return found;
}

async function findWorkspaceId({ caller, db }: Context, workspaceId: string | undefined): Promise<string | null> {
  if (workspaceId === undefined || workspaceId === caller.workspaceId) return caller.workspaceId;
  const found = await db.workspace.findFirst({
    where: { id: workspaceId, organizationId: caller.organizationId, deletedAt: null },
    select: { id: true },
  });
  return found?.id ?? null;
}
