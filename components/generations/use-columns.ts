import { useQueryState } from "nuqs";
import { useSyncExternalStore } from "react";
import type { Column } from "@/components/ui/data-table";
import { hiddenAtFirst } from "@/components/ui/data-table-model";
import { VIEW_STATE } from "./generation-list-state";

const STORED_AS = "signalbox.generation-columns";

const onStorage = (listener: () => void) => {
  window.addEventListener("storage", listener);
  return () => window.removeEventListener("storage", listener);
};

const remembered = () => window.localStorage.getItem(STORED_AS);

/** Hidden columns: from the URL, then from this browser's storage, then the defaults. */
export function useColumns<Row>(columns: readonly Column<Row>[]) {
  const [shown, setShown] = useQueryState("columns", VIEW_STATE.columns);
  const stored = useSyncExternalStore(onStorage, remembered, () => null);
  const ids = columns.map(({ id }) => id);
  const without = (some: readonly string[]) => ids.filter((id) => !some.includes(id));
  const known = [shown, stored?.split(",")].find((some) => some?.some((id) => ids.includes(id)));
  return {
    hidden: known ? without(known) : hiddenAtFirst(columns),
    onChange: (hidden: string[]) => {
      window.localStorage.setItem(STORED_AS, without(hidden).join(","));
      void setShown(without(hidden));
    },
  };
}
