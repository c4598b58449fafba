import { keepPreviousData } from "@tanstack/react-query";
import type { Subject } from "@/components/generations/log-link";
import { apiQuery } from "@/lib/browser/api-query";
import type { Query } from "@/lib/browser/api-client";
import { getUsage } from "@/lib/browser/operations/analytics-usage";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import {
  defaultDimension,
  narrowedBy,
  sortOf,
  type AnalyticsState,
  type Narrowed,
  type SubjectUsageState,
} from "./analytics-state";

type Scope = Pick<AnalyticsState, "workspace" | "range" | "from" | "to">;

const scopeOf = ({ workspace, range, from, to }: Scope): Query<typeof getUsage> => ({
  ...(workspace !== null && { workspace_id: workspace }),
  ...(from !== null && to !== null ? { from, to } : { range }),
});

/** Usage of a range, optionally filtered and grouped. */
export const usageQuery = (scope: Scope, narrowed: Omit<Query<typeof getUsage>, "range" | "from" | "to"> = {}) => ({
  ...apiQuery(getUsage, { query: { ...scopeOf(scope), ...narrowed } }),
  placeholderData: keepPreviousData,
});

export const analyticsQuery = (state: AnalyticsState) =>
  usageQuery(state, { ...narrowedBy(state), group_by: state.by, measure: state.measure });

/** Usage with its groups in the order of the table; null if that is the order of the chart. */
export function sortedQuery(state: AnalyticsState) {
  const sort = sortOf(state);
  return sort && usageQuery(state, { ...narrowedBy(state), group_by: state.by, measure: state.measure, sort });
}

/** Usage of a key or member. */
export const subjectUsageQuery = ({ by, measure, ...scope }: SubjectUsageState, of: Subject) =>
  usageQuery({ ...scope, workspace: null }, { ...of, group_by: by ?? defaultDimension(of), measure });

/** Usage of the period before a range. */
export const previousUsageQuery = (
  { from, to }: Pick<Usage, "from" | "to">,
  { workspace, ...state }: Narrowed & Pick<AnalyticsState, "workspace">,
) => {
  const start = 2 * Date.parse(from) - Date.parse(to);
  return usageQuery({ workspace, range: "7d", from: new Date(start).toISOString(), to: from }, narrowedBy(state));
};
