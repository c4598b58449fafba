import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { AnalyticsPage } from "@/components/analytics/analytics-page";
import { analyticsQuery, sortedQuery } from "@/components/analytics/analytics-queries";
import { loadAnalyticsState } from "@/components/analytics/analytics-state";
import { chosenRecords, nameQuery } from "@/components/generations/filter-names";

export const metadata: Metadata = { title: "Analytics" };

export default async function Page({ searchParams }: PageProps) {
  const state = await loadAnalyticsState(searchParams);
  const usage = [analyticsQuery(state), sortedQuery(state)].flatMap((query) => query ?? []);
  return (
    <Prefetch queries={[...usage, ...chosenRecords(state, true).map(nameQuery)]}>
      <AnalyticsPage />
    </Prefetch>
  );
}
