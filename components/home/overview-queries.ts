import { keepPreviousData } from "@tanstack/react-query";
import { apiQuery } from "@/lib/browser/api-query";
import { getOverview } from "@/lib/browser/operations/analytics";
import { listGenerations } from "@/lib/browser/operations/generations";
import { budgetsQuery } from "./budget-queries";
import type { OverviewState } from "./overview-state";

const CLOSEST_BUDGETS = 5;

const ofWorkspace = (workspace: string | null) => (workspace === null ? {} : { workspace_id: workspace });

export const overviewQuery = ({ workspace, range, from, to }: OverviewState) => ({
  ...apiQuery(getOverview, {
    query: { ...ofWorkspace(workspace), ...(from !== null && to !== null ? { from, to } : { range }) },
  }),
  placeholderData: keepPreviousData,
});

export const closestBudgetsQuery = (workspace: string | null) =>
  budgetsQuery({ ...ofWorkspace(workspace), limit: CLOSEST_BUDGETS });

/** Groupings of usage that reveal failing providers and spikes of blocked requests. */
export const FAILING_PROVIDERS = { group_by: "provider", measure: "errors" } as const;
export const SPIKING_GUARDRAILS = { group_by: "guardrail", measure: "blocked" } as const;

/** Newest generation, to know if there are any. */
export const newestGenerationQuery = apiQuery(listGenerations, { query: { limit: 1 } });
