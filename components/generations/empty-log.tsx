import { Activity } from "lucide-react";
import { NoResults } from "@/components/layout/no-results";
import { EmptyState } from "@/components/ui/empty-state";

/** A log without rows: because of its filters, or because nothing has been recorded. */
export function EmptyLog({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed) {
    return <NoResults onClear={onClear}>Try a wider time range or remove a filter.</NoResults>;
  }
  return (
    <EmptyState icon={Activity} title="No generations yet">
      Requests sent through Signalbox appear here with their tokens, cost and policy decisions.
    </EmptyState>
  );
}
