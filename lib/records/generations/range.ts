import { generationSecond } from "../../platform/ids";
import type { GenerationFilters } from "./contract";

const DAY_MS = 24 * 60 * 60_000;
/** Length of a list's time range without `from`. */
export const DEFAULT_DAYS = 30;

/** Adds the start of a list without one: 30 days before its end, or before now. An id of a generation has its own time. */
export function withRange<T extends Pick<GenerationFilters, "from" | "to" | "q">>(filters: T, now: Date): T {
  if (filters.q !== undefined && generationSecond(filters.q)) return filters;
  const end = Math.min(now.getTime(), filters.to === undefined ? Infinity : Date.parse(filters.to));
  return { ...filters, from: filters.from ?? new Date(end - DEFAULT_DAYS * DAY_MS).toISOString() };
}
