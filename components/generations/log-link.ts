import type { GenerationFilters } from "@/lib/records/generations/contract";
import type { Overview } from "@/lib/features/analytics/contract";

/** A key or member. */
export type Subject = { key_hash: string } | { user_id: string };

/** The requests that a figure counts. */
export interface Counted extends Pick<Overview, "from" | "to"> {
  workspace: string | null;
  /** Filters that the figures have; none by default. */
  only?: LogFilters;
}

export type LogFilters = Partial<Record<keyof GenerationFilters, string | readonly string[] | null>>;

/** A filter's values as in the log's URL, where commas separate them. */
const inUrl = (value: string | readonly string[] | null | undefined): string =>
  [value ?? []]
    .flat()
    .map((one) => one.replaceAll(",", encodeURIComponent(",")))
    .join(",");

/** Link to the log, filtered to the requests that a figure counts. */
export function logLink({ from, to, workspace, only }: Counted, filters: LogFilters): string {
  const given = Object.entries({ workspace, from, to, ...only, ...filters }).flatMap(([name, value]) => {
    const text = inUrl(value);
    return text === "" ? [] : [[name, text]];
  });
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
