import type { GenerationFilters } from "@/lib/records/generations/contract";

const DAY_MS = 24 * 60 * 60_000;
/** Longest range of an analytics request. */
const MOST_MS = 400 * DAY_MS;

/** Undefined for an invalid time, as in a mistyped URL. */
const timeOf = (text: string | undefined): number | undefined => {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : time;
};

/** The histogram's time range, and its description unless the user chose it. Without a start, the 24 hours before the end. */
export function histogramRange(
  { from, to }: Pick<GenerationFilters, "from" | "to">,
  now: number,
): { ends: { from: string; to: string }; phrase: string | null } {
  const end = timeOf(to) ?? now;
  const given = timeOf(from) ?? end - DAY_MS;
  const start = Math.max(Math.min(given, end - 1), end - MOST_MS);
  const phrase =
    from !== undefined ? null : to === undefined ? "in the last 24 hours" : "in the 24 hours before the chosen end";
  return { ends: { from: new Date(start).toISOString(), to: new Date(end).toISOString() }, phrase };
}

/** The first and the last chosen bucket, in the order of choosing. */
export interface Brush {
  start: number;
  end: number;
}

/** The time range of the chosen buckets; null for none. */
export function brushed(
  series: readonly { at: string }[],
  { start, end }: Brush,
  bucketSeconds: number,
): { from: string; to: string } | null {
  const first = series[Math.min(start, end)];
  const last = series[Math.max(start, end)];
  if (!first || !last) return null;
  return {
    from: new Date(first.at).toISOString(),
    to: new Date(Date.parse(last.at) + bucketSeconds * 1000).toISOString(),
  };
}
