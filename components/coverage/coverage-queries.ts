import { apiQuery } from "@/lib/browser/api-query";
import { getCoverage } from "@/lib/browser/operations/coverage";

/** Coverage gaps in one workspace or all. */
export const coverageQuery = (workspace: string | null) =>
  apiQuery(getCoverage, { query: workspace === null ? {} : { workspace_id: workspace } });
