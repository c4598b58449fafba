import { toneAt, type ChartPoint, type ChartSeries } from "@/components/ui/chart-parts";
import type { Sums, Usage } from "@/lib/features/analytics/usage-contract";

type Bucketed = Sums & { at: string };

export const OTHER_KEY = "other";
export const PREVIOUS_KEY = "previous";
/** Key of the series of the group at `place`. */
export const groupKey = (place: number): string => `group ${place}`;

interface UsageChart {
  data: ChartPoint[];
  series: ChartSeries[];
}

/** Total of the previous period's bucket at the same offset. Later buckets count towards the last one. */
function previousIn(
  { from, to, bucket_seconds, series }: Usage,
  previous: readonly Bucketed[],
  valueOf: (sums: Sums) => number,
) {
  const length = Date.parse(to) - Date.parse(from);
  const start = Date.parse(series[0]?.at ?? from);
  const sums = new Map<number, number>();
  for (const bucket of previous) {
    const place = Math.floor((Date.parse(bucket.at) + length - start) / (bucket_seconds * 1000));
    const kept = Math.min(Math.max(place, 0), series.length - 1);
    sums.set(kept, (sums.get(kept) ?? 0) + valueOf(bucket));
  }
  return (place: number) => sums.get(place) ?? 0;
}

/** Points and series of a measure: one per group, one for all others, and the previous period's total. */
export function usageChart(
  usage: Usage,
  valueOf: (sums: Sums) => number,
  nameOf: (group: Usage["groups"][number]) => string,
  previous: Usage | undefined,
): UsageChart {
  const { groups, other } = usage;
  const byTime = (series: readonly Bucketed[]) => new Map(series.map((bucket) => [bucket.at, valueOf(bucket)]));
  const columns: [string, Map<string, number>][] = [
    ...groups.map(({ series }, place): [string, Map<string, number>] => [groupKey(place), byTime(series)]),
    ...(other ? ([[OTHER_KEY, byTime(other.series)]] as [string, Map<string, number>][]) : []),
  ];
  const before = previous && previousIn(usage, previous.series, valueOf);
  return {
    data: usage.series.map(({ at }, place) => ({
      at,
      ...Object.fromEntries(columns.map(([key, values]) => [key, values.get(at) ?? 0])),
      ...(before && { [PREVIOUS_KEY]: before(place) }),
    })),
    series: [
      ...groups.map((group, place) => ({ key: groupKey(place), label: nameOf(group), tone: toneAt(place) })),
      ...(other ? [{ key: OTHER_KEY, label: otherLabel(other.count), tone: "neutral" as const }] : []),
      ...(before
        ? [{ key: PREVIOUS_KEY, label: "Previous period, total", tone: "neutral" as const, shape: "dashed" as const }]
        : []),
    ],
  };
}

export const otherLabel = (count: number): string => `${count} ${count === 1 ? "other" : "others"}`;
