import type { GenerationFilters } from "@/lib/generations/contract";
import type { Overview } from "@/lib/analytics/contract";

/** What a figure counts. */
export interface Counted extends Pick<Overview, "from" | "to"> {
  workspace: string | null;
}

/** The log of exactly the requests that a figure counts. */
export function logLink(
  { from, to, workspace }: Counted,
  filters: Partial<Record<keyof GenerationFilters, string | null>>,
): string {
  const given = Object.entries({ workspace, from, to, ...filters }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  );
  return `/generations?${new URLSearchParams(given)}`;
}
