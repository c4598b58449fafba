import { generationSecond, requestTimes } from "../../platform/ids";
import type { GenerationFilters } from "./contract";

const DAY_MS = 24 * 60 * 60_000;
/** Days of a list's time range without `from`. */
export const DEFAULT_DAYS = 30;

/**
 * Adds a missing start to a list: 30 days before its end, or before now. A generation's id contains its time, and so
 * do our ids of requests, so that a search for one needs no start.
 */
export function withRange<T extends Pick<GenerationFilters, "from" | "to" | "q" | "request_id">>(
  filters: T,
  now: Date,
): T {
  if (filters.q !== undefined && generationSecond(filters.q)) return filters;
  if (filters.request_id !== undefined && requestTimes(filters.request_id)) return filters;
  const end = Math.min(now.getTime(), filters.to === undefined ? Infinity : Date.parse(filters.to));
  return { ...filters, from: filters.from ?? new Date(end - DEFAULT_DAYS * DAY_MS).toISOString() };
}
