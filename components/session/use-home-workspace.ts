import { useQuery } from "@tanstack/react-query";
import type { Permission } from "@/lib/platform/permissions";
import { sessionQuery } from "./session-queries";

/** Workspace for new objects of a user whose permission is for other workspaces than the default one; otherwise null. */
export function useHomeWorkspace(permission: Permission): string | null {
  const session = useQuery(sessionQuery).data;
  if (!session || session.permissions.includes(permission)) return null;
  const own = session.workspace_permissions.flatMap(({ workspace_id, permissions }) =>
    permissions.includes(permission) ? [workspace_id] : [],
  );
  return own.includes(session.workspace_id) ? null : (own[0] ?? null);
}
