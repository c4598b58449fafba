import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { FilterDefinition } from "@/components/layout/filter-definition";
import { findRecords, recordNameQuery } from "@/components/layout/record-names";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { useUser } from "@/components/session/user-context";
import { tagFilter } from "@/components/tags/tag-filter";
import { KEY_KINDS, KEY_STATUSES } from "@/lib/records/keys/vocabulary";
import { NO_GUARDRAIL, type KeyListState } from "./key-queries";

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: capitalized(value) }));

/** Filters of the key list; members have fewer. */
export function useKeyFilters({ workspace, tag: chosen, guardrail }: KeyListState): FilterDefinition[] {
  const { isAdmin } = useUser();
  const client = useQueryClient();
  const isNamed = isAdmin && guardrail !== null && guardrail !== NO_GUARDRAIL;
  const name = useQuery({ ...recordNameQuery(RECORD_SOURCES.guardrail_id, guardrail ?? ""), enabled: isNamed }).data;
  const status: FilterDefinition = {
    key: "status",
    label: "Status",
    kind: "options",
    options: toOptions(KEY_STATUSES),
  };
  const tag = tagFilter(chosen);
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
        ...(isNamed ? [{ value: guardrail, label: name ?? guardrail }] : []),
      ],
      find: (q) => findRecords(client, RECORD_SOURCES.guardrail_id, q, workspace),
    },
  ];
}
