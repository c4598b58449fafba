import { useQueryState, useQueryStates } from "nuqs";
import { createContext, use, useCallback, useMemo, type ReactNode } from "react";
import { deferredComponent } from "@/components/ui/deferred-component";
import { FILTER_STATE, filterQuery, filtersOf, VIEW_STATE } from "./generation-list-state";

const GenerationSheet = deferredComponent(() => import("./generation-sheet").then((module) => module.GenerationSheet));

const OpenGeneration = createContext<(id: string) => void>(() => undefined);

/** Shows a generation on top of the log. */
export const useOpenGeneration = () => use(OpenGeneration);

/** The generation that the address names, on top of the log, which is not drawn again when it opens or closes. */
export function OpenedGeneration({ children: log }: { children: ReactNode }) {
  const [id, setId] = useQueryState("id", VIEW_STATE.id);
  const [state] = useQueryStates(FILTER_STATE);
  const filters = useMemo(() => filtersOf(state), [state]);
  const open = useCallback((next: string) => void setId(next, { history: "push" }), [setId]);
  return (
    <OpenGeneration value={open}>
      {log}
      {id !== null && <GenerationSheet id={id} filters={filters} query={filterQuery(state)} onMove={(next) => void setId(next)} onClose={() => void setId(null, { history: "push" })} />}
    </OpenGeneration>
  );
}
