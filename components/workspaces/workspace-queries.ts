import { useQuery } from "@tanstack/react-query";
import { apiQuery } from "@/lib/browser/api-query";
import { listWorkspaces } from "@/lib/browser/operations/workspaces";

const MAX_PAGE = 100;

/** The organization's workspaces, as pickers and names need them. */
export const workspacesQuery = apiQuery(listWorkspaces, { query: { limit: MAX_PAGE } });

/** Names of workspaces by id; nothing until they are known. */
export function useWorkspaceNames(isEnabled = true): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...workspacesQuery, enabled: isEnabled });
  return new Map(data?.data.map(({ id, name }) => [id, name]));
}
