import { useQueryState, useQueryStates } from "nuqs";
import { createContext, use, useCallback, useDeferredValue, useMemo, type ReactNode } from "react";
import { deferredComponent } from "@/components/ui/deferred-component";
import { FILTER_STATE, filterQuery, filtersOf, VIEW_STATE } from "./generation-list-state";

const GenerationSheet = deferredComponent(() => import("./generation-sheet").then((module) => module.GenerationSheet));

const OpenGeneration = createContext<(id: string) => void>(() => undefined);

/** Shows a generation on top of the log. */
export const useOpenGeneration = () => use(OpenGeneration);

/** The generation that the address names, on top of the log, which is not drawn again when it opens or closes. */
export function OpenedGeneration({ children: log }: { children: ReactNode }) {
  const [id, setId] = useQueryState("id", VIEW_STATE.id);
  const open = useCallback((next: string) => void setId(next, { history: "push" }), [setId]);
  // The sheet closes at once, and is taken apart after that.
  const left = useDeferredValue(id);
  const shown = id ?? left;
  return (
    <OpenGeneration value={open}>
      {log}
      {shown !== null && (
        <Opened
          id={shown}
          open={id !== null}
          onMove={(next) => void setId(next)}
          onClose={() => void setId(null, { history: "push" })}
        />
      )}
    </OpenGeneration>
  );
}

interface OpenedProps {
  id: string;
  open: boolean;
  onMove: (id: string) => void;
  onClose: () => void;
}

function Opened(props: OpenedProps) {
  const [state] = useQueryStates(FILTER_STATE);
  const filters = useMemo(() => filtersOf(state), [state]);
  return <GenerationSheet {...props} filters={filters} query={filterQuery(state)} />;
}
