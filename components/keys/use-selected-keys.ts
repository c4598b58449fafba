import { useState } from "react";
import { toast } from "@/components/ui/toast";
import { call, type Answer } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { listKeys } from "@/lib/browser/operations/keys";
import type { Key } from "@/lib/records/keys/contract";
import { keyListInput, type KeyListState } from "./key-queries";

/** Maximum number of keys per bulk change. */
const MOST_SELECTED = 1000;
const ROWS_AT_ONCE = 100;

/** Loads all keys that match the list's filters. */
async function matchingKeys(state: KeyListState): Promise<Key[]> {
  const keys: Key[] = [];
  for (let offset = 0, total = 1; offset < total; offset += ROWS_AT_ONCE) {
    const { data, total_count } = await call(listKeys, {
      query: { ...keyListInput(state), offset, limit: ROWS_AT_ONCE },
    });
    keys.push(...data);
    total = Math.min(total_count, MOST_SELECTED);
  }
  return keys.slice(0, MOST_SELECTED);
}

/** Selection across the list's pages, with an option to select all matching keys. */
export function useSelectedKeys(state: KeyListState, page: Answer<typeof listKeys> | undefined) {
  const [chosen, setChosen] = useState<readonly Key[]>([]);
  const shown = page?.data ?? [];
  const everything = useApiMutation({
    mutationFn: () => matchingKeys(state),
    onSuccess: setChosen,
    onError: (error) => toast.error("Couldn't select all keys", { description: toFailure(error).message }),
  });
  const known = new Map([...chosen, ...shown].map((key) => [key.hash, key]));
  const total = page?.total_count ?? 0;
  const isPageChosen = shown.length > 0 && shown.every(({ hash }) => chosen.some((key) => key.hash === hash));
  const hasMore = isPageChosen && total > chosen.length && total <= MOST_SELECTED;
  return {
    selected: new Set(chosen.map(({ hash }) => hash)) as ReadonlySet<string>,
    setSelected: (hashes: ReadonlySet<string>) => setChosen([...hashes].flatMap((hash) => known.get(hash) ?? [])),
    /** Selected keys, with the page's current data where available. */
    chosen: chosen.flatMap(({ hash }) => known.get(hash) ?? []),
    clear: () => setChosen([]),
    selectAll: hasMore ? { total, isPending: everything.isPending, run: () => everything.mutate() } : null,
  };
}
