import { apiQuery } from "@/lib/browser/api-query";
import { listAlertFirings } from "@/lib/browser/operations/alerts";
import type { AlertFiring } from "@/lib/features/alerts/contract";

/** Firings that the overview lists; the sidebar shows only their number. */
const SHOWN = 5;
/** Rules are evaluated each minute. */
const EACH_MINUTE_MS = 60_000;

/** Query for the firing alerts, which the sidebar and the overview share. */
export const firingNowQuery = (workspace: string | null) => ({
  ...apiQuery(listAlertFirings, {
    query: { state: "firing" as const, limit: SHOWN, ...(workspace && { workspace_id: workspace }) },
  }),
  refetchInterval: EACH_MINUTE_MS,
});

/** The log, filtered to the requests that a firing is about. */
export function requestsHref({ workspace_id, ...filters }: AlertFiring["requests"]): string {
  const given = Object.entries({ workspace: workspace_id, ...filters }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `/generations?${new URLSearchParams(given)}`;
}
