"use client";
import { CalendarRange, ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { Field } from "@/components/form/field";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { DateTimeInput } from "@/components/ui/date-time-input";
import { Popover } from "@/components/ui/popover";
import { Segmented } from "@/components/ui/segmented";
import {
  describeRange,
  fromInput,
  isAbsolute,
  problemsOf,
  relativeLabel,
  toInput,
  type RangeRules,
  type RelativeRange,
  type TimeRange,
  type Zone,
} from "./time-range";
import { useTimeZone } from "./use-time-zone";

interface TimeRangePickerProps<Preset extends RelativeRange> {
  value: TimeRange<Preset>;
  /** Called with the changes, for the setter of the URL state. */
  onChange: (change: Partial<TimeRange<Preset>>) => void;
  presets: readonly Preset[];
  /** Longest absolute range. */
  maxDays?: number;
  /** Offers "Any time" and ranges that are open at one end. */
  isOptional?: boolean;
  align?: "start" | "end";
}

/** Picker for a relative or absolute time range and for the time zone of times. */
export function TimeRangePicker<Preset extends RelativeRange>({
  value,
  onChange,
  presets,
  maxDays,
  isOptional = false,
  align,
}: TimeRangePickerProps<Preset>) {
  const [isOpen, setOpen] = useState(false);
  const timeZone = useTimeZone(value.zone);
  const close = (change: Partial<TimeRange<Preset>>) => {
    setOpen(false);
    onChange(change);
  };
  return (
    <Popover
      label="Time range"
      align={align ?? "end"}
      open={isOpen}
      onOpenChange={setOpen}
      className="w-80 p-0"
      trigger={
        <Button className="max-w-full">
          <CalendarRange aria-hidden className="text-muted" />
          <span className="sr-only">Time range:</span>
          <span className="truncate">{describeRange(value, timeZone)}</span>
          <ChevronDown aria-hidden className="text-muted" />
        </Button>
      }
    >
      <Presets
        chosen={isAbsolute(value) ? undefined : value.range}
        presets={isOptional ? [null, ...presets] : presets}
        onChoose={(range) => close({ range, from: null, to: null })}
      />
      <AbsoluteRange
        key={value.zone}
        value={value}
        rules={{ isOptional, maxDays: maxDays ?? null }}
        onZone={(zone) => onChange({ zone })}
        onApply={(ends) => close({ range: null, ...ends })}
      />
    </Popover>
  );
}

interface PresetsProps<Preset extends RelativeRange> {
  /** Undefined if the range is absolute. */
  chosen: Preset | null | undefined;
  presets: readonly (Preset | null)[];
  onChoose: (range: Preset | null) => void;
}

function Presets<Preset extends RelativeRange>({ chosen, presets, onChoose }: PresetsProps<Preset>) {
  return (
    <div role="group" aria-label="Relative range" className="grid grid-cols-2 gap-0.5 p-2">
      {presets.map((preset) => (
        <button
          key={preset ?? "any"}
          type="button"
          aria-pressed={preset === chosen}
          onClick={() => onChoose(preset)}
          className={cn(
            "h-8 rounded-md px-2.5 text-left text-sm hover:bg-subtle",
            preset === chosen && "bg-subtle-strong font-medium",
          )}
        >
          {preset === null ? "Any time" : relativeLabel(preset)}
        </button>
      ))}
    </div>
  );
}

interface AbsoluteRangeProps {
  value: TimeRange;
  rules: RangeRules;
  onZone: (zone: Zone) => void;
  onApply: (ends: Pick<TimeRange, "from" | "to">) => void;
}

function AbsoluteRange({ value, rules, onZone, onApply }: AbsoluteRangeProps) {
  const { zone } = value;
  const heading = useId();
  const [ends, setEnds] = useState({ from: toInput(value.from, zone), to: toInput(value.to, zone) });
  const [isChecked, setChecked] = useState(false);
  const local = useTimeZone("local");
  const problems = problemsOf(ends, rules);
  return (
    <form
      noValidate
      aria-labelledby={heading}
      className="grid gap-3 border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (problems.from.length + problems.to.length === 0)
          onApply({ from: fromInput(ends.from, zone), to: fromInput(ends.to, zone) });
      }}
    >
      <h2 id={heading} className="text-[13px] font-medium text-muted">
        Absolute range
      </h2>
      {(["from", "to"] as const).map((end) => (
        <Field key={end} label={end === "from" ? "From" : "To"} errors={isChecked ? problems[end] : []}>
          {(wiring) => (
            <DateTimeInput
              {...wiring}
              value={ends[end]}
              onChange={({ target }) => setEnds({ ...ends, [end]: target.value })}
            />
          )}
        </Field>
      ))}
      <div className="flex flex-wrap items-end justify-between gap-2">
        <Segmented
          label="Time zone"
          value={zone}
          onValueChange={onZone}
          options={[
            { value: "local", label: local === "UTC" ? "Local" : local.split("/").at(-1)?.replaceAll("_", " ") },
            { value: "utc", label: "UTC" },
          ]}
        />
        <Button type="submit" variant="primary">
          Apply
        </Button>
      </div>
    </form>
  );
}
