"use client";
import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Progress } from "@/components/ui/progress";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { auditFile, type AuditFormat } from "./audit-file";
import { MAX_EXPORTED, readAll } from "./audit-queries";
import type { AuditFilters } from "./audit-state";

const TYPES = { csv: "text/csv", jsonl: "application/x-ndjson" } as const satisfies Record<AuditFormat, string>;

function save(text: string, format: AuditFormat): void {
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[format] }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `audit-log.${format}`;
  link.click();
  URL.revokeObjectURL(url);
}

/** Exports all matching events, with progress and cancel. */
export function AuditExport({ filters }: { filters: AuditFilters }) {
  const running = useRef<AbortController | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const run = async (format: AuditFormat) => {
    const controller = new AbortController();
    running.current = controller;
    setCount(0);
    try {
      const events = await readAll(filters, controller.signal, setCount);
      save(auditFile(events, format), format);
      const isCut = events.length >= MAX_EXPORTED;
      toast.success(
        `${events.length.toLocaleString("en")} ${events.length === 1 ? "event" : "events"} exported`,
        isCut ? { description: "There may be more. Narrow the time range to export the rest." } : {},
      );
    } catch (error) {
      if (!controller.signal.aborted) toast.error("Couldn't export", { description: toFailure(error).message });
    } finally {
      setCount(null);
    }
  };
  if (count !== null) {
    return (
      <div className="flex items-center gap-3">
        <div className="grid w-36 gap-1">
          <span role="status" className="text-[13px] text-muted tabular-nums">
            {count.toLocaleString("en")} {count === 1 ? "event" : "events"} loaded
          </span>
          <Progress label="Export" value={null} />
        </div>
        <Button size="sm" onClick={() => running.current?.abort()}>
          Cancel export
        </Button>
      </div>
    );
  }
  const trigger = (
    <Button size="sm">
      <Download aria-hidden /> Export
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem onSelect={() => void run("csv")}>CSV</MenuItem>
      <MenuItem onSelect={() => void run("jsonl")}>JSON Lines</MenuItem>
    </Menu>
  );
}
