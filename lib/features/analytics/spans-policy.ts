import { DAY_MS } from "./vocabulary";

export const HOUR_MS = 60 * 60 * 1000;

/** A time range; `to` is exclusive. */
export interface Span {
  from: Date;
  to: Date;
}

/** Parts of time ranges: whole UTC days and hours, which rollups have, and the rest, in which generations are counted one by one. */
export interface Spans {
  days: Span[];
  hours: Span[];
  rows: Span[];
}

const span = (from: number, to: number): Span[] => (from < to ? [{ from: new Date(from), to: new Date(to) }] : []);

/** Splits a range into the longest parts of which none is in two buckets; a null length is one bucket for all. */
export function spansOf({ from, to }: Span, bucketSeconds: number | null): Spans {
  const [start, end] = [from.getTime(), to.getTime()];
  const bucketMs = bucketSeconds === null ? DAY_MS : bucketSeconds * 1000;
  if (bucketMs % HOUR_MS !== 0) return { days: [], hours: [], rows: span(start, end) };
  const firstHour = Math.ceil(start / HOUR_MS) * HOUR_MS;
  const endHour = Math.floor(end / HOUR_MS) * HOUR_MS;
  if (firstHour >= endHour) return { days: [], hours: [], rows: span(start, end) };
  const rows = [...span(start, firstHour), ...span(endHour, end)];
  const firstDay = Math.ceil(firstHour / DAY_MS) * DAY_MS;
  const endDay = Math.floor(endHour / DAY_MS) * DAY_MS;
  if (bucketMs % DAY_MS !== 0 || firstDay >= endDay) return { days: [], hours: span(firstHour, endHour), rows };
  return { days: span(firstDay, endDay), hours: [...span(firstHour, firstDay), ...span(endDay, endHour)], rows };
}
