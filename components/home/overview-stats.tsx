import Link from "next/link";
import { formatCount, formatDuration } from "@/components/generations/generation-format";
import { Stat } from "@/components/ui/stat";
import { formatUsd } from "@/components/ui/usd";
import type { Overview } from "@/lib/features/analytics/contract";
import { logLink, type Counted } from "@/components/generations/log-link";
import { trendOf } from "@/components/ui/trend";

/** Large amounts are rounded to cents. */
const PRECISE_BELOW_USD = 1;
const formatSpend = (usd: number) => formatUsd(usd < PRECISE_BELOW_USD ? usd : Math.round(usd * 100) / 100);
const percentOf = (part: number, whole: number) =>
  whole === 0 ? undefined : `${((100 * part) / whole).toFixed(1)}% of requests`;

/** Five key figures of the range, each compared with the previous period. */
export function OverviewStats({ overview: { totals, previous }, counted }: { overview: Overview; counted: Counted }) {
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
  return (
    <div role="group" aria-label="Figures" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <Stat label="Spend" value={formatSpend(totals.spend_usd)} trend={trendOf(totals.spend_usd, previous.spend_usd)} />
      <Stat label="Requests" value={formatCount(totals.requests)} trend={trendOf(totals.requests, previous.requests)} />
      <Stat
        label="Blocked"
        value={linked(totals.blocked, "blocked")}
        hint={percentOf(totals.blocked, totals.requests)}
        trend={trendOf(totals.blocked, previous.blocked)}
      />
      <Stat
        label="Failed"
        value={linked(totals.failed, "failed")}
        hint={percentOf(totals.failed, totals.requests)}
        trend={trendOf(totals.failed, previous.failed, "down")}
      />
      <Stat
        label="p95 latency"
        value={totals.p95_latency_ms === null ? "–" : formatDuration(totals.p95_latency_ms)}
        hint="Time to first token"
        trend={trendOf(totals.p95_latency_ms ?? 0, previous.p95_latency_ms ?? 0, "down")}
      />
    </div>
  );
}
