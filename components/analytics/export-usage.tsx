import { Download } from "lucide-react";
import { offerFile } from "@/components/layout/download-export";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import type { Dimension } from "@/lib/features/analytics/vocabulary";
import { usageCsv } from "./usage-csv";

/** Downloads what the page shows. */
export function ExportUsage({ usage, by }: { usage: Usage; by: Dimension }) {
  const day = (iso: string) => iso.slice(0, "yyyy-mm-dd".length);
  const download = () => {
    const file = new Blob([usageCsv(usage, by)], { type: "text/csv;charset=utf-8" });
    offerFile(file, `usage-by-${by}-${day(usage.from)}-${day(usage.to)}.csv`);
    toast.success("Export downloaded");
  };
  return (
    <Button onClick={download}>
      <Download aria-hidden /> Export CSV
    </Button>
  );
}
