import type { RangeQuery } from "./contract";
import { RANGE_DAYS } from "../../records/generations/vocabulary";
import { DAY_MS } from "./vocabulary";

/** Returns both ends of a range; `to` is exclusive. */
export function endsOf({ range, from, to }: RangeQuery, now: Date): { from: Date; to: Date } {
  if (from !== undefined && to !== undefined) return { from: new Date(from), to: new Date(to) };
  return { from: new Date(now.getTime() - RANGE_DAYS[range] * DAY_MS), to: now };
}
