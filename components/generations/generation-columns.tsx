import Link from "next/link";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatUsd } from "@/components/ui/usd";
import type { Generation } from "@/lib/generations/contract";
import { formatDuration, formatTokens } from "./generation-format";
import { GenerationStatus } from "./generation-status";

export const GENERATION_COLUMNS: Column<Generation>[] = [
  {
    header: "Model",
    className: "md:w-[30%]",
    cell: ({ id, model, provider_name }) => (
      <div className="grid gap-0.5">
        <Link href={`/generations/${id}`} aria-label={`${model}, generation ${id}`} className="font-mono text-[13px] font-medium break-all after:absolute after:inset-0">
          {model}
        </Link>
        <span className="text-[13px] text-muted">{provider_name ?? "No provider"}</span>
      </div>
    ),
  },
  { header: "Status", cell: ({ status }) => <GenerationStatus status={status} /> },
  { header: "Key", cell: ({ key_name }) => <span className="break-words">{key_name ?? "—"}</span> },
  { header: "Tokens", align: "right", cell: (generation) => <span className="whitespace-nowrap tabular-nums">{formatTokens(generation) ?? "—"}</span> },
  { header: "Cost", align: "right", cell: ({ total_cost }) => <span className="tabular-nums">{formatUsd(total_cost)}</span> },
  {
    header: "Took",
    align: "right",
    cell: ({ generation_time }) => <span className="whitespace-nowrap tabular-nums">{generation_time === null ? "—" : formatDuration(generation_time)}</span>,
  },
  { header: "When", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];
