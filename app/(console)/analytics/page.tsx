import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { AnalyticsPage } from "@/components/analytics/analytics-page";
import { analyticsQuery } from "@/components/analytics/analytics-queries";
import { loadAnalyticsState } from "@/components/analytics/analytics-state";

export const metadata: Metadata = { title: "Analytics" };

export default async function Page({ searchParams }: PageProps) {
  return (
    <Prefetch queries={[analyticsQuery(await loadAnalyticsState(searchParams))]}>
      <AnalyticsPage />
    </Prefetch>
  );
}
