import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Guardrail } from "@/lib/guardrails/contract";
import { budgetText, summarize } from "./guardrail-summary";

export const guardrailColumns = (vendors: readonly string[] | undefined, onDelete: (guardrail: Guardrail) => void): Column<Guardrail>[] => [
  {
    header: "Name",
    className: "md:w-[28%]",
    cell: ({ id, name, description }) => (
      <div className="grid gap-0.5 pr-8 md:pr-0">
        <Link href={`/guardrails/${id}`} className="line-clamp-2 font-medium break-words after:absolute after:inset-0">
          {name}
        </Link>
        {description && <span className="line-clamp-1 text-[13px] break-words text-muted">{description}</span>}
      </div>
    ),
  },
  {
    header: "Restricts",
    cell: (guardrail) => <span className="line-clamp-2 text-muted">{summarize(guardrail, vendors) ?? "—"}</span>,
  },
  { header: "Budget", className: "md:whitespace-nowrap", cell: (guardrail) => <span className="tabular-nums">{budgetText(guardrail) ?? "—"}</span> },
  { header: "Changed", cell: ({ updated_at, created_at }) => <RelativeTime at={updated_at ?? created_at} /> },
  {
    header: "Actions",
    isControl: true,
    cell: (guardrail) => (
      <Menu
        trigger={
          <Button variant="ghost" size="icon-sm" className="relative z-10 text-muted" aria-label={`Actions for ${guardrail.name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem asChild>
          <Link href={`/guardrails/${guardrail.id}`}>Edit</Link>
        </MenuItem>
        <MenuSeparator />
        <MenuItem isDestructive onSelect={() => onDelete(guardrail)}>
          Delete…
        </MenuItem>
      </Menu>
    ),
  },
];
