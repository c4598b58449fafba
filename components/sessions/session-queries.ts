import { apiQuery } from "@/lib/browser/api-query";
import { getUsage } from "@/lib/browser/operations/analytics-usage";
import { MAX_DAYS, DAY_MS } from "@/lib/features/analytics/vocabulary";

/** Field that the requests of a thread share; also the filter of the log. */
export type Thread = { session_id: string } | { trace_id: string };

/** Sums over all requests of a thread up to its newest one, whose time is given. */
export function threadUsageQuery(of: Thread, newest: string) {
  const to = Date.parse(newest) + 1;
  const range = { from: new Date(to - MAX_DAYS * DAY_MS).toISOString(), to: new Date(to).toISOString() };
  return apiQuery(getUsage, { query: { ...of, ...range } });
}
