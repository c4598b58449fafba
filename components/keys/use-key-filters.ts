import { useQuery } from "@tanstack/react-query";
import type { FilterDefinition } from "@/components/layout/filter-definition";
import { useUser } from "@/components/session/user-context";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { apiQuery } from "@/lib/browser/api-query";
import { listGuardrails } from "@/lib/browser/operations/guardrails";
import { KEY_KINDS, KEY_STATUSES } from "@/lib/records/keys/vocabulary";
import { NO_GUARDRAIL } from "./key-list-state";

const MAX_PAGE = 100;

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: capitalized(value) }));

/** Guardrails that keys of a workspace can have; of the default workspace for null. */
export const guardrailOptionsQuery = (workspace: string | null) =>
  apiQuery(listGuardrails, { query: { limit: MAX_PAGE, sort: "name", ...(workspace && { workspace_id: workspace }) } });

/** Filters of the key list; members have fewer. */
export function useKeyFilters(workspace: string | null): FilterDefinition[] {
  const { isAdmin } = useUser();
  const guardrails = useQuery({ ...guardrailOptionsQuery(workspace), enabled: isAdmin }).data?.data ?? [];
  const workspaces = useQuery({ ...workspacesQuery, enabled: isAdmin }).data?.data ?? [];
  const status: FilterDefinition = {
    key: "status",
    label: "Status",
    kind: "options",
    options: toOptions(KEY_STATUSES),
  };
  const tag: FilterDefinition = { key: "tag", label: "Tag", kind: "text" };
  if (!isAdmin) return [status, tag];
  return [
    status,
    tag,
    { key: "kind", label: "Kind", kind: "options", options: toOptions(KEY_KINDS) },
    {
      key: "guardrail",
      label: "Guardrail",
      kind: "options",
      options: [
        { value: NO_GUARDRAIL, label: "No guardrail" },
        ...guardrails.map(({ id, name }) => ({ value: id, label: name })),
      ],
    },
    ...(workspaces.length > 1
      ? [
          {
            key: "workspace",
            label: "Workspace",
            kind: "options" as const,
            options: workspaces.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]
      : []),
  ];
}
