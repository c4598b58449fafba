import { Activity, SearchX } from "lucide-react";
import {
  describeRange,
  isAbsolute,
  relativeLabel,
  widerThan,
  type RelativeRange,
  type TimeRange,
} from "@/components/time-range/time-range";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

interface EmptyLogProps {
  range: TimeRange;
  timeZone: string;
  /** True if a filter besides the time is set. */
  isNarrowed: boolean;
  requestId: string | null;
  onClear: () => void;
  onWiden: (range: RelativeRange) => void;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Empty state of the log, with a button for a longer time range. */
export function EmptyLog({ range, timeZone, isNarrowed, requestId, onClear, onWiden }: EmptyLogProps) {
  const wider = widerThan(range);
  const time = describeRange(range, timeZone);
  const within = isAbsolute(range) ? `: ${time}` : ` in the ${lowerFirst(time)}`;
  return (
    <EmptyState
      icon={isNarrowed ? SearchX : Activity}
      title={`${requestId ? "No request with this ID" : isNarrowed ? "No results" : "No generations"}${within}`}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {wider && <Button onClick={() => onWiden(wider)}>Search the {lowerFirst(relativeLabel(wider))}</Button>}
          {isNarrowed && <Button onClick={onClear}>Clear all filters</Button>}
        </div>
      }
    >
      {requestId
        ? `The log has no request ${requestId}. Requests that were refused with 401 or 429 aren't in the log.`
        : isNarrowed
          ? "Try another time range or remove a filter."
          : "Requests sent through Signalbox appear here with their tokens, cost and policy decisions."}
    </EmptyState>
  );
}
