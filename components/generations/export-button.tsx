import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import type { GenerationFilters } from "@/lib/records/generations/contract";

const ExportDialog = lazyComponent(() => import("./export-dialog").then((file) => file.ExportDialog));

/** Exports all matching generations. */
export function ExportButton({ filters }: { filters: GenerationFilters }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download aria-hidden /> Export
      </Button>
      {isOpen && <ExportDialog onClose={() => setOpen(false)} filters={filters} />}
    </>
  );
}
