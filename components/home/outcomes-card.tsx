import { Card } from "@/components/ui/card";
import type { StackedChartProps } from "@/components/ui/chart-parts";
import { StackedChart } from "@/components/ui/stacked-chart";
import type { Overview } from "@/lib/features/analytics/contract";
import { bucketOf, logLink, type Counted } from "@/components/generations/log-link";

const SERIES = [
  { key: "succeeded", label: "Succeeded", tone: "success" },
  { key: "blocked", label: "Blocked", tone: "warning" },
  { key: "failed", label: "Failed", tone: "danger" },
  { key: "cancelled", label: "Cancelled", tone: "neutral" },
] as const satisfies StackedChartProps["series"];

const UNITS = [
  [604_800, "week"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
] as const;

/** 21600 → "6 hours". */
function lengthOf(seconds: number): string {
  const [size, unit] = UNITS.find(([length]) => seconds >= length) ?? UNITS[3];
  const count = seconds / size;
  return count === 1 ? unit : `${count} ${unit}s`;
}

interface OutcomesCardProps {
  overview: Overview;
  counted: Counted;
  timeZone: string;
}

/** Requests by outcome over time, with links to the log. */
export function OutcomesCard({ overview: { outcomes, bucket_seconds }, counted, timeZone }: OutcomesCardProps) {
  return (
    <Card id="outcomes" title="Outcomes" description={`Request outcomes per ${lengthOf(bucket_seconds)}.`}>
      <StackedChart
        label="Outcomes over time"
        data={outcomes}
        series={SERIES}
        timeZone={timeZone}
        bucketSeconds={bucket_seconds}
        empty="No requests in this range."
        hrefOf={(at, status) => logLink(bucketOf(counted, at, bucket_seconds), { status })}
      />
    </Card>
  );
}
