import Link from "next/link";
import { formatCount, formatDuration } from "@/components/generations/generation-format";
import { logLink, type Counted } from "@/components/generations/log-link";
import { DataTable, type Column, type DataTableProps } from "@/components/ui/data-table";
import { Trend } from "@/components/ui/stat";
import { trendOf } from "@/components/ui/trend";
import type { Sums, Usage } from "@/lib/features/analytics/usage-contract";
import { PERCENTILES, type Dimension, type GroupSort, type Measure } from "@/lib/features/analytics/vocabulary";
import { DIMENSION_LABELS } from "./analytics-state";
import { formatRate, MEASURE_LOOK } from "./measures";
import { Spend } from "./spend";
import { groupFilter, groupName } from "./usage-chart";
import { otherLabel } from "./usage-series";

export interface GroupRow {
  key: string;
  name: string;
  totals: Sums & Partial<Pick<Usage["totals"], "time_to_first_token" | "duration">>;
  previous: Sums;
  /** Link to the page narrowed to the group. */
  href: string | undefined;
  /** Links to the log: all requests, or those of a status. */
  hrefOf: (status: "failed" | "blocked" | null) => string | undefined;
}

/** One row per group, and one for all others. */
export function groupRowsOf(
  { groups, other }: Usage,
  by: Dimension,
  counted: Counted,
  narrowedLinkOf: (id: string | null) => string | undefined,
): GroupRow[] {
  // The log lists requests with any of several tags, so that a group within other tags has no link.
  const tags = counted.only?.tag;
  const isListed = (id: string) => by !== "tag" || tags === undefined || [tags].flat().includes(id);
  return [
    ...groups.map((group) => ({
      ...group,
      key: group.id === null ? "none" : `group ${group.id}`,
      name: groupName(group, by),
      href: narrowedLinkOf(group.id),
      hrefOf: (status: string | null) =>
        group.id !== null && isListed(group.id) ? logLink(counted, groupFilter(by, group.id, status)) : undefined,
    })),
    ...(other
      ? [{ ...other, key: "other", name: otherLabel(other.count), href: undefined, hrefOf: () => undefined }]
      : []),
  ];
}

const linked = (text: string, href: string | undefined, name: string) =>
  href === undefined || text === "0" ? (
    text
  ) : (
    <Link href={href} aria-label={name} className="rounded-sm underline-offset-2 hover:underline">
      {text}
    </Link>
  );

const number = (
  id: string,
  header: string,
  cell: Column<GroupRow>["cell"],
  sortKey: GroupSort = id as GroupSort,
): Column<GroupRow> => ({
  id,
  header,
  sortKey,
  isDescendingFirst: true,
  align: "right",
  className: "tabular-nums",
  cell,
});

const nameColumn = (by: Dimension, measure: Measure): Column<GroupRow> => ({
  id: "group",
  header: DIMENSION_LABELS[by],
  cell: ({ name, href, hrefOf }) => {
    const to = href ?? hrefOf(MEASURE_LOOK[measure].status);
    return (
      <span className="font-medium wrap-anywhere">
        {to === undefined ? (
          name
        ) : (
          <Link href={to} className="rounded-sm underline-offset-2 hover:underline">
            {name}
          </Link>
        )}
      </span>
    );
  },
});

function usageColumns(by: Dimension, measure: Measure): Column<GroupRow>[] {
  const { label, valueOf, good } = MEASURE_LOOK[measure];
  return [
    nameColumn(by, measure),
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
    number(
      "failed",
      "Failed",
      ({ totals, name, hrefOf }) =>
        linked(formatCount(totals.failed), hrefOf("failed"), `Show ${formatCount(totals.failed)} failed of ${name}`),
      "errors",
    ),
    number("blocked", "Blocked", ({ totals, name, hrefOf }) =>
      linked(formatCount(totals.blocked), hrefOf("blocked"), `Show ${formatCount(totals.blocked)} blocked of ${name}`),
    ),
    number("tokens_per_second", "Tokens/s", ({ totals }) =>
      totals.tokens_per_second === null ? "–" : formatRate(totals.tokens_per_second),
    ),
  ];
}

const LATENCIES = { time_to_first_token: "first token", duration: "duration" } as const;

const latencyColumns = (by: Dimension, measure: Measure): Column<GroupRow>[] => [
  nameColumn(by, measure),
  ...(["time_to_first_token", "duration"] as const).flatMap((latency) =>
    PERCENTILES.map((percentile) =>
      number(`${latency}_${percentile}`, `${percentile} ${LATENCIES[latency]}`, ({ totals }) => {
        const percentiles = totals[latency];
        return percentiles ? formatDuration(percentiles[percentile]) : "–";
      }),
    ),
  ),
];

interface GroupTableProps {
  rows: readonly GroupRow[];
  by: Dimension;
  measure: Measure;
  /** Order of the groups, which both tables share. */
  sort: NonNullable<DataTableProps<GroupRow>["sort"]>;
}

/** Figures of each group, with links to the group's usage and to its requests in the log. */
export const UsageTable = ({ rows, by, measure, sort }: GroupTableProps) =>
  rows.length > 0 && (
    <DataTable
      label={`Usage by ${DIMENSION_LABELS[by].toLowerCase()}`}
      columns={usageColumns(by, measure)}
      rows={rows}
      rowKey={({ key }) => key}
      sort={sort}
    />
  );

const SAMPLED: Partial<Record<Dimension, string>> = {
  key: "Percentiles of each key’s latest 2,000 requests in the range. An order by them compares the 100 busiest keys.",
  member:
    "Percentiles of each member’s latest 2,000 requests in the range. An order by them compares the 100 busiest members.",
};

/** Percentiles of each group, for dimensions that have them. */
export function LatencyTable({ rows, by, measure, sort }: GroupTableProps) {
  const timed = rows.filter(({ totals }) => totals.time_to_first_token ?? totals.duration);
  if (timed.length === 0) return null;
  const title = `Latency by ${DIMENSION_LABELS[by].toLowerCase()}`;
  return (
    <section aria-labelledby="latency" className="min-w-0">
      <h2 id="latency" className="mb-2 text-sm font-semibold">
        {title}
      </h2>
      <DataTable
        label={title}
        columns={latencyColumns(by, measure)}
        rows={timed}
        rowKey={({ key }) => key}
        sort={sort}
      />
      {SAMPLED[by] && <p className="mt-2 text-[13px] text-muted">{SAMPLED[by]}</p>}
    </section>
  );
}
