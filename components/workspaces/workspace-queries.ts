import { useQuery } from "@tanstack/react-query";
import { apiQuery } from "@/lib/browser/api-query";
import { listWorkspaces } from "@/lib/browser/operations/workspaces";

const MAX_PAGE = 100;

/** All workspaces of the organization, for pickers and name lookups. */
export const workspacesQuery = apiQuery(listWorkspaces, { query: { limit: MAX_PAGE } });

/** Workspace names by ID; empty until loaded. */
export function useWorkspaceNames(isEnabled = true): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...workspacesQuery, enabled: isEnabled });
  return new Map(data?.data.map(({ id, name }) => [id, name]));
}

/** ID of a workspace's default guardrail; null without one, and until loaded. */
export function useDefaultGuardrail(workspaceId: string | null): string | null {
  const { data } = useQuery({ ...workspacesQuery, enabled: workspaceId !== null });
  return data?.data.find(({ id }) => id === workspaceId)?.default_guardrail_id ?? null;
}
