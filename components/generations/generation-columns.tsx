import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import type { Column } from "@/components/ui/data-table";
import type { Zone } from "@/components/time-range/time-range";
import type { Generation } from "@/lib/records/generations/contract";
import { ClockTime } from "./clock-time";
import { describeDecisions } from "./decision-text";
import { formatCost, formatDuration, PROTOCOL_LABELS } from "./generation-format";
import { tokenCounts } from "./token-counts";
import { PreviewCell } from "./preview-cell";
import { GenerationStatus } from "./generation-status";

const text = (value: string | null) => <span className="block truncate">{value ?? "–"}</span>;
/** The last line of a dense card, after the time. */
const FOOT = "max-md:order-2 max-md:text-xs max-md:text-muted";
const figure = (value: ReactNode) => (
  <span className="whitespace-nowrap tabular-nums md:text-[13px]">{value ?? "–"}</span>
);

/**
 * Columns of the log. Widths are fixed because rows are virtualized. `hrefOf` links to a generation, `onOpen` opens
 * it in the side sheet. `preview` adds prompt and response, for users who may read content. `clock` says how times are shown.
 */
export const generationColumns = (...given: Parameters<typeof columns>): Column<Generation>[] =>
  columns(...given).map((column) => ({ ...column, className: cn("md:px-2", column.className) }));

const columns = (
  hrefOf: (id: string) => string,
  onOpen?: (id: string) => void,
  preview?: { q: string },
  clock: { zone?: Zone; hasDate?: boolean } = {},
): Column<Generation>[] => [
  {
    id: "model",
    header: "Model",
    className: "max-md:min-w-0 max-md:flex-1 md:w-[15%] md:max-w-0 md:min-w-36",
    cell: ({ id, model }) => (
      <Link
        href={hrefOf(id)}
        prefetch={false}
        {...(onOpen && {
          onNavigate: (event) => {
            event.preventDefault();
            onOpen(id);
          },
        })}
        aria-label={`${model}, generation ${id}`}
        className="block truncate font-mono text-[13px] font-medium after:absolute after:inset-0"
      >
        {model}
      </Link>
    ),
  },
  {
    id: "status",
    header: "Status",
    className: "md:w-22 md:py-2",
    cell: ({ status }) => <GenerationStatus status={status} isQuiet />,
  },
  ...(preview
    ? [
        {
          id: "content",
          header: "Content",
          className: "max-md:w-full max-md:text-[13px] md:w-[34%] md:max-w-0",
          cell: (generation: Generation) => <PreviewCell generation={generation} q={preview.q} />,
        },
      ]
    : []),
  {
    id: "key",
    header: "Key",
    className: `${FOOT} max-md:flex-1 md:w-[9%] md:min-w-20 md:max-w-0`,
    cell: ({ key_name }) => text(key_name),
  },
  {
    id: "decisions",
    header: "Decisions",
    className: "md:w-[18%] md:max-w-0",
    isHiddenAtFirst: true,
    cell: ({ decisions }) => text(describeDecisions(decisions)),
  },
  {
    id: "tokens",
    sortKey: "tokens",
    isDescendingFirst: true,
    header: "Tokens",
    align: "right",
    className: `${FOOT} md:w-20`,
    cell: (generation) => figure(tokenCounts(generation)),
  },
  {
    id: "cost",
    sortKey: "cost",
    isDescendingFirst: true,
    header: "Cost",
    align: "right",
    className: `${FOOT} md:w-20`,
    cell: (generation) => figure(formatCost(generation)),
  },
  {
    id: "duration",
    sortKey: "duration",
    isDescendingFirst: true,
    header: "Duration",
    align: "right",
    className: `${FOOT} md:w-20`,
    cell: ({ generation_time }) => figure(generation_time === null ? null : formatDuration(generation_time)),
  },
  {
    id: "provider",
    header: "Provider",
    className: "md:w-[14%] md:max-w-0",
    isHiddenAtFirst: true,
    cell: ({ provider_name }) => text(provider_name),
  },
  {
    id: "protocol",
    header: "Protocol",
    className: "md:w-36",
    isHiddenAtFirst: true,
    cell: ({ protocol }) => text(PROTOCOL_LABELS[protocol]),
  },
  {
    id: "session",
    header: "Session",
    className: "md:w-[14%] md:max-w-0",
    isHiddenAtFirst: true,
    cell: ({ session_id }) => text(session_id),
  },
  {
    id: "application",
    header: "Application",
    className: "md:w-[14%] md:max-w-0",
    isHiddenAtFirst: true,
    cell: ({ app_title, http_referer }) => text(app_title ?? http_referer),
  },
  {
    id: "end_user",
    header: "End user",
    className: "md:w-[14%] md:max-w-0",
    isHiddenAtFirst: true,
    cell: ({ external_user }) => text(external_user),
  },
  {
    id: "finish_reason",
    header: "Finish reason",
    className: "md:w-32",
    isHiddenAtFirst: true,
    cell: ({ finish_reason }) => text(finish_reason),
  },
  {
    id: "time",
    header: "Time",
    sortKey: "created_at",
    isDescendingFirst: true,
    className: "max-md:order-1 max-md:text-xs md:w-32 md:text-[13px]",
    cell: ({ created_at }) => <ClockTime at={created_at} {...clock} />,
  },
];
