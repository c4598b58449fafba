"use client";
import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { downloadExport } from "@/components/layout/download-export";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Progress } from "@/components/ui/progress";
import { toast } from "@/components/ui/toast";
import { requestOf } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { exportAuditEvents } from "@/lib/browser/operations/audit";
import type { ExportFormat } from "@/lib/platform/http/vocabulary";
import { auditQuery, type AuditFilters } from "./audit-queries";

/** Exports all matching events, with progress and cancel. */
export function AuditExport({ filters }: { filters: AuditFilters }) {
  const running = useRef<AbortController | null>(null);
  const [count, setCount] = useState<number | null>(null);
  const run = async (format: ExportFormat) => {
    const controller = new AbortController();
    running.current = controller;
    setCount(0);
    try {
      const { signal } = controller;
      const request = requestOf(exportAuditEvents, { query: { ...auditQuery(filters, Date.now()), format }, signal });
      await downloadExport(request, ({ records }) => setCount(records));
      toast.success("Export downloaded");
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
