import { keepPreviousData } from "@tanstack/react-query";
import type { Subject } from "@/components/generations/log-link";
import { apiQuery } from "@/lib/browser/api-query";
import type { Query } from "@/lib/browser/api-client";
import { getUsage } from "@/lib/browser/operations/analytics-usage";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import { defaultDimension, type AnalyticsState, type SubjectUsageState } from "./analytics-state";

type Scope = Pick<AnalyticsState, "workspace" | "range" | "from" | "to">;

const scopeOf = ({ workspace, range, from, to }: Scope): Query<typeof getUsage> => ({
  ...(workspace !== null && { workspace_id: workspace }),
  ...(from !== null && to !== null ? { from, to } : { range }),
});

/** Usage of a range, optionally filtered and grouped. */
export const usageQuery = (
  scope: Scope,
  narrowed: Pick<Query<typeof getUsage>, "group_by" | "measure" | "top" | "key_hash" | "user_id"> = {},
) => ({
  ...apiQuery(getUsage, { query: { ...scopeOf(scope), ...narrowed } }),
  placeholderData: keepPreviousData,
});

export const analyticsQuery = (state: AnalyticsState) =>
  usageQuery(state, { group_by: state.by, measure: state.measure });

/** Usage of a key or member. */
export const subjectUsageQuery = ({ by, measure, ...scope }: SubjectUsageState, of: Subject) =>
  usageQuery({ ...scope, workspace: null }, { ...of, group_by: by ?? defaultDimension(of), measure });

/** Usage of the period before a range. */
export const previousUsageQuery = ({ from, to }: Pick<Usage, "from" | "to">, workspace: string | null) => {
  const start = 2 * Date.parse(from) - Date.parse(to);
  return usageQuery({ workspace, range: "7d", from: new Date(start).toISOString(), to: from });
};
