import { Activity, SearchX } from "lucide-react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** A log without rows: because of its filters, or because nothing has been recorded. */
export function EmptyLog({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed) {
    return (
      <EmptyState icon={SearchX} title="No results" action={<Button onClick={onClear}>Clear all filters</Button>}>
        Try a wider time range or remove a filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Activity} title="No generations yet">
      Requests sent through Signalbox appear here with their tokens, cost and policy decisions.
    </EmptyState>
  );
}
