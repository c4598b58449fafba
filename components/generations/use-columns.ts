import { useQueryState } from "nuqs";
import { useSyncExternalStore } from "react";
import type { Column } from "@/components/ui/data-table";
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
  const visible =
    shown ??
    stored?.split(",") ??
    columns.filter(({ isHiddenAtFirst }) => !isHiddenAtFirst).map(({ header }) => header);
  return {
    hidden: columns.map(({ header }) => header).filter((header) => !visible.includes(header)),
    onChange: (hidden: string[]) => {
      const next = columns.map(({ header }) => header).filter((header) => !hidden.includes(header));
      window.localStorage.setItem(STORED_AS, next.join(","));
      void setShown(next);
    },
  };
}
