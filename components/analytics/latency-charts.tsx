import { formatDuration } from "@/components/generations/generation-format";
import { bucketOf, logLink, type Counted } from "@/components/generations/log-link";
import { Card } from "@/components/ui/card";
import type { ChartSeries, ChartUnit } from "@/components/ui/chart-parts";
import { StackedChart } from "@/components/ui/stacked-chart";
import type { Percentiles, Usage } from "@/lib/features/analytics/usage-contract";
import { formatRate } from "./measures";

const DURATION_UNIT: ChartUnit = { format: formatDuration, short: formatDuration, isWhole: false };
const speed = (value: number) => `${formatRate(value)}/s`;
const SPEED_UNIT: ChartUnit = { format: speed, short: speed, isWhole: false };

const PERCENTILES = [
  { key: "p50", label: "p50", tone: "1", shape: "line" },
  { key: "p95", label: "p95", tone: "2", shape: "line" },
  { key: "p99", label: "p99", tone: "4", shape: "line" },
] as const satisfies ChartSeries[];
const SPEED = [{ key: "speed", label: "Tokens per second", tone: "1", shape: "line" }] as const satisfies ChartSeries[];

interface LatencyChartsProps {
  usage: Usage;
  counted: Counted;
  timeZone: string;
}

/** Percentiles of time to first token and duration, and generation speed. */
export function LatencyCharts({ usage, counted, timeZone }: LatencyChartsProps) {
  const { series, totals, bucket_seconds } = usage;
  const shared = {
    timeZone,
    bucketSeconds: bucket_seconds,
    empty: "No completed requests in this range.",
    hrefOf: (at: string) => logLink(bucketOf(counted, at, bucket_seconds), {}),
  };
  const percentiles = (measure: "time_to_first_token" | "duration") =>
    series.map((bucket) => ({ at: bucket.at, p50: null, p95: null, p99: null, ...bucket[measure] }));
  const speeds = series.map(({ at, tokens_per_second }) => ({ at, speed: tokens_per_second }));
  return (
    <div className="grid gap-4 lg:grid-cols-2 xl:grid-cols-3">
      <Card id="first-token" title="Time to first token" description={described(totals.time_to_first_token)}>
        <StackedChart
          {...shared}
          label="Time to first token"
          data={percentiles("time_to_first_token")}
          series={PERCENTILES}
          unit={DURATION_UNIT}
        />
      </Card>
      <Card id="duration" title="Duration" description={described(totals.duration)}>
        <StackedChart
          {...shared}
          label="Duration"
          data={percentiles("duration")}
          series={PERCENTILES}
          unit={DURATION_UNIT}
        />
      </Card>
      <Card
        id="speed"
        title="Tokens per second"
        description={
          totals.tokens_per_second === null
            ? "After the first token"
            : `${speed(totals.tokens_per_second)} after the first token`
        }
      >
        <StackedChart {...shared} label="Tokens per second" data={speeds} series={SPEED} unit={SPEED_UNIT} />
      </Card>
    </div>
  );
}

/** "p50 640 ms · p95 2.1 s · p99 4.0 s". */
const described = (percentiles: Percentiles): string =>
  percentiles === null
    ? "p50, p95 and p99"
    : (["p50", "p95", "p99"] as const).map((name) => `${name} ${formatDuration(percentiles[name])}`).join(" · ");
