import Link from "next/link";
import type { ReactNode } from "react";
import { formatSpend } from "@/components/analytics/measures";
import { formatCount, formatDuration, unpricedNote } from "@/components/generations/generation-format";
import { logLink, type Counted } from "@/components/generations/log-link";
import { Sparkline } from "@/components/ui/sparkline";
import { Stat, Trend } from "@/components/ui/stat";
import { trendOf, type Change } from "@/components/ui/trend";
import type { Overview } from "@/lib/features/analytics/contract";

const percentOf = (part: number, whole: number) =>
  whole === 0 ? undefined : `${((100 * part) / whole).toFixed(1)}% of requests`;

interface OverviewStatsProps {
  overview: Overview;
  /** Spend of each bucket; undefined while loading. */
  spends: readonly number[] | undefined;
  counted: Counted;
}

/** Three key figures over time and two others, compared with the previous period. */
export function OverviewStats({ overview: { totals, previous, outcomes }, spends, counted }: OverviewStatsProps) {
  const linked = (count: number, status: string) =>
    count === 0 ? (
      "0"
    ) : (
      <Link
        href={logLink(counted, { status })}
        aria-label={`Show ${formatCount(count)} ${status}`}
        className="rounded-sm hover:underline"
      >
        {formatCount(count)}
      </Link>
    );
  const requests = outcomes.map(
    ({ succeeded, failed, blocked, cancelled }) => succeeded + failed + blocked + cancelled,
  );
  return (
    <div
      role="group"
      aria-label="Figures"
      className="grid divide-y rounded-lg border bg-surface sm:grid-cols-3 sm:divide-x sm:divide-y-0 xl:grid-cols-[repeat(3,minmax(0,1fr))_16rem]"
    >
      <Stat
        label="Spend"
        value={formatSpend(totals.spend_usd)}
        hint={unpricedNote(totals.unpriced_requests)}
        trend={trendOf(totals.spend_usd, previous.spend_usd)}
      >
        <Sparkline values={spends ?? []} color="var(--chart-1)" />
      </Stat>
      <Stat label="Requests" value={formatCount(totals.requests)} trend={trendOf(totals.requests, previous.requests)}>
        <Sparkline values={requests} color="var(--success)" />
      </Stat>
      <Stat
        label="Blocked"
        value={linked(totals.blocked, "blocked")}
        hint={percentOf(totals.blocked, totals.requests)}
        trend={trendOf(totals.blocked, previous.blocked)}
      >
        <Sparkline values={outcomes.map(({ blocked }) => blocked)} color="var(--warning)" />
      </Stat>
      <dl className="grid content-center gap-x-6 gap-y-2 p-4 text-[13px] sm:col-span-3 sm:grid-cols-2 sm:border-t sm:px-5 xl:col-span-1 xl:grid-cols-1 xl:border-t-0">
        <Secondary
          label="Failed"
          value={linked(totals.failed, "failed")}
          hint={percentOf(totals.failed, totals.requests)}
          trend={trendOf(totals.failed, previous.failed, "down")}
        />
        <Secondary
          label="p95 time to first token"
          value={totals.p95_latency_ms === null ? "–" : formatDuration(totals.p95_latency_ms)}
          trend={trendOf(totals.p95_latency_ms ?? 0, previous.p95_latency_ms ?? 0, "down")}
        />
      </dl>
    </div>
  );
}

interface SecondaryProps {
  label: string;
  value: ReactNode;
  hint?: string | undefined;
  trend: Change | null;
}

const Secondary = ({ label, value, hint, trend }: SecondaryProps) => (
  <div>
    <dt className="text-muted">{label}</dt>
    <dd className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-base font-semibold tabular-nums">{value}</span>
      <Trend trend={trend} />
      {hint && <span className="text-muted">{hint}</span>}
    </dd>
  </div>
);
