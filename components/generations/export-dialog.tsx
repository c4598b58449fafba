"use client";
import { useRef, useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { downloadExport, type ExportProgress } from "@/components/layout/download-export";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Progress } from "@/components/ui/progress";
import { Segmented } from "@/components/ui/segmented";
import { toast } from "@/components/ui/toast";
import { announce } from "@/lib/browser/announce";
import { requestOf } from "@/lib/browser/api-client";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { exportGenerations } from "@/lib/browser/operations/generations";
import type { ExportFormat } from "@/lib/platform/http/vocabulary";
import type { GenerationFilters } from "@/lib/records/generations/contract";
import { formatCount } from "./generation-format";

const FORMATS = [
  { value: "jsonl", label: "JSON Lines" },
  { value: "csv", label: "CSV" },
] as const;

const DESCRIPTIONS = {
  jsonl: "One complete record per line, as the API returns it.",
  csv: "One row per generation, for spreadsheets. Formulas are escaped.",
} as const satisfies Record<ExportFormat, string>;

/** Exports all matching generations. Closing the dialog cancels a running download. */
export function ExportDialog({ onClose, filters }: { onClose: () => void; filters: GenerationFilters }) {
  const [format, setFormat] = useState<ExportFormat>("jsonl");
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const running = useRef<AbortController | null>(null);
  const cancel = () => {
    running.current?.abort();
    setProgress(null);
    setFailure(null);
    onClose();
  };
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    setProgress({ records: 0, total: null });
    try {
      const { signal } = controller;
      await downloadExport(requestOf(exportGenerations, { query: { ...filters, format }, signal }), setProgress);
      toast.success("Export downloaded");
      onClose();
    } catch (error) {
      if (controller.signal.aborted) announce("Export cancelled");
      else setFailure(toFailure(error));
    }
    if (running.current === controller) setProgress(null);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && cancel()}
      title="Export generations"
      description="Downloads all matching generations in the selected time range, newest first. Prompts and completions are not included."
    >
      {failure && <FailureAlert failure={failure} />}
      <div className="grid justify-items-start gap-2">
        <Segmented label="Format" value={format} onValueChange={setFormat} options={FORMATS} />
        <p className="text-[13px] text-muted">{DESCRIPTIONS[format]}</p>
      </div>
      {progress && <ExportMeter progress={progress} />}
      <DialogActions>
        <Button onClick={cancel}>{progress ? "Cancel export" : "Cancel"}</Button>
        <Button variant="primary" disabled={progress !== null} onClick={() => void start()}>
          Download
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function ExportMeter({ progress: { records, total } }: { progress: ExportProgress }) {
  return (
    <div className="grid gap-1.5">
      <Progress label="Export" value={total === null ? null : records} max={total ?? 1} />
      <p className="text-[13px] text-muted tabular-nums">
        {formatCount(records)} {total === null ? "so far" : `of ${formatCount(total)}`}
      </p>
    </div>
  );
}
