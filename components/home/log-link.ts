import type { GenerationFilters } from "@/lib/records/generations/contract";
import type { Overview } from "@/lib/features/analytics/contract";

/** The requests a figure covers. */
export interface Counted extends Pick<Overview, "from" | "to"> {
  workspace: string | null;
}

/** Link to the log, filtered to the requests a figure covers. */
export function logLink(
  { from, to, workspace }: Counted,
  filters: Partial<Record<keyof GenerationFilters, string | null>>,
): string {
  const given = Object.entries({ workspace, from, to, ...filters }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  );
  return `/generations?${new URLSearchParams(given)}`;
}
