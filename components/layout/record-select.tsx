"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useState, type Ref } from "react";
import type { ControlProps } from "@/components/form/field";
import { cn } from "@/components/ui/class-names";
import { fieldStyle } from "@/components/ui/input";
import { Popover } from "@/components/ui/popover";
import { OptionsFilter } from "./filter-options";
import { findRecords, recordNameQuery } from "./record-names";
import type { RecordSource } from "./record-sources";

interface RecordSelectProps extends Partial<ControlProps> {
  "aria-label"?: string;
  ref?: Ref<HTMLButtonElement>;
  label: string;
  value: string | null;
  /** The value's label, if known. */
  valueLabel?: string;
  onChange: (value: string | null) => void;
  /** Label of the empty option (null); without it, a record must be chosen. */
  none?: string;
  source: RecordSource;
  /** Workspace of the records; null for any. */
  workspace?: string | null;
}

const NONE = "none";

/** Select of one of the organization's records. The server searches them. */
export function RecordSelect({
  label,
  value,
  valueLabel,
  onChange,
  none,
  source,
  workspace = null,
  ref,
  ...wiring
}: RecordSelectProps) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const named = useQuery({
    ...recordNameQuery(source, value ?? ""),
    enabled: value !== null && valueLabel === undefined,
  });
  const shown = value === null ? (none ?? "") : (valueLabel ?? named.data ?? value);
  const choose = (next: string | null) => {
    // Null if the chosen option is chosen again.
    if (next !== null) onChange(next === NONE ? null : next);
    setOpen(false);
  };
  return (
    <Popover
      label={label}
      className="w-(--radix-popover-trigger-width) min-w-64"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          role="combobox"
          aria-expanded={isOpen}
          {...wiring}
          ref={ref}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
            event.preventDefault();
            setOpen(true);
          }}
          className={cn(fieldStyle, "flex h-8 items-center justify-between gap-2 px-2.5 text-left")}
        >
          <span className="truncate">{shown}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <OptionsFilter
        filter={{
          key: `${source.id} ${workspace ?? ""}`,
          label,
          kind: "options",
          options: [
            ...(none === undefined ? [] : [{ value: NONE, label: none }]),
            ...(value === null ? [] : [{ value, label: shown }]),
          ],
          find: (q) => findRecords(client, source, q, workspace),
        }}
        value={value ?? NONE}
        onToggle={() => undefined}
        onDecide={choose}
      />
    </Popover>
  );
}
