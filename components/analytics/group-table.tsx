import Link from "next/link";
import { formatCount, formatDuration } from "@/components/generations/generation-format";
import { DataTable, type Column } from "@/components/ui/data-table";
import { Trend } from "@/components/ui/stat";
import { trendOf } from "@/components/ui/trend";
import type { Sums, Usage } from "@/lib/features/analytics/usage-contract";
import type { Measure } from "@/lib/features/analytics/vocabulary";
import { formatRate, MEASURE_LOOK } from "./measures";
import { Spend } from "./spend";
import { otherLabel } from "./usage-series";

export interface GroupRow {
  key: string;
  name: string;
  totals: Sums & Partial<Pick<Usage["totals"], "time_to_first_token" | "duration">>;
  previous: Sums;
  /** Links to the log: all requests, or those of a status. */
  hrefOf: (status: "failed" | "blocked" | null) => string | undefined;
}

/** One row per group, and one for all others. */
export const rowsOf = (
  { groups, other }: Usage,
  nameOf: (group: Usage["groups"][number]) => string,
  hrefOf: (id: string | null, status: string | null) => string | undefined,
): GroupRow[] => [
  ...groups.map((group, place) => ({
    ...group,
    key: String(place),
    name: nameOf(group),
    hrefOf: (status: string | null) => hrefOf(group.id, status),
  })),
  ...(other ? [{ ...other, key: "other", name: otherLabel(other.count), hrefOf: () => undefined }] : []),
];

const linked = (text: string, href: string | undefined, name: string) =>
  href === undefined || text === "0" ? (
    text
  ) : (
    <Link href={href} aria-label={name} className="rounded-sm underline-offset-2 hover:underline">
      {text}
    </Link>
  );

const number = (id: string, header: string, cell: Column<GroupRow>["cell"]): Column<GroupRow> => ({
  id,
  header,
  align: "right",
  className: "tabular-nums",
  cell,
});

const time = (milliseconds: number | undefined) => (milliseconds === undefined ? "–" : formatDuration(milliseconds));

function columnsOf(dimension: string, measure: Measure): Column<GroupRow>[] {
  const { label, valueOf, good } = MEASURE_LOOK[measure];
  return [
    {
      id: "group",
      header: dimension,
      cell: ({ name, hrefOf }) => {
        const href = hrefOf(MEASURE_LOOK[measure].status);
        return (
          <span className="font-medium wrap-anywhere">
            {href === undefined ? (
              name
            ) : (
              <Link href={href} className="rounded-sm underline-offset-2 hover:underline">
                {name}
              </Link>
            )}
          </span>
        );
      },
    },
    number("change", "Change", ({ totals, previous }) => {
      const trend = trendOf(valueOf(totals), valueOf(previous), good);
      return trend ? (
        <span title={`${label}, compared with the previous period`}>
          <Trend trend={trend} />
        </span>
      ) : (
        "–"
      );
    }),
    number("spend", "Spend", ({ totals }) => <Spend {...totals} />),
    number("tokens", "Tokens", ({ totals }) => formatCount(totals.tokens_prompt + totals.tokens_completion)),
    number("requests", "Requests", ({ totals, name, hrefOf }) =>
      linked(formatCount(totals.requests), hrefOf(null), `Show ${formatCount(totals.requests)} of ${name}`),
    ),
    number("failed", "Failed", ({ totals, name, hrefOf }) =>
      linked(formatCount(totals.failed), hrefOf("failed"), `Show ${formatCount(totals.failed)} failed of ${name}`),
    ),
    number("blocked", "Blocked", ({ totals, name, hrefOf }) =>
      linked(formatCount(totals.blocked), hrefOf("blocked"), `Show ${formatCount(totals.blocked)} blocked of ${name}`),
    ),
    number("p95_first_token", "p95 first token", ({ totals }) => time(totals.time_to_first_token?.p95)),
    number("p95_duration", "p95 duration", ({ totals }) => time(totals.duration?.p95)),
    number("tokens_per_second", "Tokens/s", ({ totals }) =>
      totals.tokens_per_second === null ? "–" : formatRate(totals.tokens_per_second),
    ),
  ];
}

interface GroupTableProps {
  rows: readonly GroupRow[];
  /** Header of the first column. */
  dimension: string;
  measure: Measure;
}

/** Figures of each group, with links to its requests in the log. */
export const GroupTable = ({ rows, dimension, measure }: GroupTableProps) => (
  <DataTable
    label={`Usage by ${dimension.toLowerCase()}`}
    columns={columnsOf(dimension, measure)}
    rows={rows}
    rowKey={({ key }) => key}
  />
);
