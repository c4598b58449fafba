import type { GenerationFilters } from "@/lib/records/generations/contract";
import type { Overview } from "@/lib/features/analytics/contract";

/** A key or member. */
export type Subject = { key_hash: string } | { user_id: string };

/** The requests that a figure counts. */
export interface Counted extends Pick<Overview, "from" | "to"> {
  workspace: string | null;
  /** Key or member that the link is limited to; all by default. */
  only?: Subject;
}

/** Link to the log, filtered to the requests that a figure counts. */
export function logLink(
  { from, to, workspace, only }: Counted,
  filters: Partial<Record<keyof GenerationFilters, string | null>>,
): string {
  const given = Object.entries({ workspace, from, to, ...only, ...filters }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  );
  return `/generations?${new URLSearchParams(given)}`;
}

/** Link to the requests of the last 7 days that match filters. */
export const recentLogLink = (workspace: string | null, filters: Partial<Record<keyof GenerationFilters, string>>) =>
  `/generations?${new URLSearchParams({ ...(workspace !== null && { workspace }), ...filters, range: "7d" })}`;

/** One bucket of a figure over time, limited to the range. */
export function bucketOf(counted: Counted, at: string, seconds: number): Counted {
  const end = new Date(Date.parse(at) + seconds * 1000).toISOString();
  return {
    ...counted,
    from: at > counted.from ? at : counted.from,
    to: end < counted.to ? end : counted.to,
  };
}
