import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { deferredComponent } from "@/components/ui/deferred-component";
import type { GenerationFilters } from "@/lib/records/generations/contract";

const ExportDialog = deferredComponent(() => import("./export-dialog").then((module) => module.ExportDialog));

/** Exports all matching generations. */
export function ExportButton({ filters }: { filters: GenerationFilters }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden /> Export
      </Button>
      <ExportDialog open={isOpen} onClose={() => setOpen(false)} filters={filters} />
    </>
  );
}
