import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { memberName } from "@/components/members/member-name";
import { presetPath } from "@/components/presets/preset-path";
import { useUser } from "@/components/session/user-context";
import { useDebounced } from "@/components/ui/use-debounced";
import { apiQuery } from "@/lib/browser/api-query";
import { listGuardrails } from "@/lib/browser/operations/guardrails";
import { listKeys } from "@/lib/browser/operations/keys";
import { listMembers } from "@/lib/browser/operations/members";
import { listPresets } from "@/lib/browser/operations/presets";
import { useChosenWorkspace } from "./chosen-workspace";

export type RecordKind = "Guardrails" | "API keys" | "Presets" | "Members";

interface FoundRecord {
  label: string;
  hint?: string | undefined;
  href: string;
}

const DELAY_MS = 200;
const MAX_OF_A_KIND = 5;

/** Search results across the API's lists. A list whose request fails is omitted. */
export function useFoundRecords(text: string): {
  groups: { kind: RecordKind; records: FoundRecord[] }[];
  isSearching: boolean;
} {
  const debounced = useDebounced(text, DELAY_MS);
  const { isAdmin } = useUser();
  const workspace = useChosenWorkspace();
  const query = { q: debounced, limit: MAX_OF_A_KIND };
  const inChosen = { ...query, ...(workspace && { workspace_id: workspace }) };
  const hasText = debounced !== "";
  const options = { enabled: hasText, placeholderData: keepPreviousData, retry: false } as const;
  const guardrails = useQuery({
    ...apiQuery(listGuardrails, { query: { ...query, workspace_id: workspace ?? "all" } }),
    ...options,
    enabled: hasText && isAdmin,
  });
  const keys = useQuery({ ...apiQuery(listKeys, { query: { ...query, include_disabled: "true" } }), ...options });
  const presets = useQuery({ ...apiQuery(listPresets, { query: inChosen }), ...options });
  const members = useQuery({ ...apiQuery(listMembers, { query }), ...options, enabled: hasText && isAdmin });
  const groups: { kind: RecordKind; records: FoundRecord[] }[] = [
    {
      kind: "Guardrails",
      records: guardrails.data?.data.map(({ id, name }) => ({ label: name, href: `/guardrails/${id}` })) ?? [],
    },
    {
      kind: "API keys",
      records:
        keys.data?.data.map(({ hash, name, label }) => ({ label: name, hint: label, href: `/keys/${hash}` })) ?? [],
    },
    {
      kind: "Presets",
      records:
        presets.data?.data.map(({ slug, name }) => ({
          label: name,
          hint: `@preset/${slug}`,
          href: presetPath(slug, workspace),
        })) ?? [],
    },
    {
      kind: "Members",
      records:
        members.data?.data.map((member) => ({
          label: memberName(member),
          hint: member.email,
          href: `/members/${member.id}`,
        })) ?? [],
    },
  ];
  return {
    groups: text === "" ? [] : groups,
    isSearching: text !== debounced || [guardrails, keys, presets, members].some(({ isFetching }) => isFetching),
  };
}
