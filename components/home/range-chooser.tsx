"use client";
import { CalendarRange } from "lucide-react";
import { useState } from "react";
import { Field } from "@/components/form/field";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Popover } from "@/components/ui/popover";
import { Segmented } from "@/components/ui/segmented";
import { DAY_MS, MAX_DAYS, RANGES, type Range } from "@/lib/features/analytics/vocabulary";
import type { OverviewState } from "./overview-state";

const RANGE_LABELS = { "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d" } as const satisfies Record<
  Range,
  string
>;
const OPTIONS = RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }));

interface RangeChooserProps {
  state: OverviewState;
  onChange: (change: Partial<Pick<OverviewState, "range" | "from" | "to">>) => void;
}

/** Chooses a named range or a custom one. */
export function RangeChooser({ state: { range, from, to }, onChange }: RangeChooserProps) {
  const [isOpen, setOpen] = useState(false);
  const isCustom = from !== null && to !== null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented<Range | "">
        label="Range"
        value={isCustom ? "" : range}
        onValueChange={(next) => next && onChange({ range: next, from: null, to: null })}
        options={OPTIONS}
      />
      <Popover
        label="Custom range"
        align="end"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button aria-pressed={isCustom}>
            <CalendarRange aria-hidden /> {isCustom ? "Custom range" : "Custom"}
          </Button>
        }
      >
        <CustomRange
          from={from}
          to={to}
          onApply={(ends) => {
            setOpen(false);
            onChange(ends);
          }}
        />
      </Popover>
    </div>
  );
}

interface Ends {
  from: string;
  to: string;
}

/** ISO 8601 → what the browser's control shows in local time. */
function toLocal(iso: string | null): string {
  const time = new Date(iso ?? "");
  if (Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, "yyyy-mm-ddThh:mm".length);
}

function problemsOf({ from, to }: Ends): { from: string[]; to: string[] } {
  const length = Date.parse(to) - Date.parse(from);
  return {
    from:
      from === ""
        ? ["Start is required"]
        : length > MAX_DAYS * DAY_MS
          ? [`At most ${MAX_DAYS} days before the end`]
          : [],
    to: to === "" ? ["End is required"] : length <= 0 ? ["Must be after the start"] : [],
  };
}

function CustomRange({ from, to, onApply }: { from: string | null; to: string | null; onApply: (ends: Ends) => void }) {
  const [ends, setEnds] = useState<Ends>({ from: toLocal(from), to: toLocal(to) });
  const [isChecked, setChecked] = useState(false);
  const problems = problemsOf(ends);
  const apply = () => {
    setChecked(true);
    if (problems.from.length + problems.to.length === 0)
      onApply({ from: new Date(ends.from).toISOString(), to: new Date(ends.to).toISOString() });
  };
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {(["from", "to"] as const).map((end) => (
        <Field
          key={end}
          label={end === "from" ? "From" : "To"}
          hint="Local time"
          errors={isChecked ? problems[end] : []}
        >
          {(wiring) => (
            <Input
              {...wiring}
              type="datetime-local"
              value={ends[end]}
              onChange={({ target }) => setEnds({ ...ends, [end]: target.value })}
            />
          )}
        </Field>
      ))}
      <Button type="submit" variant="primary">
        Apply
      </Button>
    </form>
  );
}
