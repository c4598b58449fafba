import { BUCKET_ORIGIN } from "./buckets-policy";
import { DAY_MS } from "./vocabulary";

export const HOUR_MS = 60 * 60 * 1000;

/** A time range; `to` is exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

/** Parts of time ranges: whole weeks from Monday on, days and hours in UTC, which rollups have, and the rest, in which generations are counted one by one. */
export type Spans = Record<(typeof GRAINS)[number] | "rows", Span[]>;

/** Lengths of time for which rollups are kept, longest first. */
export const GRAINS = ["week", "day", "hour"] as const;
export type Grain = (typeof GRAINS)[number];

export const GRAIN_MS: Record<Grain, number> = { week: 7 * DAY_MS, day: DAY_MS, hour: HOUR_MS };

const span = (from: number, to: number): Span[] => (from < to ? [{ from: new Date(from), to: new Date(to) }] : []);

/** Splits a range into the longest parts of the given grains of which none is in two buckets; a null length is one bucket for all. */
export function spansOf({ from, to }: Span, bucketSeconds: number | null, grains: readonly Grain[]): Spans {
  const spans: Spans = { week: [], day: [], hour: [], rows: [] };
  const usable = GRAINS.filter(
    (grain) => grains.includes(grain) && (bucketSeconds === null || (bucketSeconds * 1000) % GRAIN_MS[grain] === 0),
  );
  split(from.getTime(), to.getTime(), usable, spans);
  return spans;
}

function split(from: number, to: number, [grain, ...shorter]: readonly Grain[], spans: Spans): void {
  if (grain === undefined) {
    spans.rows.push(...span(from, to));
    return;
  }
  const unit = GRAIN_MS[grain];
  const origin = BUCKET_ORIGIN.getTime();
  const first = Math.ceil((from - origin) / unit) * unit + origin;
  const end = Math.floor((to - origin) / unit) * unit + origin;
  if (first >= end) {
    split(from, to, shorter, spans);
    return;
  }
  spans[grain].push(...span(first, end));
  split(from, first, shorter, spans);
  split(end, to, shorter, spans);
}
