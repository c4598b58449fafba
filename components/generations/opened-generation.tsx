import { useQueryState, useQueryStates } from "nuqs";
import { createContext, use, useCallback, useDeferredValue, useMemo, useState, type ReactNode } from "react";
import { lazyComponent } from "@/components/ui/lazy-component";
import { FILTER_STATE, filterQuery, filtersOf, VIEW_STATE } from "./generation-list-state";

const GenerationSheet = lazyComponent(() => import("./generation-sheet").then((file) => file.GenerationSheet));

const OpenGeneration = createContext<(id: string) => void>(() => undefined);

/** Opens a generation in the side sheet. */
export const useOpenGeneration = () => use(OpenGeneration);

/** Side sheet for the generation in the URL. The log below doesn't re-render when it opens or closes. */
export function OpenedGeneration({ children: log }: { children: ReactNode }) {
  const [id, setId] = useQueryState("id", VIEW_STATE.id);
  const open = useCallback((next: string) => void setId(next, { history: "push" }), [setId]);
  // Hide the sheet first and unmount it in a later render.
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
  const [now] = useState(() => Date.now());
  const log = useMemo(() => ({ filters: filtersOf(state, now), sort: state.sort }), [state, now]);
  return <GenerationSheet {...props} log={log} query={filterQuery(state)} />;
}
